// Package race answers the commands of races: several players solve the same puzzle at the same time, each on a
// board of their own, and one board for everybody shows how far they are.
package race

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/clue"
	"fivefold/bot/face"
	"fivefold/bot/play"
	"fivefold/game"
	"fivefold/game/matches"
)

// Handlers has what the commands work with. Its fields must be set and not changed afterwards.
type Handlers struct {
	Games *matches.Manager
	Faces face.Faces
	Play  *play.Handlers // which shows each racer's own board
	Log   *slog.Logger

	// drafts are refused challenges by their givers, who can correct them for a while: in memory alone, for they tell answers.
	drafts sync.Map
}

// Commands returns the commands of a kind, none for a kind without races.
func (h *Handlers) Commands(f face.Face) []bot.Command {
	if f.Commands.Race == "" {
		return nil
	}
	all := []bot.Command{h.race(f), h.challenge(f)}
	for i := range all {
		all[i].Audience, all[i].NewMessage, all[i].ShowCommand = bot.Undecided, true, f.Commands.Board
		all[i].Explain = func(_ bot.Request, err error) error { return f.ExplainRace(err) }
	}
	return all
}

// How long a race may take, in minutes.
const (
	defaultMinutes = 10
	mostMinutes    = 60
)

func (h *Handlers) race(f face.Face) bot.Command {
	minutes := bot.Option{Name: "minutes", Help: fmt.Sprintf("How long it may take, 1 to %d; %d unless you say", mostMinutes, defaultMinutes)}
	return bot.Command{
		Name: f.Commands.Race, Help: "Race others to the same hidden " + f.Noun + ", each on a board of your own",
		Options: append(slices.Clip(f.StartOptions), minutes), HiddenArgs: []string{face.ArgRace, face.ArgBegin},
		NotSaved: "you have not joined a race",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			switch {
			case r.Context.AskerOnly:
				return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody could join a race").With("."))
			case r.Alone():
				return bot.Reply{}, bot.Decline(bot.Text("Nobody else is here to race you. Race others where they are: in a channel, or in a group."))
			}
			if id := r.Args[face.ArgRace]; id != "" {
				join := h.Games.JoinRace
				if r.Args[face.ArgBegin] != "" {
					join = h.Games.BeginRace
				}
				race, m, err := join(ctx, r.Origin(), f.Kind, game.MatchID(id))
				switch {
				case errors.Is(err, game.ErrNotAllowed):
					return bot.Reply{}, bot.Refuse(err, bot.Text("Only ", race.Starter, " can start this race. It starts by itself when others have joined."))
				case err != nil && !m.Mode.Raced():
					return bot.Reply{}, err
				}
				return h.own(ctx, f, r, m, err)
			}
			limit, ok := bot.Number(cmp.Or(r.Args["minutes"], strconv.Itoa(defaultMinutes)), 1, mostMinutes)
			if !ok {
				return bot.Reply{}, bot.Decline(bot.Text(bot.Quote(r.Args["minutes"]), fmt.Sprintf(" is not a valid number of minutes. A race takes 1 to %d.", mostMinutes)))
			}
			race, m, err := h.Games.StartRace(ctx, r.Origin(), matches.RaceOptions{Kind: f.Kind, Hard: r.Args["hard"] == "true", Time: time.Duration(limit) * time.Minute, Again: !r.FromComponent})
			started := race.Starter == r.Player && race.Version == 2 // nobody else has joined
			switch {
			case err != nil && !m.Mode.Raced():
				return bot.Reply{}, err
			case err != nil || r.FromComponent && !started: // the board of the race is there already
				return h.own(ctx, f, r, m, err)
			}
			reply, err := h.board(ctx, f, race)
			if err != nil || r.Surface.HasButtons() {
				return reply, err
			}
			if race.Begins.IsZero() {
				reply.Lines[0] = reply.Lines[0].With(" All of you type ", bot.Slash(f.Commands.Race), ": ", race.Starter, " to start it, the others to join.")
			}
			own, err := h.own(ctx, f, r, m, nil)
			reply.Lines, reply.Board = append(reply.Lines, own.Lines...), own.Board
			return reply, err
		},
	}
}

// own shows a racer's own board, with why they could not join another race, if err is not nil.
func (h *Handlers) own(ctx context.Context, f face.Face, r bot.Request, m game.Match, err error) (bot.Reply, error) {
	if err == nil {
		return h.Play.Show(ctx, f, r, m)
	}
	name := face.ModeName(m.Mode)
	return h.Play.Show(ctx, f, r, m, bot.Text(bot.Bold("You are in another "+name+"."), " Finish it first, or stop it with ", bot.Slash(f.Commands.Stop, "mode", name), "."))
}

// board shows a race to everybody, without a letter of any guess.
func (h *Handlers) board(ctx context.Context, f face.Face, r game.Race) (bot.Reply, error) {
	all, err := h.Games.Standings(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Reply{Audience: bot.Everyone}
	about := &bot.Board{Match: r.ID, Location: r.Location, Version: r.BoardVersion(all), Changed: r.Over}
	about.Slot = game.ChannelSlot(r.Kind, r.Location.Channel)
	about.Slot.Puzzle = r.Puzzle()
	answer, guessed := "", false
	for _, s := range all {
		reply.Lines = append(reply.Lines, standing(f, r, s)...)
		if s.Match.Version == 0 {
			continue
		}
		answer, guessed = s.Match.State.Answer(), guessed || s.Match.Used() > 0
		about.Changed = slices.MaxFunc([]time.Time{about.Changed, s.Match.Changed(), s.Match.Ended()}, time.Time.Compare)
	}
	hard := ""
	if r.Hard {
		hard = " Hard mode: every clue must be used."
	}
	if r.Begins.IsZero() {
		hard += " It takes " + bot.Plural(int(r.Time/time.Minute), "minute") + "."
	}
	join := bot.Button{Label: "Join", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: map[string]string{face.ArgRace: string(r.ID)}}
	mine := bot.Button{Label: "My board", Command: f.Commands.Board, Args: map[string]string{"mode": face.ModeName(r.Mode()), face.ArgRace: string(r.ID)}}
	first, buttons := bot.Text(bot.Bold("A race."), " Everybody who joins looks for the same "+f.Noun+"."+hard+" It ", face.Clock(r, guessed)), []bot.Button{join, mine}
	if r.Begins.IsZero() {
		begin := bot.Button{Label: "Start", Command: f.Commands.Race, Args: map[string]string{face.ArgRace: string(r.ID), face.ArgBegin: "yes"}}
		buttons = []bot.Button{join, begin, mine}
	}
	c, over := r.Challenge, r.Closed()
	if c != nil {
		first = bot.Text(bot.Bold("A challenge"), ", for each of you alone. It ", face.Clock(r, guessed))
		buttons = append(buttons, f.Reports(*c, map[string]string{face.ArgRace: string(r.ID)})...)
		reply.Lines = append([]bot.Line{f.Given(r.Starter, *c)}, reply.Lines...)
	}
	switch {
	case over && c != nil && !c.Shown():
		first, buttons, answer, reply.Lines = bot.Text(bot.Bold("This challenge was removed.")), nil, "", nil
	case over && c != nil:
		first, buttons = bot.Text(bot.Bold("The challenge is over.")), nil
		about.End = solved(first, all)
		if s, ok, err := h.Games.Store.Puzzle(ctx, r.Kind, r.Puzzle()); ok && err == nil { // also if nobody has joined
			answer = s.Answer()
		}
	case r.Withdrawn():
		first, buttons, answer, reply.Lines = bot.Text(bot.Bold("This race never started.")), []bot.Button{h.rematch(f, r)}, "", nil
		about.End = first
	case over:
		first, buttons = bot.Text(bot.Bold("The race is over.")), []bot.Button{h.rematch(f, r)}
	}
	if over && answer != "" {
		first = first.With(" The "+f.Noun+" was ", bot.Bold(answer), ".")
	}
	if over && c == nil && !r.Withdrawn() {
		about.End = solved(first, all)
	}
	reply.Lines = append([]bot.Line{first}, reply.Lines...)
	reply.Buttons = slices.Collect(slices.Chunk(buttons, 5))
	about.Later = func(ctx context.Context, than uint64) (bot.Reply, bool, error) {
		reply, err := h.now(ctx, f, r.Location.Channel, r.ID)
		if errors.Is(err, game.ErrRaceOver) {
			return bot.Reply{}, false, nil
		}
		return reply, err == nil && reply.Board.Version > than, err
	}
	reply.Board = about
	return reply, nil
}

// now is board for a race as it is by now. The error can be [game.ErrRaceOver].
func (h *Handlers) now(ctx context.Context, f face.Face, c game.ChannelID, id game.MatchID) (bot.Reply, error) {
	r, err := h.Games.Store.Race(ctx, f.Kind, c, id)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.board(ctx, f, r)
}

// Lines shows the race of a match as it is by now; nothing once it is no longer kept.
func (h *Handlers) Lines(ctx context.Context, f face.Face, m game.Match) []bot.Line {
	reply, _ := h.now(ctx, f, m.Location.Channel, game.MatchID(m.Puzzle))
	return reply.Lines
}

// OnBoards sets Behind of those commands of a kind that buttons of a race make, and returns all.
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
		reply, err = bot.Reply{Lines: []bot.Line{f.RaceOver()}}, nil
	}
	if err != nil {
		h.Log.Warn("could not show a race", "race", id, "error", err)
	}
	reply.InPlace = true
	return reply, err == nil
}

// solved says after a line who has solved a race.
func solved(line bot.Line, all []game.Standing) bot.Line {
	var winners []bot.Line
	for _, s := range all {
		if s.Match.Version > 0 && s.Match.Status() == game.Won {
			winners = append(winners, bot.Text(bot.Bold(fmt.Sprintf("%d.", s.Place)), " ", s.Player, fmt.Sprintf(" in %d", s.Match.Used())))
		}
	}
	if winners == nil {
		return line.With(" Nobody solved it.")
	}
	return bot.List(line.With(" "), winners, "").With(".")
}

func (h *Handlers) rematch(f face.Face, r game.Race) bot.Button {
	args := map[string]string{"minutes": strconv.Itoa(int(r.Time / time.Minute))}
	if r.Hard {
		args["hard"] = "true"
	}
	return bot.Button{Label: "Rematch", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: args}
}

// standing are the lines of one racer: "1. @ana in 4, after 1:23", then the feedback of each guess, two a line so
// that a phone has room. Everybody sees them, so the marks differ in shape too.
func standing(f face.Face, r game.Race, s game.Standing) []bot.Line {
	m := s.Match
	if m.Version == 0 { // cleared from the history
		return nil
	}
	line := bot.Text(s.Player)
	took := m.Ended().Sub(r.Begins).Round(time.Second)
	switch status := m.Status(); {
	case status == game.Won:
		line = bot.Text(bot.Bold(fmt.Sprintf("%d.", s.Place)), " ", s.Player, fmt.Sprintf(" in %d, after %d:%02d", m.Used(), int(took.Minutes()), int(took.Seconds())%60))
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

// Shows has the boards of races shown when something changes in them, by a front that keeps their messages. It must be
// called once, before the manager is used.
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

// The options of a challenge that others must not see.
const (
	optionPuzzle = "word"
	optionClue   = "clue"
)

// argAgain opens the form with what was refused.
const argAgain = "again"

const maxClue = 100

// draftKept is how long what was typed can be corrected.
const draftKept = 15 * time.Minute

type draft struct{ puzzle, clue string }

func (h *Handlers) challenge(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Challenge, Help: "Choose a " + f.Noun + " for the others, with a clue",
		Options: []bot.Option{
			{Name: optionPuzzle, Help: "The " + f.Noun + " to find", Secret: true},
			{Name: optionClue, Help: "What to say about it", Secret: true, MultiWord: true},
			{Name: "mode", Help: "together: everybody here; solo: each of them alone", Choices: []string{face.ModeName(game.Together), face.ModeName(game.Solo)}},
		},
		HiddenArgs: []string{face.ArgMatch, face.ArgRace, face.ArgReport, argAgain}, NotSaved: "nothing was changed",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if to := game.Report(r.Args[face.ArgReport]); to != "" {
				return h.report(ctx, f, r, to)
			}
			if r.Context.AskerOnly {
				return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody could find your " + f.Noun).With("."))
			}
			if r.Alone() {
				return bot.Reply{}, bot.Decline(bot.Text("Nobody else is here to find your " + f.Noun + ". Challenge others where they are: in a channel, or in a group."))
			}
			typed := &draft{strings.TrimSpace(r.Args[optionPuzzle]), strings.Join(strings.Fields(r.Args[optionClue]), " ")}
			mode := face.ReadMode(r.Args["mode"], game.Together)
			if typed.puzzle == "" && !r.Surface.HasButtons() { // nothing can be pressed to join one
				all, err := h.Games.Store.Races(ctx, f.Kind, r.Location.Channel)
				if err != nil {
					return bot.Reply{}, err
				}
				for _, race := range slices.Backward(all) {
					if race.Challenge != nil && !race.Closed() && race.Starter != r.Player {
						r.Args = map[string]string{face.ArgRace: string(race.ID)}
						return h.race(f).Run(ctx, r)
					}
				}
			}
			if typed.puzzle == "" || typed.clue == "" {
				if kept, ok := h.drafts.Load(r.Player); ok && r.Args[argAgain] != "" {
					typed = kept.(*draft)
				}
				return typed.form(f, mode), nil
			}
			err := typed.check(f)
			var refusal bot.Refusal
			if errors.As(err, &refusal) {
				h.drafts.Store(r.Player, typed)
				time.AfterFunc(draftKept, func() { h.drafts.CompareAndDelete(r.Player, typed) })
				again := bot.Button{Label: "Correct it", Style: bot.ButtonPrimary, Command: f.Commands.Challenge, Args: map[string]string{"mode": face.ModeName(mode), argAgain: "y"}}
				return bot.Reply{}, bot.RefuseWith(err, refusal.Reply.Row(again))
			}
			if err != nil {
				return bot.Reply{}, err
			}
			hints, err := h.Play.HintLimit(ctx, r)
			if err != nil {
				return bot.Reply{}, err
			}
			m, race, err := h.Games.Challenge(ctx, r.Origin(), matches.ChallengeOptions{Kind: f.Kind, Alone: mode == game.Solo, Puzzle: typed.puzzle, Clue: typed.clue, Hints: hints})
			switch {
			case errors.Is(err, game.ErrAlreadyPlaying):
				return bot.Reply{}, bot.Refuse(err, bot.Text("There is a game here already. Challenge the others when it is over, or each of them alone: ",
					bot.Slash(f.Commands.Challenge, "mode", face.ModeName(game.Solo)), "."))
			case err != nil:
				return bot.Reply{}, err
			case mode == game.Solo:
				reply, err := h.board(ctx, f, race)
				reply.Lines = append(reply.Lines, bot.Text("The others play it with ", bot.Slash(f.Commands.Challenge), ".").AsTyped())
				return reply, err
			}
			reply, err := h.Play.Show(ctx, f, r, m)
			reply.InPlace = false
			return reply, err
		},
	}
}

// check refuses what is no challenge.
func (d *draft) check(f face.Face) error {
	if _, err := f.Read(d.puzzle); err != nil {
		return err
	}
	if len([]rune(d.clue)) > maxClue {
		return bot.Decline(bot.Text(fmt.Sprintf("A clue has at most %d characters.", maxClue)))
	}
	return bot.RefuseAs(clue.Check(d.puzzle, d.clue), map[error]bot.Line{
		clue.ErrHurts: bot.Text("That could hurt someone. Pick another."),
		clue.ErrTells: bot.Text("Your clue has the " + f.Noun + " in it. Pick another."),
		clue.ErrLink:  bot.Text("A clue can't have a link. Pick another."),
	})
}

func (d *draft) form(f face.Face, mode game.Mode) bot.Reply {
	reply := bot.Ephemeral(bot.Text("Please add the "+f.Noun+" and a clue: ", bot.Slash(f.Commands.Challenge, optionPuzzle, "", optionClue, ""), "."))
	reply.Form = &bot.Form{Title: "A challenge", Command: f.Commands.Challenge, Args: map[string]string{"mode": face.ModeName(mode)}, Fields: []bot.Field{
		{Name: optionPuzzle, Label: "The " + f.Noun + ", " + strings.ToLower(f.FormLabel), Help: f.Example(nil), Value: atMost(f.MostTyped, d.puzzle), Required: true, Max: f.MostTyped},
		{Name: optionClue, Label: "A clue, which everybody sees", Value: atMost(maxClue, d.clue), Required: true, Max: maxClue},
	}}
	return reply
}

// atMost returns the first n characters of a text.
func atMost(n int, text string) string {
	all := []rune(text)
	return string(all[:min(n, len(all))])
}

func (h *Handlers) report(ctx context.Context, f face.Face, r bot.Request, to game.Report) (reply bot.Reply, err error) {
	if to == game.Reported && r.Context.Place == bot.InGroup { // where nobody can decide
		to, r.MayManage = game.Removed, true
	}
	if id := r.Args[face.ArgRace]; id != "" {
		var race game.Race
		if race, err = h.Games.ReportRace(ctx, r.Origin(), f.Kind, game.MatchID(id), to, r.MayManage); err == nil {
			reply, err = h.board(ctx, f, race)
		}
	} else {
		var m game.Match
		t := matches.Target{Kind: f.Kind, Mode: game.Together, Match: game.MatchID(r.Args[face.ArgMatch])}
		if m, err = h.Games.ReportMatch(ctx, r.Origin(), t, to, r.MayManage); err == nil {
			reply, err = h.Play.Show(ctx, f, r, m)
		}
	}
	over := bot.Text("This challenge is over.")
	if errors.As(err, new(*game.OtherMatchError)) {
		err = bot.Refuse(err, over)
	}
	reply.InPlace = true
	return reply, bot.RefuseAs(err, map[error]bot.Line{
		game.ErrNotAllowed: bot.Text("Only " + r.Surface.Manager() + " can decide that."),
		game.ErrEnded:      over, game.ErrRaceOver: over,
	})
}

// End ends a race of the channel for everybody, or removes a challenge that each player solves alone: the race of a button,
// or the latest one that fits the options of a stop. It asks first. If there is none that the player may end, it returns
// the given error.
func (h *Handlers) End(ctx context.Context, f face.Face, r bot.Request, none error) (bot.Reply, error) {
	id, mode := game.MatchID(r.Args[face.ArgRace]), face.ReadMode(r.Args["mode"], game.Current)
	all, err := h.Games.Store.Races(ctx, f.Kind, r.Location.Channel)
	for _, race := range slices.Backward(all) {
		if race.Closed() || !race.MayEnd(r.Player, r.MayManage) || id != "" && race.ID != id || mode != game.Current && mode != race.Mode() {
			continue
		}
		if r.Args[face.ArgSure] == "" {
			question, b := "End this race for everybody?", bot.Button{Label: "End it", Style: bot.ButtonDanger, Command: f.Commands.Stop}
			if race.Challenge != nil {
				question, b.Label = "Withdraw this challenge?", "Withdraw it"
			}
			b.Args = map[string]string{face.ArgRace: string(race.ID), face.ArgSure: "true"}
			return bot.Ephemeral(bot.Text(bot.Bold(question)), bot.Text("Do it with ", bot.Slash(f.Commands.Stop, "mode", face.ModeName(race.Mode()), face.ArgSure, "true"), ".").AsTyped()).Row(b), nil
		}
		if race, err = h.Games.EndRace(ctx, r.Origin(), f.Kind, race.ID, r.MayManage); err != nil {
			return bot.Reply{}, err
		}
		reply, err := h.board(ctx, f, race)
		reply.InPlace = true
		return reply, err
	}
	return bot.Reply{}, cmp.Or(err, none)
}
