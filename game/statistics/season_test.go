package statistics

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fivefold/game"
)

// randomDays returns a season's days with some players' results, who also miss days.
func randomDays(random *rand.Rand, n, players, attempts int) [][]DailyResult {
	days := make([][]DailyResult, n)
	for i := range days {
		for p := range players {
			if random.IntN(4) > 0 {
				days[i] = append(days[i], DailyResult{Player: game.PlayerID(fmt.Sprint("p", p)), Won: random.IntN(5) > 0, Guesses: 1 + random.IntN(attempts), Limit: attempts, Hints: random.IntN(8) / 6})
			}
		}
	}
	return days
}

// TestSeasonTable compares tables with a plain count: with six attempts, 6.5 for a loss, 7 for a missed day, the guesses of others, and 1 for a hint.
func TestSeasonTable(t *testing.T) {
	random := rand.New(rand.NewPCG(37, 1))
	for range 200 {
		attempts := []int{6, 13}[random.IntN(2)]
		days := randomDays(random, random.IntN(19), 1+random.IntN(14), attempts)
		type plain struct {
			player  game.PlayerID
			strokes float64
			played  int
		}
		var want []plain
		for p := range 14 {
			one := plain{player: game.PlayerID(fmt.Sprint("p", p))}
			for _, day := range days {
				i := slices.IndexFunc(day, func(d DailyResult) bool { return d.Player == one.player })
				switch {
				case i < 0:
					one.strokes += float64(attempts) + 1
					continue
				case day[i].Won:
					one.strokes += float64(day[i].Guesses)
				default:
					one.strokes += float64(attempts) + 0.5
				}
				one.strokes += float64(day[i].Hints)
				one.played++
			}
			if one.played > 0 {
				want = append(want, one)
			}
		}
		slices.SortFunc(want, func(a, b plain) int {
			return cmp.Or(cmp.Compare(a.strokes, b.strokes), cmp.Compare(a.player, b.player))
		})
		skip, limit := random.IntN(15), 1+random.IntN(5)
		got := SeasonTable(days, attempts, "p1", Rows{Skip: skip, Limit: limit})
		if got.Players != len(want) || got.More != (skip+limit < len(want)) || len(got.Rows) != max(0, min(limit, len(want)-skip)) {
			t.Fatalf("%d players, more %v, %d rows; want %d players", got.Players, got.More, len(got.Rows), len(want))
		}
		check := func(row Row, want plain) {
			if row.Player != want.player || row.Daily.Strokes(len(days), attempts) != want.strokes || row.Daily.Played != want.played {
				t.Fatalf("the row is %+v, want %+v", row, want)
			}
		}
		rank := func(of plain) int {
			return 1 + len(slices.DeleteFunc(slices.Clone(want), func(other plain) bool { return other.strokes >= of.strokes }))
		}
		for i, row := range got.Rows {
			check(row, want[skip+i])
			if row.Rank != rank(want[skip+i]) {
				t.Fatalf("row %d has rank %d, want %d", skip+i, row.Rank, rank(want[skip+i]))
			}
		}
		if i := slices.IndexFunc(want, func(one plain) bool { return one.player == "p1" }); i >= 0 {
			check(got.Own, want[i])
		} else if !reflect.DeepEqual(got.Own, Row{}) {
			t.Fatalf("somebody who has not played has the row %+v", got.Own)
		}
	}
}

// TestLongestStreaks compares streaks with all stretches of days.
func TestLongestStreaks(t *testing.T) {
	random := rand.New(rand.NewPCG(37, 2))
	for range 50 {
		days := randomDays(random, 31, 3, 6)
		got := LongestStreaks(days)
		for p := range 4 {
			player, longest := game.PlayerID(fmt.Sprint("p", p)), 0
			for from := range days {
				for to := from; to < len(days) && slices.ContainsFunc(days[to], func(d DailyResult) bool { return d.Player == player && d.Won }); to++ {
					longest = max(longest, to-from+1)
				}
			}
			if got[player] != longest {
				t.Fatalf("%s has a streak of %d, want %d, in\n%v", player, got[player], longest, days)
			}
		}
	}
}

func TestCountsOf(t *testing.T) {
	got := CountsOf(DailyResult{Won: true, Guesses: 3, Hints: 2}, DailyResult{Won: true, Guesses: 3}, DailyResult{Guesses: 6, Limit: 6})
	if want := (Counts{Played: 3, Won: 2, Missed: 7, Hints: 2, Hinted: 1, Distribution: []int{2: 2}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
