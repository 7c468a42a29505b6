package daily

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/picture"
	"fivefold/game"
)

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
		reply = reply.Add(&bot.Picture{Name: "calendar.png", Alt: cal.Alt(), Instead: []bot.Line{bot.Text(cal.Alt())},
			Draw: func(_ context.Context, c bot.Colours) ([]byte, error) { return cal.Draw(c == bot.ContrastColours), nil }})
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
