package schema

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"fivefold/game/statistics"
)

// TestRankOrder: keys are in the order of a leaderboard, whichever of its figures decides.
func TestRankOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	decided := map[string]int{}
	for most := range 16 { // from few puzzles, which often compare equal, to a million and their neighbours
		draw := func() statistics.Totals {
			played := 1<<most + random.IntN(1<<most+3)
			t := statistics.Totals{Daily: statistics.Counts{Played: played, Won: played, Hints: random.IntN(3), Distribution: make([]int, 4)}}
			t.Daily.Distribution[2] = played - 1
			t.Daily.Distribution[random.IntN(4)]++
			return t
		}
		for range 2000 {
			a, b := draw(), draw()
			want := cmp.Or(cmp.Compare(min(statistics.RankedFrom, b.Daily.Played), min(statistics.RankedFrom, a.Daily.Played)), a.Compare(b))
			if got := cmp.Compare(RankOrder(a), RankOrder(b)); got != want {
				t.Fatalf("%+v and %+v: the keys say %d, the leaderboard %d", a, b, got, want)
			}
			switch {
			case want == 0:
				decided["nothing"]++
			case a.Daily.Score()*b.Daily.Played == b.Daily.Score()*a.Daily.Played:
				decided["puzzles"]++
			default:
				decided["average"]++
			}
		}
	}
	if len(decided) != 3 || len(RankOrder(statistics.Totals{})) != RankOrderBytes {
		t.Errorf("decided by %v", decided)
	}
}
