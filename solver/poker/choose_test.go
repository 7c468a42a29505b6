package poker

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
)

// TestChooseAgainstPlain: among few boards the total is what the guess costs, and no possible board costs
// less. A guess that is not possible costs less than any that is.
func TestChooseAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 5))
	mixed := 0
	for _, s := range mustSamples(t) {
		d := s.deal()
		all := mustList(t, d)
		for range 80 {
			left := 1 + random.IntN(4)
			most := 12
			if left <= 2 {
				most = 40 // plain code is fast enough
			}
			l := neighbours(random, all, most)
			got := choose(t.Context(), d, l, left)
			of := costPlain(d.Score, []pokle.Board{got.board}, l, left)
			if of != got.total || got.possible != slices.Contains(l, got.board) {
				t.Errorf("%v, %d guesses left: %+v costs %d", l, left, got, of)
			}
			if bits := bitsPlain(d.Score, got.board, l); math.Abs(entropy.Of(len(l), got.logs)-bits) > 1e-6 {
				t.Errorf("%v: %+v has %v bits", l, got, bits)
			}
			least := costPlain(d.Score, l, l, left)
			if !got.proven || got.total > least || got.possible && got.total < least {
				t.Errorf("%v, %d guesses left: got %+v, a possible board costs %d", l, left, got, least)
			}
			if of < least {
				mixed++
			}
		}
	}
	if mixed < 10 {
		t.Errorf("a mix is better in %d cases: too few", mixed)
	}
}
