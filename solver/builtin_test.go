package solver

import (
	"errors"
	"slices"
	"testing"

	"fivefold/game/wordle"
)

// TestBuiltInTrees: there is a tree for each mode of the built-in lists, it keeps to
// the game's limit, and it is what is grown today from its opener. That no opener
// is better takes too long to prove again here; go generate does.
func TestBuiltInTrees(t *testing.T) {
	s := New(mustEmbedded(t))
	trees, err := s.trees()
	if err != nil || len(trees) != 2 || trees[0].Hard || !trees[1].Hard {
		t.Fatalf("the trees are %v, %v; go generate makes them", trees, err)
	}
	for _, tree := range trees {
		if !tree.OpenerProven() || tree.Height() > wordle.Attempts {
			t.Errorf("hard %v: %v, total %d, proven %d, up to %d guesses", tree.Hard, tree.Opener(), tree.Total(), tree.LeastOfAll, tree.Height())
		}
		again, err := s.Grow(t.Context(), tree.Opener(), Position{Hard: tree.Hard, Limit: tree.Limit}, Effort{})
		if err != nil || again.Least != tree.Least || !slices.Equal(again.nodes, tree.nodes) {
			t.Errorf("hard %v: the tree of %v is now another one: %v; go generate makes it", tree.Hard, tree.Opener(), err)
		}
	}
}

func TestOtherListsHaveNoBuiltInTree(t *testing.T) {
	s := New(mustLists(t, "crane", "crane slate"))
	if _, err := s.lookUp(Position{}, &question{}); !errors.Is(err, errOffTree) {
		t.Errorf("got %v", err)
	}
}

// TestBuiltInTreesWin plays every hidden word by the rules, and asks for a hint now
// and then.
func TestBuiltInTreesWin(t *testing.T) {
	lists := mustEmbedded(t)
	s := New(lists)
	for _, tree := range must(s.trees()) {
		total := 0
		for i, hidden := range lists.Answers() {
			state := wordle.NewState(hidden, tree.Hard)
			for state.Status() == wordle.Playing {
				n, ok := tree.find(state.Turns())
				if !ok {
					t.Fatalf("%v is not on the tree", state.Turns())
				}
				if i%50 == 0 {
					got, err := s.Suggest(t.Context(), Position{Turns: state.Turns(), Hard: tree.Hard, Limit: wordle.Attempts})
					if err != nil || got.Word != n.guess || got.Total != int(n.total) || got.Remaining != int(n.words) || !got.Proven {
						t.Errorf("after %v: %+v, %v; want %v", state.Turns(), got, err, n.guess)
					}
				}
				total++
				var err error
				if state, err = state.Guess(n.guess); err != nil {
					t.Fatal(err)
				}
			}
			if state.Status() != wordle.Won {
				t.Errorf("%v is lost", hidden)
			}
		}
		if total != tree.Total() {
			t.Errorf("hard %v: %d guesses, not %d", tree.Hard, total, tree.Total())
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
