// Package daily answers /daily: a player's state in the day's puzzles and the server's results, with buttons to play and to share
// them, and past puzzles for practice.
package daily

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/play"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// Handlers carries the command's dependencies. Set the fields before the first call.
type Handlers struct {
	Games      *matches.Manager
	Finished   *finished.Matches
	Statistics statistics.Store
	Faces      face.Faces
	Play       *play.Handlers // starts and shows past puzzles, for practice
}

const (
	argShow   = "show" // in a button: what to show of a puzzle, see below
	argNumber = "number"
	argGame   = "game"
)

// Values of argShow.
const (
	showShare    = "share"    // the result, for everyone
	showDay      = "day"      // how the player did in it, in every kind
	showWeek     = "week"     // the seven days up to its day
	showPractice = "practice" // the puzzle, to play it for practice, even again
)

// Command returns the command.
func (h *Handlers) Command() bot.Command {
	kinds := bot.Each(h.Faces, func(f face.Face) string { return string(f.Kind) })
	return bot.Command{
		Name: bot.NameDaily,
		Help: "Today's puzzles: play and share them, see your streak; or play a past one for practice",
		Options: []bot.Option{
			{Name: argNumber, Help: "The number of a past puzzle, to play it for practice"},
			{Name: argGame, Help: "Which game's past puzzle", Choices: kinds},
		},
		HiddenArgs:  []string{argShow},
		Audience:    bot.Undecided, // a shared result is for everyone
		NotSaved:    "nothing was shared or started",
		ShowCommand: bot.NameDaily,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			today := h.Games.Today()
			if today < 1 {
				return bot.Reply{}, bot.Decline(play.NoDaily)
			}
			if r.Args[argNumber] == "" {
				return h.card(ctx, r, today)
			}
			number, _ := bot.Number(r.Args[argNumber], math.MinInt, math.MaxInt) // if it isn't a number: 0, which no puzzle has
			f := h.Faces.Of(game.Kind(r.Args[argGame]))
			switch show := r.Args[argShow]; {
			case show == showShare:
				return h.share(ctx, r, f, number)
			case show == showWeek:
				return h.week(ctx, r, max(1, min(number, today)), today)
			case show == showPractice || number < 1 || number >= today:
				return h.Play.Practise(ctx, f, r, number)
			case show == showDay:
				return h.day(ctx, r, number, h.Faces, false)
			}
			return h.day(ctx, r, number, face.Faces{f}, true)
		},
	}
}

func button(label, show string, f face.Face, number int) bot.Button {
	args := map[string]string{argShow: show, argNumber: strconv.Itoa(number)}
	if f.Kind != "" {
		args[argGame] = string(f.Kind)
	}
	return bot.Button{Label: label, Command: bot.NameDaily, Args: args}
}

// played is a player's state in one puzzle of a kind.
type played struct {
	face   face.Face
	number int
	matches.Loaded
}

// load returns a player's state in a range of puzzles, by kind, and in the past puzzles that the player practises.
func (h *Handlers) load(ctx context.Context, r bot.Request, from, to int) (days [][]played, practised []played, err error) {
	var slots []game.Slot
	for _, f := range h.Faces {
		slots = append(slots, game.OwnSlot(f.Kind, game.Practice, r.Player, r.Location))
		for n := from; n <= to; n++ {
			slots = append(slots, game.PuzzleSlot(f.Kind, r.Player, game.DailyPuzzle(n)))
		}
	}
	loaded, err := h.Games.Store.LoadSlots(ctx, slots, false)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range h.Faces {
		own := loaded[:to-from+2]
		loaded = loaded[len(own):]
		number, _ := own[0].Match.Puzzle.Daily()
		practised = append(practised, played{f, number, own[0]})
		var all []played
		for i, l := range own[1:] {
			l.Match = l.Match.AsOf(h.Games.Clock())
			all = append(all, played{f, from + i, l})
		}
		days = append(days, all)
	}
	return days, practised, nil
}

func (p played) playing() bool { return p.Err == nil && p.Match.Status() == game.Playing }
func (p played) over() bool    { return p.Err == nil && p.Match.Status() != game.Playing }

func (p played) words() string {
	switch m := p.Match; {
	case errors.Is(p.Err, game.ErrCleared):
		return "played; you have cleared your history since"
	case errors.Is(p.Err, game.ErrUnreadable):
		return "its data is damaged"
	case p.Err != nil:
		return "not played"
	case m.Status() == game.Playing:
		return fmt.Sprintf("playing, %d of %d used", m.Used(), m.Used()+m.State.AttemptsLeft())
	case m.Status() == game.Stopped && m.Mode == game.Practice:
		return "stopped"
	}
	how := "lost"
	if p.Match.Status() == game.Won {
		how = fmt.Sprintf("solved in %d", p.Match.Used())
	}
	if hints := len(p.Match.Hints); hints > 0 {
		how += " with " + bot.Plural(hints, "hint")
	}
	return how
}

func (h *Handlers) card(ctx context.Context, r bot.Request, today int) (bot.Reply, error) {
	all, practised, err := h.load(ctx, r, max(1, today-calendarDays+1), today)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold(fmt.Sprintf("Daily puzzle %d", today)), ", "+date(today)+". The next one comes ",
		bot.When(game.DailyDate(today+1), "at midnight UTC"), "."))
	var row []bot.Button
	for i, days := range all {
		now, before := days[len(days)-1], days[max(0, len(days)-2)]
		f := now.face
		lines, err := h.standing(ctx, r, now)
		if err != nil {
			return bot.Reply{}, err
		}
		reply = reply.Say(lines...)
		open := []played{now}
		switch {
		case now.over() && !r.Alone() && !now.Match.SharedIn(r.Location):
			row = append(row, button(f.Name()+": share", showShare, f, today))
			if guild := r.Location.Guild; guild != "" && guild != now.Match.Location.Guild {
				here, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind, Guild: guild, Month: game.DailyMonth(today)}, r.Player)
				if err != nil {
					return bot.Reply{}, err
				}
				if here.Daily.Played == 0 {
					reply = reply.Say(bot.Text("Sharing counts all your " + game.DailyDate(today).Format("January") + " dailies here."))
				}
			}
		case now.Err != nil && !errors.Is(now.Err, game.ErrCleared):
			row = append(row, bot.Button{
				Label: f.Name() + ": play", Style: bot.ButtonPrimary, Command: f.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)},
			})
			open = append(open, before)
		}
		for _, p := range append(open, practised[i]) {
			if !p.playing() {
				continue
			}
			label := f.Name() + ": go on"
			if p.number != today {
				label += fmt.Sprintf(" with %d", p.number)
				how := ", for practice: "
				if p.Match.Mode == game.Daily {
					how = ", still open until you begin today's: "
				}
				reply = reply.Say(bot.Text(fmt.Sprintf("Puzzle %d", p.number) + how + p.words() + "."))
			}
			row = append(row, bot.Button{Label: label, Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: face.MatchArgs(p.Match)})
		}
	}
	reply = h.calendar(reply.Add(bot.Rows(row...)...), all)
	reply.InPlace = true
	return reply, nil
}

// standing describes a player's state in today's puzzle and, after its end, the server's results.
func (h *Handlers) standing(ctx context.Context, r bot.Request, p played) ([]bot.Line, error) {
	totals, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: p.face.Kind}, r.Player)
	if err != nil {
		return nil, err
	}
	line := bot.Text(bot.Bold(p.face.Name()), ": "+p.words()+".")
	if totals.Days.Best > 0 {
		line = line.With(fmt.Sprintf(" Streak %d, best %d.", totals.DayStreak(p.number), totals.Days.Best))
	}
	lines := []bot.Line{line}
	if !p.over() || r.Location.Guild == "" {
		return lines, nil
	}
	here, err := h.Statistics.Daily(ctx, p.face.Kind, r.Location.Guild, p.number, statistics.MaxDailyResults)
	if err != nil {
		return nil, err
	}
	if here.Players > len(here.Listed) { // more results than were read
		return lines, nil
	}
	if here.Players > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("%d of %d here solved it.", here.Solved, here.Players)))
	}
	counts := slices.ContainsFunc(here.Listed, func(d statistics.DailyResult) bool { return d.Player == r.Player })
	if !counts && !r.Context.AskerOnly {
		lines = append(lines, bot.Text("Your result counts here once you share it."))
	}
	return lines, nil
}

// share shows a player's result to everyone in the channel, without letters, and makes it count there.
func (h *Handlers) share(ctx context.Context, r bot.Request, f face.Face, number int) (bot.Reply, error) {
	if r.Context.AskerOnly {
		return bot.Reply{}, bot.Decline(bot.OnlyYouSee("I cannot show that to anyone else").With("."))
	}
	m, err := h.Finished.ShareDaily(ctx, r.Origin(), f.Kind, number)
	switch {
	case errors.Is(err, game.ErrShared):
		line := bot.Text("You have shared it here already")
		if m.Shared != "" && m.Location.Community() == r.Location.Community() {
			line = bot.Text("You have shared it already, in ", m.Shared)
		}
		return bot.Reply{}, bot.Refuse(err, line.With("."))
	case err != nil:
		gone := bot.Text("Your result is no longer there: your history was cleared, or the game is no longer kept.")
		return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
			game.ErrNotFinished: bot.Text("You are still playing it. Finish it first: ", bot.Slash(f.Commands.Board, "mode", face.ModeName(game.Daily)), "."),
			game.ErrNoMatch:     gone, game.ErrCleared: gone, game.ErrNotInHistory: gone, game.ErrUnreadable: gone,
		})
	}
	return bot.Reply{Blocks: bot.Lines(f.ShareLines(m)...)}.Under(bot.Text(r.Player, ", "+face.ModeName(m.Mode)+":")), nil
}

func date(number int) string { return game.DailyDate(number).Format("Mon 2 January 2006") }

func backToToday(reply bot.Reply, row []bot.Button) bot.Reply {
	reply.InPlace = true
	return reply.Add(bot.Rows(row...)...).Row(bot.Button{Label: "Today", Command: bot.NameDaily})
}

// day shows a player's result in a past puzzle, with buttons to play it for practice. With atOnce, an unplayed puzzle begins at
// once.
func (h *Handlers) day(ctx context.Context, r bot.Request, number int, faces face.Faces, atOnce bool) (bot.Reply, error) {
	all, practised, err := h.load(ctx, r, number, number)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold(fmt.Sprintf("Daily puzzle %d", number)), ", "+date(number)))
	var row []bot.Button
	for i, kind := range all {
		p, f := kind[0], kind[0].face
		if !slices.ContainsFunc(faces, func(of face.Face) bool { return of.Kind == f.Kind }) {
			continue
		}
		if atOnce && !p.over() {
			return h.Play.Practise(ctx, f, r, number)
		}
		reply = reply.Say(bot.Text(bot.Bold(f.Name()), ": "+p.words()+"."))
		if practice := practised[i]; practice.number == number {
			reply = reply.Say(bot.Text("For practice: " + practice.words() + "."))
		}
		if p.over() {
			reply = reply.Say(f.Rows(p.Match.State)...)
			if p.Match.Location.Community() == r.Location.Community() {
				if p.Match.Used() > 0 && len(p.Match.Named()) > 0 {
					review := face.ReviewButton(p.Match.ID)
					review.Label = f.Name() + ": review"
					row = append(row, review)
				}
			}
		}
		row = append(row, button(f.Name()+": practise", showPractice, f, number))
	}
	return backToToday(reply, row), nil
}
