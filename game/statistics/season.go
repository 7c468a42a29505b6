package statistics

import (
	"cmp"
	"slices"
	"strings"

	"fivefold/game"
)

// What counts as how many strokes in a season, beside the guesses of a solved puzzle and 1 for each hint.
const (
	lostStrokes   = 6.5
	missedStrokes = 7
)

// SeasonTable returns rows of the table of a season from its days, as of [Store.Days]: as in golf, fewest strokes first. It also
// returns the row of player, unless player has none. All of its players have a rank.
func SeasonTable(days [][]DailyResult, player game.PlayerID, rows Rows) Leaderboard {
	players := map[game.PlayerID]*Row{}
	for _, day := range days {
		for _, d := range day {
			row := players[d.Player]
			if row == nil {
				row = &Row{Totals: Totals{Player: d.Player}, Strokes: missedStrokes * float64(len(days))}
				players[d.Player] = row
			}
			row.Name, row.Daily = cmp.Or(d.Name, row.Name), row.Daily.addDaily(d)
			row.Strokes += d.strokes() - missedStrokes
		}
	}
	b := Leaderboard{Players: len(players)}
	for _, row := range players {
		b.Rows = append(b.Rows, *row)
	}
	slices.SortFunc(b.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Strokes, b.Strokes), strings.Compare(string(a.Player), string(b.Player)))
	})
	for i := range b.Rows {
		if b.Rows[i].Rank = i + 1; i > 0 && b.Rows[i-1].Strokes == b.Rows[i].Strokes {
			b.Rows[i].Rank = b.Rows[i-1].Rank
		}
		if b.Rows[i].Player == player {
			b.Own = b.Rows[i]
		}
	}
	first, last := min(rows.Skip, b.Players), min(rows.Skip+rows.Limit, b.Players)
	b.Rows, b.More = b.Rows[first:last], last < b.Players
	return b
}

func (d DailyResult) strokes() float64 {
	if !d.Won {
		return lostStrokes + float64(d.Hints)
	}
	return float64(d.Score())
}

// CountsOf counts results.
func CountsOf(results ...DailyResult) (c Counts) {
	for _, d := range results {
		c = c.addDaily(d)
	}
	return c
}

func (c Counts) addDaily(d DailyResult) Counts {
	outcome := map[bool]game.Status{true: game.Won, false: game.Lost}[d.Won]
	return c.add(game.Result{Attempts: d.Guesses}, game.Participant{Hints: d.Hints, Outcome: outcome})
}

// LongestStreaks returns the longest streak of days that each player solved, of those who solved any.
func LongestStreaks(days [][]DailyResult) map[game.PlayerID]int {
	longest, now := map[game.PlayerID]int{}, map[game.PlayerID]int{}
	for _, day := range days {
		before := now
		now = map[game.PlayerID]int{}
		for _, d := range day {
			if d.Won {
				now[d.Player] = before[d.Player] + 1
				longest[d.Player] = max(longest[d.Player], now[d.Player])
			}
		}
	}
	return longest
}
