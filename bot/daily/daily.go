// Package daily answers /daily: how a player stands in the puzzles of the day and how the server did, with
// buttons to play and to share them.
package daily

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

// Handlers has what the command works with. Its fields must be set and not changed afterwards.
type Handlers struct {
	Games      *game.Manager
	Statistics game.Statistics
	Faces      face.Faces
}

// argShare, in a button, is the kind whose puzzle of that number is to be shared.
const (
	argShare  = "share"
	argNumber = "number"
)

// Command returns the command.
func (h *Handlers) Command() bot.Command {
	return bot.Command{
		Name:        bot.NameDaily,
		Help:        "Today's puzzles: play them, see your streak and how the server did, and share",
		HiddenArgs:  []string{argNumber, argShare},
		Audience:    bot.Undecided, // what is shared is for everyone
		NotSaved:    "nothing was shared",
		ShowCommand: bot.NameDaily,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if kind := r.Args[argShare]; kind != "" {
				return h.share(ctx, r, h.Faces.Of(game.Kind(kind)))
			}
			return h.card(ctx, r)
		},
	}
}

// played is how a player stands in one puzzle of a kind.
type played struct {
	face   face.Face
	number int
	game.Loaded
}

// load returns how a player stands in the puzzles from one number to another, by kind.
func (h *Handlers) load(ctx context.Context, p game.PlayerID, from, to int) ([][]played, error) {
	var slots []game.Slot
	for _, f := range h.Faces {
		for n := from; n <= to; n++ {
			slots = append(slots, game.PuzzleSlot(f.Kind, p, game.DailyPuzzle(n)))
		}
	}
	loaded, err := h.Games.Store.LoadSlots(ctx, slots)
	if err != nil {
		return nil, err
	}
	all := make([][]played, len(h.Faces))
	for i, f := range h.Faces {
		for n := from; n <= to; n++ {
			all[i] = append(all[i], played{f, n, loaded[0]})
			loaded = loaded[1:]
		}
	}
	return all, nil
}

func (p played) playing() bool { return p.Err == nil && p.Match.Status() == game.Playing }
func (p played) over() bool    { return p.Err == nil && p.Match.Status() != game.Playing }

// words says how the player stands.
func (p played) words() string {
	switch m := p.Match; {
	case errors.Is(p.Err, game.ErrCleared):
		return "played; you have cleared your history since"
	case errors.Is(p.Err, game.ErrUnreadable):
		return "its data is damaged"
	case p.Err != nil:
		return "not begun"
	case m.Status() == game.Playing:
		return fmt.Sprintf("playing, %d of %d used", m.Used(), m.Used()+m.State.Left())
	case m.Status() != game.Won:
		return "lost"
	case len(m.Hints) > 0:
		return fmt.Sprintf("solved in %d with %s", m.Used(), bot.Plural(len(m.Hints), "hint"))
	default:
		return fmt.Sprintf("solved in %d", m.Used())
	}
}

// card shows today's puzzles.
func (h *Handlers) card(ctx context.Context, r bot.Request) (bot.Reply, error) {
	today := h.Games.Today()
	if today < 1 {
		return bot.Reply{}, bot.Decline(bot.Text("There is no daily puzzle today, since my clock is wrong. Please ask the bot's operator to set it."))
	}
	all, err := h.load(ctx, r.Player, today-1, today)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold(fmt.Sprintf("Daily puzzle %d", today)), ", "+game.DailyDate(today).Format(time.DateOnly)+". The next one comes ",
		bot.When(game.Day(today+1), "at midnight UTC"), "."))
	var row []bot.Button
	var typed []bot.Span
	for _, days := range all {
		before, now := days[0], days[1]
		f := now.face
		lines, err := h.standing(ctx, r, now)
		if err != nil {
			return bot.Reply{}, err
		}
		reply.Lines = append(reply.Lines, lines...)
		board := bot.Slash(f.Commands.Board, "mode", face.ModeName(game.Daily))
		switch {
		case now.playing():
			row, typed = append(row, goOn(f, now, "go on")), append(typed, board)
			continue
		case now.over():
			if b, ok := shareButton(r, now); ok {
				row = append(row, b)
			}
			continue
		case errors.Is(now.Err, game.ErrCleared):
			continue
		}
		if before.playing() {
			reply.Lines = append(reply.Lines, bot.Text(fmt.Sprintf("Puzzle %d is still open (%s), until you begin today's.", before.number, before.words())))
			row, typed = append(row, goOn(f, before, fmt.Sprintf("go on with %d", before.number))), append(typed, board)
		}
		row = append(row, bot.Button{
			Label: f.Name() + ": play", Style: bot.ButtonPrimary, Command: f.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)},
		})
		typed = append(typed, bot.Slash(f.Commands.Start, "mode", face.ModeName(game.Daily)))
	}
	if typed != nil {
		line := bot.Text("Play: ", typed[0])
		for _, t := range typed[1:] {
			line = line.With(", ", t)
		}
		reply.Lines = append(reply.Lines, line.With(".").AsTyped())
	}
	for buttons := range slices.Chunk(row, 5) {
		reply.Buttons = append(reply.Buttons, buttons)
	}
	reply.InPlace = r.FromComponent
	return reply, nil
}

// goOn leads to a match that is being played.
func goOn(f face.Face, p played, what string) bot.Button {
	return bot.Button{Label: f.Name() + ": " + what, Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: face.MatchArgs(p.Match)}
}

// standing says how a player stands in today's puzzle, and how the server did once it is over.
func (h *Handlers) standing(ctx context.Context, r bot.Request, p played) ([]bot.Line, error) {
	totals, err := h.Statistics.Totals(ctx, game.Scope{Kind: p.face.Kind}, r.Player)
	if err != nil {
		return nil, err
	}
	line := bot.Text(bot.Bold(p.face.Name()), ": "+p.words()+".")
	if totals.Days.Best > 0 {
		line = line.With(fmt.Sprintf(" Streak %d, best streak %d.", totals.DayStreak(p.number), totals.Days.Best))
	}
	lines := []bot.Line{line}
	if !p.over() || r.Location.Guild == "" {
		return lines, nil
	}
	here, err := h.Statistics.Daily(ctx, p.face.Kind, r.Location.Guild, p.number, game.MaxDailyResults)
	if err != nil {
		return nil, err
	}
	var parts []string
	switch sum := 0; here.Players {
	case 0:
	case len(here.Listed):
		for _, d := range here.Listed {
			sum += d.Score()
		}
		parts = append(parts, fmt.Sprintf("%s, average %.2f, %d solved it", bot.Plural(here.Players, "player"), float64(sum)/float64(here.Players), here.Solved))
	default: // more than were read
		parts = append(parts, bot.Plural(here.Players, "player"))
	}
	if own := slices.IndexFunc(here.Listed, func(d game.DailyResult) bool { return d.Player == r.Player }); own >= 0 {
		better := slices.IndexFunc(here.Listed, func(d game.DailyResult) bool { return d.Score() == here.Listed[own].Score() })
		parts = append(parts, fmt.Sprintf("you are number %d", better+1))
	} else if here.Players == len(here.Listed) && !r.Context.AskerOnly {
		parts = append(parts, "yours counts once you share it")
	}
	if parts == nil {
		return lines, nil
	}
	return append(lines, bot.Text("Here: "+strings.Join(parts, "; ")+".")), nil
}

// shareButton shares a player's result, where others see it and have not yet.
func shareButton(r bot.Request, p played) (bot.Button, bool) {
	return bot.Button{
		Label: p.face.Name() + ": share", Command: bot.NameDaily, Args: map[string]string{argShare: string(p.face.Kind), argNumber: strconv.Itoa(p.number)},
	}, r.Context.Place != bot.InDirect && !r.Context.AskerOnly && !p.Match.SharedIn(r.Location)
}

// share shows a player's result to everyone in the channel, without letters, and has it count there.
func (h *Handlers) share(ctx context.Context, r bot.Request, f face.Face) (bot.Reply, error) {
	if r.Context.AskerOnly {
		return bot.Reply{}, bot.Decline(bot.OnlyYouSee("I cannot show that to anyone else").With("."))
	}
	number, err := strconv.Atoi(r.Args[argNumber])
	if err != nil || number < 1 {
		return bot.Reply{}, bot.Decline(bot.Text("Please choose what to share with ", bot.Slash(bot.NameDaily), "."))
	}
	m, err := h.Games.ShareDaily(ctx, r.Origin(), f.Kind, number)
	switch {
	case errors.Is(err, game.ErrShared):
		line := bot.Text("You have shared it here already")
		if m.Shared != "" && m.Location.Community() == r.Location.Community() {
			line = bot.Text("You have shared it already, in ", m.Shared)
		}
		return bot.Reply{}, bot.Refuse(err, line.With("."))
	case errors.Is(err, game.ErrNotFinished):
		return bot.Reply{}, bot.Refuse(err, bot.Text("You are still playing it. Finish it first: ", bot.Slash(f.Commands.Board, "mode", face.ModeName(game.Daily)), "."))
	case errors.Is(err, game.ErrNoMatch), errors.Is(err, game.ErrCleared), errors.Is(err, game.ErrNotInHistory), errors.Is(err, game.ErrUnreadable):
		return bot.Reply{}, bot.Refuse(err, bot.Text("Your result is no longer there: your history was cleared, or the game is no longer kept."))
	case err != nil:
		return bot.Reply{}, err
	}
	return bot.Reply{Lines: append([]bot.Line{bot.Text(r.Player, ", "+face.ModeName(m.Mode)+":")}, f.ShareLines(m)...)}, nil
}
