package kinds_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

// quickDeal is the number of a deal that is made and listed within a few milliseconds.
const quickDeal = 51

func newPokle(tb testing.TB) (game.Rules, game.Match) {
	tb.Helper()
	r := pokergame.New(&poker.Solver{SuggestTime: time.Minute})
	s, err := r.New(tb.Context(), game.NewGame{Hard: marks.Hard, Pick: func(n int) int {
		if n != math.MaxInt {
			tb.Errorf("picked one of %d", n)
		}
		return quickDeal
	}})
	if err != nil {
		tb.Fatal(err)
	}
	if s.Hard() != marks.Off || s.Used() != 0 || s.Status() != game.Playing {
		tb.Errorf("a new game is %v, hard %v", s, s.Hard())
	}
	return r, game.Match{Kind: pokergame.Kind, State: s}
}

// TestDifficulty: only boards are rated.
func TestDifficulty(t *testing.T) {
	r, m := newPokle(t)
	if got, err := r.Difficulty(t.Context(), m.State); err != nil || got == "" {
		t.Errorf("the deal is %q, %v", got, err)
	}
	words, _ := newWordle(t, "crane", "")
	if got, err := words.Difficulty(t.Context(), nil); err != nil || got != "" {
		t.Errorf("words are rated %q, %v", got, err)
	}
}

// TestNoBoardFits: no board gives the places of the deal.
func TestNoBoardFits(t *testing.T) {
	r, m := newPokle(t)
	// Two pairs of aces can't swap first and last place twice.
	never := pokle.Deal{Places: [pokle.Streets]pokle.Places{{1, 3, 2}, {3, 1, 2}, {1, 3, 2}}}
	for i, text := range []string{"AH AD", "AC AS", "KH KD"} {
		hole, err := pokle.ParseHole(text)
		if err != nil {
			t.Fatal(err)
		}
		never.Holes[i] = hole
	}
	m.State = pokle.NewState(never, m.State.(pokle.State).Hidden())
	if _, err := r.Hint(t.Context(), m, game.HintSuggestion, first, nil); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a suggestion: %v", err)
	}
	if _, err := r.Review(t.Context(), m); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a review: %v", err)
	}
	if _, err := r.Remaining(t.Context(), m.State); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("the boards that are left: %v", err)
	}
}
