package storage

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"fivefold/game"
)

// TestRankOrder: keys are in the order of a leaderboard, whichever of its figures decides.
func TestRankOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() game.Totals {
		return game.Totals{
			Credit: 1000 * (1 + random.IntN(2)), WonCredit: random.IntN(2) * (1 + random.IntN(2)), // so little that the bound is 0
			Attempts: random.IntN(2), Helped: random.IntN(2),
		}
	}
	decided := map[string]int{}
	for range 10_000 {
		a, b := draw(), draw()
		if random.IntN(4) == 0 {
			a.WonCredit, b.WonCredit = random.IntN(1000), random.IntN(1000)
		}
		if got, want := cmp.Compare(rankOrder(a), rankOrder(b)), a.Compare(b); got != want {
			t.Fatalf("%+v and %+v: the keys say %d, the leaderboard %d", a, b, got, want)
		}
		switch {
		case a.LowerBound() != b.LowerBound():
			decided["the bound"]++
		case a.WonCredit != b.WonCredit:
			decided["won"]++
		case a.Attempts != b.Attempts:
			decided["attempts"]++
		case a.Helped != b.Helped:
			decided["helped"]++
		}
	}
	if len(decided) != 4 || len(rankOrder(draw())) != rankOrderBytes {
		t.Errorf("decided by %v", decided)
	}
}
