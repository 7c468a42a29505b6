package history

import (
	"context"
	"fmt"
	"slices"
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
	if guild != "" {
		shift := h.today(f) - h.Games.Today() // between our numbers and the newspaper's
		return h.Statistics.Days(ctx, f.Kind, guild, player, in.from+shift, in.to+shift)
	}
	var slots []game.Slot
	for n := in.from; n <= in.to; n++ {
		slots = append(slots, game.PuzzleSlot(f.Kind, player, game.DailyPuzzle(n)))
	}
	loaded, err := h.Games.Store.LoadSlots(ctx, slots, false)
	days := make([][]statistics.DailyResult, len(loaded))
	for i, l := range loaded {
		if m := l.Match.AsOf(h.Games.Clock()); l.Err == nil && m.Status() != game.Playing {
			days[i] = []statistics.DailyResult{{Player: player, Won: m.Status() == game.Won, Guesses: m.Used(), Hints: len(m.Hints)}}
		}
	}
	return days, err
}

// year shows a player's dailies of a year in one picture.
func (h *Handlers) year(ctx context.Context, f face.Face, player game.PlayerID, in period, r bot.Request) (bot.Reply, error) {
	guild := r.Location.Guild
	if guild == "" && league.Is(f.Kind) {
		return bot.Reply{}, bot.Decline(bot.Text("I can draw that year only in a server where your results count."))
	}
	days, err := h.days(ctx, f, guild, player, in)
	if err != nil {
		return bot.Reply{}, err
	}
	everywhere, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind}, player)
	if err != nil {
		return bot.Reply{}, err
	}
	names, where := named(everywhere, r)
	drawn := picture.Year{Name: names[player], Title: f.Name() + " " + in.name, First: game.DailyDate(in.from)}
	var months [12]statistics.Counts
	for i, day := range days {
		var result picture.DayResult
		for _, d := range day {
			result = picture.DayResult{Guesses: d.Guesses, Hints: d.Hints, Lost: !d.Won}
		}
		drawn.Days = append(drawn.Days, result)
		month := game.DailyDate(in.from+i).Month() - 1
		months[month] = months[month].Plus(statistics.CountsOf(day...))
	}
	all := statistics.CountsOf(slices.Concat(days...)...)
	if all.Played == 0 {
		return bot.Reply{}, bot.Decline(bot.Text(player, " hasn't finished a daily"+where+in.within()+".").Named(names))
	}
	drawn.Won = all.Distribution
	drawn.Figures = []picture.Figure{
		{Value: strconv.Itoa(all.Won), Name: "solved"},
		{Value: fmt.Sprintf("%.2f", all.Average()), Name: "average"},
		{Value: strconv.Itoa(statistics.LongestStreaks(days)[player]), Name: "best streak"},
	}
	best, found := 0, false
	for i, month := range months {
		if month.Played >= statistics.RankedFrom && (!found || month.Average() < months[best].Average()) {
			best, found = i, true
		}
	}
	if found {
		drawn.Figures = append(drawn.Figures, picture.Figure{Value: time.Month(best + 1).String()[:3], Name: "best month"})
	}
	reply := bot.Reply{InPlace: true, Names: names, Heading: bot.Text(player), Subtext: bot.Text(f.Name() + ": dailies" + where + in.within())}
	return h.underCard(reply.Add(drawing("year.png", drawn.Alt(), drawn.Draw)), f, player, in, r), nil
}
