package history

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
)

// days returns the results of a puzzle in a year or a season, day by day: those that count in a server, of a player or, if player
// is empty, of all; outside of any server, all of the player's.
func (h *Handlers) days(ctx context.Context, f face.Face, guild game.GuildID, player game.PlayerID, in period) ([][]statistics.DailyResult, error) {
	if guild != "" || league.Is(f.Kind) {
		shift := h.today(f) - h.Games.Today() // between our numbers and the newspaper's
		return h.Statistics.Days(ctx, f.Kind, guild, player, in.from+shift, in.to+shift)
	}
	if league.Is(f.Kind) {
		return nil, bot.Decline(bot.Text("I know those days only in a server where the results count."))
	}
	var slots []game.Slot
	for n := in.from; n <= in.to; n++ {
		slots = append(slots, game.PuzzleSlot(f.Kind, player, game.DailyPuzzle(n)))
	}
	loaded, err := h.Games.Store.LoadSlots(ctx, slots, false)
	days := make([][]statistics.DailyResult, len(loaded))
	for i, l := range loaded {
		if m := l.Match.AsOf(h.Games.Clock()); l.Err == nil && m.Status() != game.Playing {
			days[i] = []statistics.DailyResult{{Player: player, Won: m.Status() == game.Won, Guesses: m.Used(), Limit: m.Limit(), Hints: len(m.Hints)}}
		}
	}
	return days, err
}

// drawYear returns a picture of a player's year, from the results of its days.
func drawYear(f face.Face, player game.PlayerID, name string, in period, days [][]statistics.DailyResult) picture.Year {
	drawn := picture.Year{Name: name, Title: f.Name() + " " + in.name, First: game.DailyDate(in.from)}
	var months [1 + time.December]statistics.Counts
	for i, day := range days {
		result := picture.DayResult{}
		for _, d := range day {
			result = picture.DayResult{Guesses: d.Guesses, Hints: d.Hints, Lost: !d.Won}
		}
		drawn.Days = append(drawn.Days, result)
		month := game.DailyDate(in.from + i).Month()
		months[month] = months[month].Plus(statistics.CountsOf(day...))
		months[0] = months[0].Plus(statistics.CountsOf(day...)) // all of the year
	}
	drawn.Won = bars(f, months[0])
	drawn.Figures = []picture.Figure{
		{Value: strconv.Itoa(months[0].Won), Name: "solved"},
		{Value: fmt.Sprintf("%.2f", months[0].Average()), Name: "average"},
		{Value: strconv.Itoa(statistics.LongestStreaks(days)[player]), Name: "best streak"},
	}
	best := time.Month(0)
	for month := time.January; month <= time.December; month++ {
		if months[month].Played >= statistics.RankedFrom && (best == 0 || months[month].Average() < months[best].Average()) {
			best = month
		}
	}
	if best > 0 {
		drawn.Figures = append(drawn.Figures, picture.Figure{Value: best.String()[:3], Name: "best month"})
	}
	return drawn
}
