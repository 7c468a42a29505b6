package race

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// board shows a race in the channel, without a letter of any guess.
func (h *Handlers) board(ctx context.Context, f face.Face, r game.Race) (bot.Reply, error) {
	all, err := h.Games.Standings(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	about := &bot.Board{Match: r.ID, Location: r.Location, Version: r.BoardVersion(all), Changed: r.Over}
	about.Slot = game.ChannelSlot(r.Kind, r.Location.Channel)
	about.Slot.Puzzle = r.Puzzle()
	about.Later = func(ctx context.Context, than uint64) (bot.Reply, bool, error) {
		reply, err := h.now(ctx, f, r.Location.Channel, r.ID)
		if errors.Is(err, game.ErrRaceOver) {
			return bot.Reply{}, false, nil
		}
		return reply, err == nil && reply.Board.Version > than, err
	}
	var racers []bot.Line
	answer, guessed, c := "", false, r.Challenge
	if c != nil {
		racers = append(racers, f.Given(r.Starter, *c))
	}
	for _, s := range all {
		racers = append(racers, standing(f, r, s)...)
		if s.Match.Version > 0 {
			answer, guessed = s.Match.State.Answer(), guessed || s.Match.Used() > 0
			about.Changed = slices.MaxFunc([]time.Time{about.Changed, s.Match.Changed(), s.Match.Ended()}, time.Time.Compare)
		}
	}
	first, buttons := running(f, r, guessed)
	switch {
	case !r.Closed():
	case c != nil && !c.Shown():
		first, buttons, racers = bot.Text(bot.Bold("This challenge was removed.")), nil, nil
	case c != nil:
		first, buttons = bot.Text(bot.Bold("The challenge is over.")), nil
		about.End = solved(first, all)
		if s, ok, err := h.Games.Store.Puzzle(ctx, r.Kind, r.Puzzle()); ok && err == nil { // also before the first player joins
			first = first.With(was(f, s.Answer()))
		}
	case r.Withdrawn():
		first, buttons, racers = bot.Text(bot.Bold("This race never started.")), []bot.Button{rematch(f, r)}, nil
		about.End = first
	default:
		first, buttons = bot.Text(bot.Bold("The race is over.")), []bot.Button{rematch(f, r)}
		if answer != "" {
			first = first.With(was(f, answer))
		}
		about.End = solved(first, all)
	}
	reply := bot.Reply{Audience: bot.Everyone, Blocks: bot.Lines(append([]bot.Line{first}, racers...)...), Board: about}
	return reply.Add(bot.Rows(buttons...)...), nil
}

func was(f face.Face, answer string) bot.Line {
	return bot.Text(" The "+f.Noun+" was ", bot.Bold(answer), ".")
}

// running returns the first line of a race that has not ended, and its buttons.
func running(f face.Face, r game.Race, guessed bool) (bot.Line, []bot.Button) {
	about := func(args ...string) map[string]string {
		all := map[string]string{face.ArgRace: string(r.ID)}
		for pair := range slices.Chunk(args, 2) {
			all[pair[0]] = pair[1]
		}
		return all
	}
	buttons := []bot.Button{{Label: "Join", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: about()}}
	if r.Begins.IsZero() {
		buttons = append(buttons, bot.Button{Label: "Start", Command: f.Commands.Race, Args: about(face.ArgBegin, "yes")})
	}
	buttons = append(buttons, bot.Button{Label: "My board", Command: f.Commands.Board, Args: about("mode", face.ModeName(r.Mode()))})
	if c := r.Challenge; c != nil {
		return bot.Text(bot.Bold("A challenge"), ", for each of you alone. It ", face.Clock(r, guessed)), append(buttons, f.Reports(*c, about())...)
	}
	rules := ""
	if r.Hard {
		rules = " Hard mode: every clue must be used."
	}
	if r.Begins.IsZero() {
		rules += " It takes " + bot.Plural(int(r.Time/time.Minute), "minute") + "."
	}
	return bot.Text(bot.Bold("A race."), " Everybody who joins looks for the same "+f.Noun+"."+rules+" It ", face.Clock(r, guessed)), buttons
}

// now shows the present state of a race. The error can be [game.ErrRaceOver].
func (h *Handlers) now(ctx context.Context, f face.Face, c game.ChannelID, id game.MatchID) (bot.Reply, error) {
	r, err := h.Games.Store.Race(ctx, f.Kind, c, id)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.board(ctx, f, r)
}

// Lines shows the present state of a match's race; nothing once it is no longer kept.
func (h *Handlers) Lines(ctx context.Context, f face.Face, m game.Match) []bot.Line {
	reply, _ := h.now(ctx, f, m.Location.Channel, game.MatchID(m.Puzzle))
	return reply.Lines()
}

// OnBoards returns the commands of a kind. It sets Behind for the commands that buttons of a race run.
func (h *Handlers) OnBoards(f face.Face, all []bot.Command) []bot.Command {
	for i, c := range all {
		if slices.Contains(c.HiddenArgs, face.ArgRace) {
			all[i].Behind = func(ctx context.Context, r bot.Request) (bot.Reply, bool) { return h.behind(ctx, f, r) }
		}
	}
	return all
}

func (h *Handlers) behind(ctx context.Context, f face.Face, r bot.Request) (bot.Reply, bool) {
	id := game.MatchID(r.Args[face.ArgRace])
	if id == "" {
		return bot.Reply{}, false
	}
	reply, err := h.now(ctx, f, r.Location.Channel, id)
	if errors.Is(err, game.ErrRaceOver) { // it ended long ago
		reply, err = bot.Reply{Blocks: bot.Lines(f.RaceOver())}, nil
	}
	if err != nil {
		h.Log.Warn("could not show a race", "race", id, "error", err)
	}
	reply.InPlace = true
	return reply, err == nil
}

// solved adds the players who have solved a race to a line.
func solved(line bot.Line, all []game.Standing) bot.Line {
	var winners []bot.Line
	for _, s := range all {
		if s.Match.Version > 0 && s.Match.Status() == game.Won {
			winners = append(winners, bot.Text(bot.Bold(fmt.Sprintf("%d.", s.Rank)), " ", s.Player, fmt.Sprintf(" in %d", s.Match.Used())))
		}
	}
	if winners == nil {
		return line.With(" Nobody solved it.")
	}
	return bot.List(line.With(" "), winners, "").With(".")
}

func rematch(f face.Face, r game.Race) bot.Button {
	args := map[string]string{"minutes": strconv.Itoa(int(r.Time / time.Minute))}
	if r.Hard {
		args["hard"] = "true"
	}
	return bot.Button{Label: "Rematch", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: args}
}

// standing returns the lines of one racer: "1. @ana in 4, after 1:23", then the marks of the guesses, two guesses a line so that
// a phone has room. Everybody sees them, so the marks differ in shape too.
func standing(f face.Face, r game.Race, s game.Standing) []bot.Line {
	m := s.Match
	if m.Version == 0 { // cleared from the history
		return nil
	}
	line := bot.Text(s.Player)
	took := m.Ended().Sub(r.Begins).Round(time.Second)
	switch status := m.Status(); {
	case status == game.Won:
		line = bot.Text(bot.Bold(fmt.Sprintf("%d.", s.Rank)), " ", s.Player, fmt.Sprintf(" in %d, after %d:%02d", m.Used(), int(took.Minutes()), int(took.Seconds())%60))
	case status != game.Playing:
		line = line.With(" did not solve it")
	case r.Begins.IsZero():
		line = line.With(" has joined")
	default:
		line = line.With(" is playing")
	}
	lines := []bot.Line{line}
	for pair := range slices.Chunk(f.Rows(m.State), 2) {
		text := ""
		for _, each := range pair {
			text += bot.Look{Shapes: bot.SignShapes}.Squares(each) + "  "
		}
		lines = append(lines, bot.Text(strings.TrimSpace(text)))
	}
	return lines
}

// Shows makes the manager call show with the board of each race that changes. Call it once, before the manager is used.
func (h *Handlers) Shows(show bot.Show) {
	h.Games.RaceChanged = func(r game.Race, err error) {
		show(func(ctx context.Context) (bot.Reply, error) {
			if err != nil {
				return bot.Reply{}, err
			}
			return h.board(ctx, h.Faces.Of(r.Kind), r)
		})
	}
}
