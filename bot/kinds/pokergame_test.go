package kinds_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// quickDeal is the number of a deal that is made and listed in some milliseconds.
const quickDeal = 51

// newPokle returns the rules of the poker game, and a match of it with these
// guesses.
func newPokle(tb testing.TB, guesses ...pokle.Board) (game.Rules, game.Match) {
	tb.Helper()
	r := pokergame.Rules(&boards.Solver{Time: time.Minute})
	s, err := r.New(tb.Context(), game.NewGame{Hard: true, Pick: func(n int) int {
		if n != math.MaxInt {
			tb.Errorf("picked one of %d", n)
		}
		return quickDeal
	}})
	if err != nil {
		tb.Fatal(err)
	}
	if s.Hard() || s.Used() != 0 || s.Status() != game.Playing {
		tb.Errorf("a new game is %v, hard %t", s, s.Hard())
	}
	m := game.Match{Kind: pokergame.Kind, State: s}
	for _, b := range guesses {
		m.State = mustMove(tb, m.State, pokergame.Move(b))
		m.Moves = append(m.Moves, game.Move{})
	}
	return r, m
}

// missed returns a board that is neither hidden in the match nor dealt.
func missed(m game.Match) pokle.Board {
	s := m.State.(pokergame.State)
	free := pokle.Cards(1<<pokle.Deck - 1)
	for _, c := range s.Hidden() {
		free &^= pokle.SetOf(c)
	}
	for _, h := range s.Deal().Holes {
		free &^= h.Cards()
	}
	return pokle.Board(free.List()[:pokle.BoardCards])
}

// TestBoardsRemaining: only guesses count, the first ones.
func TestBoardsRemaining(t *testing.T) {
	_, m := newPokle(t)
	miss, hidden := missed(m), m.State.(pokergame.State).Hidden()
	r, m := newPokle(t, miss, hidden)
	puzzle, err := (&boards.Solver{}).Generate(t.Context(), quickDeal)
	if err != nil || puzzle.Hidden != hidden {
		t.Fatalf("the deal is %+v, %v, want that of its number", puzzle, err)
	}
	var counts []int
	for used := range 3 {
		n, err := r.Remaining(t.Context(), m.State, used)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	all, err := (&boards.Solver{}).List(t.Context(), puzzle.Deal)
	if err != nil {
		t.Fatal(err)
	}
	if counts[0] != len(all.Boards) || counts[1] >= counts[0] || counts[1] < 1 || counts[2] != 1 {
		t.Errorf("%v boards remain, want %d, fewer, and 1", counts, len(all.Boards))
	}
}

// TestBoardReview: the grades are the solver's, skill and luck those of the word
// game's definition.
func TestBoardReview(t *testing.T) {
	_, m := newPokle(t)
	miss, hidden := missed(m), m.State.(pokergame.State).Hidden()
	r, m := newPokle(t, miss, hidden)
	got, err := r.Review(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	judged := got.(boards.Review).Guesses
	grades := got.Grades()
	if len(judged) != 2 || len(grades) != 2 {
		t.Fatalf("the guesses are %+v, the grades %+v", judged, grades)
	}
	skill, luck := 0.0, 49.5
	for i, j := range judged {
		if want := (game.Grade{Skill: j.Skill, Luck: j.Luck, Cut: j.Cut, Proven: j.Proven}); grades[i] != want {
			t.Errorf("grade %d is %+v, want %+v", i+1, grades[i], want)
		}
		skill += j.Skill / 2
		luck += (j.Luck - 49.5) / math.Pow(2, float64(i+1))
	}
	if math.Abs(got.Skill()-skill) > 1e-9 || math.Abs(got.Luck()-luck) > 1e-9 {
		t.Errorf("skill %g and luck %g, want %g and %g", got.Skill(), got.Luck(), skill, luck)
	}
}

// TestDifficulty: only boards are rated.
func TestDifficulty(t *testing.T) {
	r, m := newPokle(t)
	if got, err := r.Difficulty(t.Context(), m.State); err != nil || got == "" {
		t.Errorf("the deal is %q, %v", got, err)
	}
	words, _ := newWordle(t, "crane", "")
	if words.Difficulty != nil {
		t.Error("words are rated")
	}
}

// TestNoBoardFits: a deal that no board leads to.
func TestNoBoardFits(t *testing.T) {
	r, m := newPokle(t)
	// Two pairs of aces cannot swap first and last place twice.
	never := pokle.Deal{Places: [pokle.Streets]pokle.Places{{1, 3, 2}, {3, 1, 2}, {1, 3, 2}}}
	for i, text := range []string{"AH AD", "AC AS", "KH KD"} {
		hole, err := pokle.ParseHole(text)
		if err != nil {
			t.Fatal(err)
		}
		never.Holes[i] = hole
	}
	m.State = pokergame.State{State: pokle.NewState(never, m.State.(pokergame.State).Hidden())}
	if _, err := r.Hint(t.Context(), m, game.HintSuggestion, first); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a suggestion: %v", err)
	}
	if _, err := r.Review(t.Context(), m); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a review: %v", err)
	}
	if _, err := r.Remaining(t.Context(), m.State, 0); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("the boards that remain: %v", err)
	}
}
