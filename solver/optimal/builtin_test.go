package optimal

import (
	"fivefold/solver/trees"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// TestBuiltInTrees: there is a best tree for each mode of the built-in lists, it keeps to
// the game's limit, proposes no withheld word, and is what is grown today from its opener. That no opener
// is better takes too long to prove again here; go generate does.
func TestBuiltInTrees(t *testing.T) {
	t.Parallel()
	s := New(wordletest.Embedded(t))
	for _, tree := range bestTrees(s) {
		if !tree.OpenerProven() || tree.Height > wordle.Attempts {
			t.Errorf("hard %v: %v, total %d, proven %d, up to %d guesses", tree.Hard, tree.Guess, tree.Total, tree.LeastOfAll, tree.Height)
		}
		for _, guess := range tree.Plan {
			if !s.lists.CanPropose(guess) {
				t.Errorf("hard %v: the tree guesses %v", tree.Hard, guess)
			}
		}
		if testing.Short() { // TestGrowTheBestKnown grows a tree as large
			continue
		}
		again, err := s.Grow(t.Context(), tree.Guess, Position{Hard: tree.Hard, Limit: tree.Limit}, Effort{})
		if err != nil || again.Least != tree.Least || !slices.Equal(again.Plan, tree.Plan) {
			t.Errorf("hard %v: the tree of %v is now another one: %v; go generate makes it", tree.Hard, tree.Guess, err)
		}
	}
}

// bestTrees returns the built-in trees of the best openers.
func bestTrees(s *Solver) (best []*trees.Tree) {
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
		best = append(best, s.builtIn.Tree(hard, trees.BestOpener(hard)))
	}
	return best
}

func TestOtherListsHaveNothingBuiltIn(t *testing.T) {
	s := New(wordletest.Lists(t, "crane", "crane slate"))
	if f, ok := s.lookUp(Position{}, &problem{}); ok || s.builtIn.Openers(marks.Hard) != nil || len(s.builtIn.SecondGuesses()) > 0 {
		t.Errorf("got %+v, %v, %v", f, s.builtIn.Openers(marks.Hard), s.builtIn.SecondGuesses())
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestRootSearchTakesNoBeamForProof(t *testing.T) {
	lists := wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch")
	for _, beam := range []bool{false, true} {
		c := newRootSearch(t.Context(), must(New(lists).newProblem(Position{})), Effort{Workers: 1, Top: 1})
		c.run(1, 1, []int{0, 1}, beam, func(_, i int, _ int32) int32 { return 100 + int32(i) })
		if got := c.candidates[0]; got.total != 100 || (got.least == 100) == beam {
			t.Errorf("beam %v: found 100, so the total is %d and the bound %d", beam, got.total, got.least)
		}
		if got := c.candidates[1]; got.total != 0 || (got.least == 101) == beam {
			t.Errorf("beam %v: more than 100, but the total is %d and the bound %d", beam, got.total, got.least)
		}
	}
}
