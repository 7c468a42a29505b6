package daily

import (
	"context"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
)

// calendarDays is the number of days on a card, in weeks of seven. The last week ends today.
const (
	week         = 7
	calendarDays = picture.CalendarDays
)

func span(from, to int) string {
	return game.DailyDate(from).Format("2 Jan") + " – " + game.DailyDate(to).Format("2 Jan")
}

// calendar adds the player's last weeks to a card, with a button for each.
func (h *Handlers) calendar(reply bot.Reply, all [][]played) bot.Reply {
	days := all[0]
	today := days[len(days)-1].number
	cal := picture.Calendar{Today: game.DailyDate(today), Days: make([][]picture.DayResult, len(days))}
	for _, kind := range all {
		cal.Kinds = append(cal.Kinds, kind[0].face.Name())
		for i, p := range kind {
			cal.Days[i] = append(cal.Days[i], p.result())
		}
	}
	var row []bot.Button
	var instead []bot.Line
	ever := false
	for end := today - (len(days)-1)/week*week; end <= today; end += week {
		from, to := max(days[0].number, end-week+1)-days[0].number, end-days[0].number+1
		var parts []string
		over := false
		for i, kind := range all {
			part := cal.Kinds[i]
			for _, p := range kind[from:to] {
				part += " " + p.short()
				over = over || p.over()
			}
			parts = append(parts, part)
		}
		if ever = ever || over; over {
			instead = append(instead, bot.Text(span(days[from].number, end)+": "+strings.Join(parts, ", ")+"."))
		}
		if from < to-1 || end < today {
			row = append(row, button(span(days[from].number, end), showWeek, face.Face{}, end))
		}
	}
	if ever {
		instead = append(instead, bot.Text("The numbers of guesses, day by day. *: with hints, X: lost, –: not played."))
	}
	reply = reply.Add(&bot.Picture{Name: "calendar.png", Alt: cal.Alt(), Instead: instead, Draw: func(_ context.Context, c bot.Colours) ([]byte, error) {
		return cal.Draw(c == bot.ContrastColours), nil
	}})
	if today > 1 {
		reply = reply.Row(row...)
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

// short is the player's result in a few characters.
func (p played) short() string {
	r := p.result()
	if r == (picture.DayResult{}) {
		return "–"
	}
	return face.Brief(!r.Lost, r.Guesses, r.Hints, "")
}

func (h *Handlers) week(ctx context.Context, r bot.Request, to, today int) (bot.Reply, error) {
	from := max(1, to-week+1)
	all, _, err := h.load(ctx, r, from, to)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold("Daily puzzles"), ", "+span(from, to)))
	var row []bot.Button
	for i := range to - from + 1 {
		var parts []string
		for _, kind := range all {
			parts = append(parts, kind[i].face.Name()+" "+kind[i].words())
		}
		reply = reply.Say(bot.Text(fmt.Sprintf("%s, %d: %s.", date(from+i), from+i, strings.Join(parts, ", "))))
		if from+i < today {
			row = append(row, button(game.DailyDate(from+i).Format("Mon 2 Jan"), showDay, face.Face{}, from+i))
		}
	}
	return backToToday(reply, row), nil
}
