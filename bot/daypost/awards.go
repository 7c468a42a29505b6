package daypost

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
)

const (
	mostShown    = 3           // players named who share an award
	mostJudged   = 20          // dailies looked at for each award
	mostTogether = 50          // games of several players looked at
	mostSearched = 500         // latest games searched for those
	awardTime    = time.Second // how long the games of a kind may be looked at
)

// award says in a line who has the highest score of all that are at least least. Of did, that is a format, the score is a part.
func award(scores map[game.PlayerID]float64, least float64, emoji, did string) []bot.Line {
	best, players := slices.Max(append(slices.Collect(maps.Values(scores)), 0)), []game.PlayerID(nil)
	for player, score := range scores {
		if score == best {
			players = append(players, player)
		}
	}
	if best < least {
		return nil
	}
	slices.Sort(players)
	names := bot.Each(players[:min(mostShown, len(players))], func(p game.PlayerID) any { return p })
	if more := len(players) - mostShown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return []bot.Line{bot.List(bot.Text(bot.Emoji(emoji+" ")), names, "and").With(fmt.Sprintf(did, best))}
}

// awards adds the awards of a month to a post. How lucky, close and helpful guesses were goes by how many answers were possible
// then, so it needs no review.
func (h *Handlers) awards(ctx context.Context, guild game.GuildID, month string, reply bot.Reply) (bot.Reply, error) {
	last := game.MonthCloses(month)
	last = last.AddDate(0, 0, -last.Day())
	for _, f := range h.Faces {
		average, streak := map[game.PlayerID]float64{}, map[game.PlayerID]float64{}
		luck, shave, help := map[game.PlayerID]float64{}, map[game.PlayerID]float64{}, map[game.PlayerID]float64{}
		board, err := h.Statistics.Leaderboard(ctx, statistics.Scope{Kind: f.Kind, Guild: guild, Month: month}, "", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: mostJudged})
		if err != nil {
			return reply, err
		}
		for _, row := range board.Rows {
			if row.Rank == 1 {
				average[row.Player] = row.Daily.Average()
				reply.Names = reply.Names.With(row.Player, row.Name)
			}
		}
		days, err := h.Statistics.Days(ctx, f.Kind, guild, "", game.DailyNumber(last)-last.Day()+1, game.DailyNumber(last))
		if err != nil {
			return reply, err
		}
		for player, days := range statistics.LongestStreaks(days) {
			streak[player] = float64(days)
		}
		dailies := slices.Concat(days...)
		for _, d := range dailies {
			reply.Names = reply.Names.With(d.Player, d.Name)
		}
		err = h.judge(ctx, f.Kind, guild, month, dailies, func(m game.Match, left []game.Possible) {
			for player, name := range m.Names {
				reply.Names = reply.Names.With(player, cmp.Or(reply.Names[player], name))
			}
			for _, c := range m.Credit(left) {
				if c.Player != m.Winner() && c.Player != "" {
					help[c.Player] += c.Cut
				}
			}
			if possible := math.Round(math.Exp2(left[m.Used()-1].Bits())); m.Mode == game.Daily {
				luck[m.Starter] = max(luck[m.Starter], possible)
				if m.State.AttemptsLeft() == 0 {
					shave[m.Starter] = max(shave[m.Starter], possible)
				}
			}
		})
		if err != nil {
			return reply, err
		}
		lines := slices.Concat(
			award(average, 1, "👑", " had the lowest average: %.2f."),
			award(streak, 2, "🔥", " solved %g dailies in a row."),
			award(luck, 2, "🍀", " had the luckiest guess: one "+f.Noun+" in %g."),
			award(shave, 2, "😅", " had the closest shave: the last guess, %g "+f.Noun+"s left."),
			award(help, 0.5, "🧹", " ruled out the most for others: %.1f games' worth."),
		)
		if lines != nil {
			reply = reply.Say(bot.Text(bot.Bold("Awards of " + last.Format("January") + " in " + cmp.Or(f.Title, "the word game")))).Say(lines...)
		}
	}
	return reply, nil
}

// judge calls each with won games of a month, and how many answers were possible before the first guess and after each: of the
// dailies without hints, with those that took the fewest guesses and with those that took the last one, and with the latest games
// of several players. It stops when the time for that is over.
func (h *Handlers) judge(ctx context.Context, k game.Kind, guild game.GuildID, month string, dailies []statistics.DailyResult, each func(m game.Match, left []game.Possible)) error {
	dailies = slices.DeleteFunc(dailies, func(d statistics.DailyResult) bool { return !d.Won || d.Hints > 0 })
	slices.SortStableFunc(dailies, func(a, b statistics.DailyResult) int { return cmp.Compare(a.Guesses, b.Guesses) })
	few, last := dailies[:min(mostJudged, len(dailies))], slices.DeleteFunc(slices.Clone(dailies), func(d statistics.DailyResult) bool { return d.Guesses < d.Limit })
	few = append(slices.Clip(few), last[:min(mostJudged, len(last))]...)
	games := bot.Each(few, func(d statistics.DailyResult) game.MatchID { return d.Match })
	together, err := h.Finished.Store.History(ctx, finished.Filter{Community: game.Location{Guild: guild}.Community(), Kind: k, Status: game.Won, Limit: mostSearched})
	if err != nil {
		return err
	}
	together = slices.DeleteFunc(together, func(e finished.Entry) bool {
		return e.Result.Ended.UTC().Format("2006-01") != month || len(e.Result.Known()) < 2
	})
	games = append(games, bot.Each(together[:min(mostTogether, len(together))], func(e finished.Entry) game.MatchID { return e.Result.Match })...)
	found, err := h.Finished.Store.Reviews(ctx, games...)
	inTime, cancel := context.WithTimeout(ctx, awardTime)
	defer cancel()
	for _, r := range found {
		left, err := h.Games.Remaining(inTime, r.Match)
		switch {
		case inTime.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case len(left) > r.Match.Used():
			each(r.Match, left)
		}
	}
	return err
}
