package statistics

import (
	"cmp"
	"slices"
	"strings"

	"fivefold/game"
)

// Strokes is the score of a season of so many dailies of limit guesses each, as in golf: the guesses of those solved, half a guess more
// than the limit for each that was lost, a whole one more for each that was missed, and 1 for each hint.
func (c Counts) Strokes(dailies, limit int) float64 {
	return float64(c.Score()) - float64(c.Played-c.Won)/2 + float64((limit+1)*(dailies-c.Played))
}

// SeasonTable returns rows of the table of a season from its days, as of [Store.Days]: fewest strokes first. It also returns the
// row of player, if player has one. All of its players have a rank. Each daily has limit guesses.
func SeasonTable(days [][]DailyResult, limit int, player game.PlayerID, rows Rows) (b Leaderboard) {
	players := map[game.PlayerID]Totals{}
	for _, d := range slices.Concat(days...) {
		players[d.Player] = Totals{Player: d.Player, Name: d.Name, Daily: players[d.Player].Daily.Plus(CountsOf(d))}
	}
	for _, t := range players {
		b.Rows = append(b.Rows, Row{Totals: t})
	}
	strokes := func(r Row) float64 { return r.Daily.Strokes(len(days), limit) }
	slices.SortFunc(b.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(strokes(x), strokes(y)), strings.Compare(string(x.Player), string(y.Player)))
	})
	for i, r := range b.Rows {
		if b.Rows[i].Rank = i + 1; i > 0 && strokes(b.Rows[i-1]) == strokes(r) {
			b.Rows[i].Rank = b.Rows[i-1].Rank
		}
		if r.Player == player {
			b.Own = b.Rows[i]
		}
	}
	b.Players = len(players)
	b.Rows = b.Rows[min(rows.Skip, b.Players):]
	b.More = rows.Limit < len(b.Rows)
	b.Rows = b.Rows[:min(rows.Limit, len(b.Rows))]
	return b
}

// CountsOf counts results.
func CountsOf(results ...DailyResult) (c Counts) {
	for _, d := range results {
		outcome := map[bool]game.Status{true: game.Won, false: game.Lost}[d.Won]
		c = c.add(game.Result{Attempts: d.Guesses, Limit: d.Limit}, game.Participant{Hints: d.Hints, Outcome: outcome})
	}
	return c
}

// LongestStreaks returns the longest streak of days that each player solved, of those who solved any.
func LongestStreaks(days [][]DailyResult) map[game.PlayerID]int {
	longest, before := map[game.PlayerID]int{}, map[game.PlayerID]int{}
	for _, day := range days {
		now := map[game.PlayerID]int{}
		for _, d := range day {
			if d.Won {
				now[d.Player] = before[d.Player] + 1
				longest[d.Player] = max(longest[d.Player], now[d.Player])
			}
		}
		before = now
	}
	return longest
}
