package race

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
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
	if r.Removed() {
		return bot.Reply{Heading: bot.Text("This challenge was removed"), Board: about}, nil
	}
	reply := bot.Reply{Board: about, Names: r.Names}
	answer, guessed, boards := "", false, []face.PlayerBoard(nil)
	for _, s := range all {
		if m := s.Match; m.Version > 0 { // not deleted
			answer, guessed = m.State.Answer(), guessed || m.Used() > 0
			about.Changed = slices.MaxFunc([]time.Time{about.Changed, m.Changed(), m.Ended()}, time.Time.Compare)
			board := f.Board(s.Player, m.State, result(r, m))
			board.Place = s.Rank
			boards = append(boards, board)
		}
	}
	if !r.Closed() {
		reply.Heading, reply.Subtext = f.Running(r, guessed)
		return reply.Add(face.Boards(r.Names, boards)...).Row(buttons(f, r)...), nil
	}
	if c := r.Challenge; c != nil {
		if s, ok, err := h.Games.Store.Puzzle(ctx, r.Kind, r.Puzzle()); ok && err == nil { // also before the first player joins
			answer = s.Answer()
		}
		reply = reply.Say(f.Given(r.Starter, *c, true))
	}
	reply.Heading, reply.Subtext, reply.Tone = outcome(f, r, all, answer)
	if about.End = reply.Heading; r.Challenge == nil { // whose word a player has written
		about.End = bot.Text(reply.Heading, " ", reply.Subtext)
	}
	if r.Withdrawn() {
		boards = nil
	}
	return reply.Add(face.Boards(r.Names, boards)...).Row(rematch(f, r)), nil
}

// outcome says how a race ended: "🏁 ben wins!" and "OLDIE in 1, 0:01".
func outcome(f face.Face, r game.Race, all []game.Standing, answer string) (heading, subtext bot.Line, tone bot.Tone) {
	if answer != "" {
		subtext = bot.Text(f.AnswerWas(), bot.Bold(answer), ".")
	}
	var first []game.PlayerID // several if they are level to the millisecond
	for _, s := range all {
		if s.Rank == 1 {
			first = append(first, s.Player)
		}
	}
	switch {
	case r.Withdrawn():
		return bot.Text("This race never started"), bot.Line{}, bot.Calm
	case r.Challenge != nil:
		return bot.Text("The challenge is over!"), subtext, bot.Calm
	case first == nil:
		return bot.Text(bot.Emoji("🏁 "), "It got away!"), subtext, bot.Sad
	}
	heading = bot.List(bot.Text(bot.Emoji("🏁 ")), first, "and").With([]string{" wins!", " win!"}[min(1, len(first)-1)])
	return heading, bot.Text(bot.Bold(all[0].Match.State.Answer()), fmt.Sprintf(" in %d, %s", all[0].Match.Used(), took(r, all[0].Match))), bot.Happy
}

// result is how far a racer is.
func result(r game.Race, m game.Match) string {
	switch status := m.Status(); {
	case status == game.Won:
		return bot.Plural(m.Used(), "guess") + " · " + took(r, m)
	case status != game.Playing:
		return "not this time"
	case r.Begins.IsZero():
		return "joined"
	}
	return "playing"
}

func took(r game.Race, m game.Match) string {
	d := m.Ended().Sub(r.Begins).Round(time.Second)
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// buttons are those of a race that has not ended.
func buttons(f face.Face, r game.Race) []bot.Button {
	id := string(r.ID)
	row := []bot.Button{{Label: "Join", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: map[string]string{face.ArgRace: id}}}
	if r.Begins.IsZero() {
		row = append(row, bot.Button{Label: "Start", Command: f.Commands.Race, Args: map[string]string{face.ArgRace: id, face.ArgBegin: "yes"}})
	}
	row = append(row, bot.Button{Label: "My board", Command: f.Commands.Board, Args: map[string]string{face.ArgRace: id, "mode": face.ModeName(r.Mode())}})
	if c := r.Challenge; c != nil {
		row = append(row, f.Reports(*c, map[string]string{face.ArgRace: id})...)
	}
	return row
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

// rematch is a button for a race like this one or, after a challenge, for a game together.
func rematch(f face.Face, r game.Race) bot.Button {
	if r.Challenge != nil {
		return f.AgainButton(game.Match{Mode: game.Challenged})
	}
	args := map[string]string{"minutes": strconv.Itoa(int(r.Time / time.Minute))}
	if r.Hard != marks.Off {
		args["hard"] = r.Hard.String()
	}
	return bot.Button{Label: "New race", Style: bot.ButtonPrimary, Command: f.Commands.Race, Args: args}
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
