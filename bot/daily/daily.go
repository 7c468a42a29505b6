// Package daily answers /daily: a player's state in the day's puzzles and the server's results, with buttons to play and to share
// them, and past puzzles for practice.
package daily

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
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
	showPractice = "practice" // the puzzle, to play it for practice, even again
)

// Command returns the command.
func (h *Handlers) Command() bot.Command {
	kinds := bot.Each(h.Faces, func(f face.Face) string { return string(f.Kind) })
	return bot.Command{
		Name: bot.NameDaily,
		Help: "Today's puzzles, your streak, and past ones for practice",
		Options: []bot.Option{
			{Name: argNumber, Help: "A past puzzle's number, to practise it"},
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
	case errors.Is(p.Err, game.ErrDeleted):
		return "played, then deleted"
	case errors.Is(p.Err, game.ErrUnreadable):
		return "its data is damaged"
	case p.Err != nil:
		return "not played"
	case m.Status() == game.Playing:
		return "playing, " + bot.Plural(m.State.AttemptsLeft(), "guess") + " left"
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

// mostExtra is how many open games besides today's a card shows: a message has room for so many.
const mostExtra = 5

// card shows today's puzzles, the last weeks, and past puzzles to choose from.
func (h *Handlers) card(ctx context.Context, r bot.Request, today int) (bot.Reply, error) {
	all, practised, err := h.load(ctx, r, max(1, today-picture.CalendarDays+1), today)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Reply{
		Audience: bot.Asker, InPlace: true, Heading: bot.Text(fmt.Sprintf("Daily %d", today)),
		Subtext: bot.Text(date(today)+" · next ", bot.When(game.DailyDate(today+1), "at midnight UTC")),
	}
	var known [][]played // of the first kind, and of those that the player has begun lately
	var others []bot.Button
	extra := 0
	for i, days := range all {
		now, open := days[len(days)-1], []played{practised[i]}
		start := bot.Button{Label: "Play", Style: bot.ButtonPrimary, Command: now.face.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)}}
		if i > 0 && !slices.ContainsFunc(append(days, open...), func(p played) bool { return !errors.Is(p.Err, game.ErrNoMatch) }) {
			start.Label, start.Style = now.face.Name(), bot.ButtonSecondary
			others = append(others, start)
			continue
		}
		known = append(known, days)
		lines, err := h.standing(ctx, r, now)
		switch {
		case err != nil:
			return bot.Reply{}, err
		case now.over() && !r.Alone() && !now.Match.SharedIn(r.Location):
			reply = reply.Add(bot.Beside{Text: lines, Button: button("Share", showShare, now.face, today)})
		case now.playing():
			reply = reply.Add(now.goOn(lines))
		case now.Err != nil && !errors.Is(now.Err, game.ErrDeleted):
			reply = reply.Add(bot.Beside{Text: lines, Button: start})
			open = append([]played{days[max(0, len(days)-2)]}, open...)
		default:
			reply = reply.Say(lines...)
		}
		for _, p := range open {
			if how := ", for practice: "; p.playing() {
				if extra++; extra > mostExtra {
					continue
				}
				if p.Match.Mode == game.Daily {
					how = ", open until you begin today's: "
				}
				reply = reply.Add(p.goOn([]bot.Line{bot.Text(fmt.Sprintf("%s %d", p.face.Name(), p.number) + how + p.words() + ".")}))
			}
		}
	}
	if extra > mostExtra {
		reply = reply.Say(bot.Small("Open too: " + bot.Plural(extra-mostExtra, "more game") + "."))
	}
	return calendar(more(reply, others), known), nil
}

// calendar adds the player's last weeks to a card, unless nothing was played, and past puzzles to choose from.
func calendar(reply bot.Reply, all [][]played) bot.Reply {
	days := all[0]
	today := days[len(days)-1].number
	cal := picture.Calendar{Today: game.DailyDate(today), Days: make([][]picture.DayResult, len(days))}
	past := bot.Menu{Label: "A past puzzle …", Command: bot.NameDaily, Args: map[string]string{argShow: showDay}, Option: argNumber}
	for _, kind := range all {
		cal.Kinds = append(cal.Kinds, kind[0].face.Name())
		for i, p := range kind {
			cal.Days[i] = append(cal.Days[i], p.result())
		}
	}
	if slices.ContainsFunc(cal.Days, func(day []picture.DayResult) bool {
		return slices.ContainsFunc(day, func(r picture.DayResult) bool { return r != picture.DayResult{} })
	}) {
		reply = reply.Add(&bot.Picture{Name: "calendar.png", Alt: cal.Alt(), Instead: []bot.Line{bot.Text(cal.Alt())}, Draw: cal.Draw})
	}
	for i := len(days) - 2; i >= 0 && len(past.Choices) < bot.MaxChoices; i-- {
		n := days[i].number
		var how []string
		for _, kind := range all {
			if p := kind[i]; p.Err == nil {
				how = append(how, p.face.Name()+" "+p.words())
			}
		}
		past.Choices = append(past.Choices, bot.MenuChoice{
			Label: fmt.Sprintf("%d · %s", n, date(n)), Value: strconv.Itoa(n), Help: strings.Join(how, " · "),
		})
	}
	if past.Choices != nil {
		reply = reply.Add(&past)
	}
	return reply
}

// result is the player's result, for the calendar.
func (p played) result() (r picture.DayResult) {
	if p.over() {
		r = picture.DayResult{Guesses: p.Match.Used(), Hints: len(p.Match.Hints), Lost: p.Match.Status() != game.Won}
	}
	return r
}

// goOn is an open puzzle with a button to go on with it.
func (p played) goOn(lines []bot.Line) bot.Beside {
	return bot.Beside{Text: lines, Button: bot.Button{Label: "Go on", Style: bot.ButtonPrimary, Command: p.face.Commands.Board, Args: face.MatchArgs(p.Match)}}
}

// standing describes a player's state in today's puzzle and, after its end, the server's results.
func (h *Handlers) standing(ctx context.Context, r bot.Request, p played) ([]bot.Line, error) {
	totals, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: p.face.Kind}, r.Player)
	if err != nil {
		return nil, err
	}
	said := face.Streak(totals.DayStreak(p.number))
	guild, counts := r.Location.Guild, true
	if p.over() && guild != "" {
		here, err := h.Statistics.Daily(ctx, p.face.Kind, guild, p.number, statistics.MaxDailyResults)
		if err != nil {
			return nil, err
		}
		own := slices.IndexFunc(here.Listed, func(d statistics.DailyResult) bool { return d.Player == r.Player })
		counts = own >= 0 || here.Players > len(here.Listed)
		if here.Players > 1 && here.Players == len(here.Listed) {
			said = bot.Join(said, bot.Text(fmt.Sprintf("%d of %d here solved it", statistics.CountsOf(here.Listed...).Won, here.Players)))
		}
		n, err := h.playing(ctx, p, guild)
		if err != nil {
			return nil, err
		}
		if place := better(here.Listed, own); own >= 0 && here.Listed[own].Won && here.Players+n > 1 && place < len(places) {
			said = bot.Join(said, bot.Text("you're "+places[place]))
		}
		if n > 0 {
			said = bot.Join(said, bot.Text(fmt.Sprintf("%d still playing", n)))
		}
	}
	lines := []bot.Line{bot.Text(bot.Bold(p.face.Name()), " · "+p.words())}
	if said.Text != nil {
		lines = append(lines, bot.Small(said))
	}
	if counts || r.Context.AskerOnly {
		return lines, nil
	}
	hint := "Your result counts here once you share it."
	if guild != p.Match.Location.Guild {
		month, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: p.face.Kind, Guild: guild, Month: game.DailyMonth(p.number)}, r.Player)
		if err != nil {
			return nil, err
		}
		if month.Daily.Played == 0 {
			hint = "Share it, and all your " + game.DailyDate(p.number).Format("January") + " dailies count here."
		}
	}
	return append(lines, bot.Small(hint)), nil
}

// playing returns how many of those who played the puzzle before in a server are playing this one.
func (h *Handlers) playing(ctx context.Context, p played, guild game.GuildID) (n int, err error) {
	before, err := h.Statistics.Daily(ctx, p.face.Kind, guild, p.number-1, picture.MostBoards)
	if err != nil {
		return 0, err
	}
	loaded, err := h.Games.Store.LoadSlots(ctx, bot.Each(before.Listed, func(d statistics.DailyResult) game.Slot {
		return game.PuzzleSlot(p.face.Kind, d.Player, game.DailyPuzzle(p.number))
	}), false)
	for _, l := range loaded {
		if (played{Loaded: l}).playing() {
			n++
		}
	}
	return n, err
}

var places = [...]string{"first", "second", "third"}

// better counts the results that are better than one of them.
func better(all []statistics.DailyResult, than int) (n int) {
	for than >= 0 && all[n].Score() < all[than].Score() { // best first
		n++
	}
	return n
}

// share shows a player's result to everyone in the channel, without letters, and makes it count there.
func (h *Handlers) share(ctx context.Context, r bot.Request, f face.Face, number int) (bot.Reply, error) {
	if r.Context.AskerOnly {
		return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody would see your result").With("."))
	}
	m, err := h.Finished.ShareDaily(ctx, r.Origin(), f.Kind, number)
	switch {
	case errors.Is(err, game.ErrShared):
		line := bot.Text("You've shared it here already")
		if m.Shared != "" && m.Location.Community() == r.Location.Community() {
			line = bot.Text("You've shared it already, in ", m.Shared)
		}
		return bot.Reply{}, bot.Refuse(err, line.With("."))
	case err != nil:
		gone := bot.Text("Your result is gone: you've deleted your data, or the game is too old.")
		return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
			game.ErrNotFinished: bot.Text("You're still playing it. Finish it first: ", bot.Slash(f.Commands.Board, "mode", face.ModeName(game.Daily)), "."),
			game.ErrNoMatch:     gone, game.ErrDeleted: gone, game.ErrNotInHistory: gone, game.ErrUnreadable: gone,
		})
	}
	return f.Shared(m, r.Player), nil
}

func date(number int) string { return game.DailyDate(number).Format("Monday 2 January") }

// day shows a player's result in a past puzzle, with buttons to play it for practice. With atOnce, an unplayed puzzle begins at
// once.
func (h *Handlers) day(ctx context.Context, r bot.Request, number int, faces face.Faces, atOnce bool) (bot.Reply, error) {
	all, practised, err := h.load(ctx, r, number, number)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Reply{Audience: bot.Asker, InPlace: true, Heading: bot.Text(fmt.Sprintf("Daily %d", number)), Subtext: bot.Text(date(number))}
	row, others := []bot.Button{{Label: "Today", Command: bot.NameDaily}}, []bot.Button(nil)
	for i, kind := range all {
		p, f := kind[0], kind[0].face
		if !slices.ContainsFunc(faces, func(of face.Face) bool { return of.Kind == f.Kind }) {
			continue
		}
		if atOnce && !p.over() {
			return h.Play.Practise(ctx, f, r, number)
		}
		if i > 0 && len(faces) > 1 && errors.Is(p.Err, game.ErrNoMatch) && practised[i].number != number {
			others = append(others, button(f.Name(), showPractice, f, number))
			continue
		}
		lines := []bot.Line{bot.Text(bot.Bold(f.Name()), " · "+p.words())}
		if practice := practised[i]; practice.number == number {
			lines = append(lines, bot.Small("For practice: "+practice.words()))
		}
		play := "Play"
		if p.over() {
			play = "Play again"
		}
		reply = reply.Add(bot.Beside{Text: lines, Button: button(play, showPractice, f, number)})
		if p.over() {
			reply = reply.Say(f.Summary(p.Match.State)...)
			if p.Match.Location.Community() == r.Location.Community() && p.Match.Used() > 0 && len(p.Match.Named()) > 0 {
				review := face.ReviewButton(p.Match.ID)
				review.Label = "Review " + cmp.Or(f.Title, "the word game")
				row = append(row, review)
			}
		}
	}
	return more(reply, others).Add(bot.Rows(row...)...), nil
}

// more adds buttons for kinds that a player has not begun.
func more(reply bot.Reply, others []bot.Button) bot.Reply {
	if others == nil {
		return reply
	}
	return reply.Say(bot.Text("More to play:")).Add(bot.Rows(others...)...)
}
