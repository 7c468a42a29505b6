package solve_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
)

// TestCards: feedback is for the board that was shown, in its order. A board in another order is the player's own.
func TestCards(t *testing.T) {
	store := newMemory()
	ask := func(request string, rule func(solve.CardPuzzle) (solve.CardPuzzle, error)) solve.CardView {
		t.Helper()
		h := &solve.Cards{Store: store, Solver: &poker.Solver{SuggestTime: time.Minute}} // always as after a restart
		v, err := h.Update(t.Context(), by("ana", request), 0, func(s solve.Session) (solve.Session, error) {
			var err error
			s.Cards, err = rule(s.Cards)
			return s, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	d, hidden := mustDeal(t, fewBoards), mustBoard(t, "10D 10S JD QH 10C")
	begun := ask("deal", func(solve.CardPuzzle) (solve.CardPuzzle, error) {
		return solve.CardPuzzle{Setup: solve.CardSetup{Deal: d}}, nil
	})
	shown := begun.Cards.Next()
	if p := begun.Cards; len(begun.Left) != 32 || begun.Version != 1 || len(p.Proposed) != 1 || !p.Proposed[0].Proven {
		t.Fatalf("a deal begins with %+v", begun)
	}
	score := func(p solve.CardPuzzle) (solve.CardPuzzle, error) {
		f := d.Score(p.Next(), hidden)
		return p.Enter(p.Next(), &f)
	}
	if v := ask("score", score); v.Cards.Turns[0].Guess != shown || !slices.Contains(v.Left, hidden) || len(v.Left) == 32 {
		t.Errorf("feedback is for %v, but %v was shown; left are %v", v.Cards.Turns[0].Guess, shown, v.Left)
	}
	if v := ask("undo", solve.CardPuzzle.Undo); v.Cards.Chosen != (pokle.Board{}) || v.Cards.Next() != shown {
		t.Errorf("the board proposed, taken back, leaves %+v", v.Cards)
	}
	turned := pokle.Board{shown[2], shown[1], shown[0], shown[3], shown[4]}
	ask("choose", func(p solve.CardPuzzle) (solve.CardPuzzle, error) { return p.Enter(turned, nil) })
	ask("score again", score)
	if v := ask("undo again", solve.CardPuzzle.Undo); v.Cards.Next() != turned {
		t.Errorf("taken back, next is %v, want %v", v.Cards.Next(), turned)
	}
	if v := ask("win", func(p solve.CardPuzzle) (solve.CardPuzzle, error) {
		won := mustStep(t, "10D 10S JD QH 10C ggggg")
		return p.Enter(won.Guess, &won.Feedback)
	}); v.Cards.Status() != game.Won || v.Cards.Proposed != nil {
		t.Errorf("solved, it is %+v", v.Cards)
	}
}

// TestAfter: the error names the first turn that leaves no board.
func TestAfter(t *testing.T) {
	d := mustDeal(t, fewBoards)
	all, err := poker.Fitting(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	turns := []poker.Step{mustStep(t, "10C 10D JC QH 10S ygygy"), mustStep(t, "10C 10D JH QH 10S ggggg"), mustStep(t, "10D 10S JD QH 10C ggggg")}
	left, err := solve.After(d, all, turns[:1])
	if err != nil || len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
	_, err = solve.After(d, all, turns)
	if none, ok := errors.AsType[*solve.ContradictionError](err); !ok || *none != (solve.ContradictionError{Turn: turns[1], Number: 2}) {
		t.Errorf("%v", err)
	}
}

func mustBoard(tb testing.TB, text string) pokle.Board {
	tb.Helper()
	b, err := pokle.ParseBoard(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return b
}

// mustStep reads five cards and their colours.
func mustStep(tb testing.TB, text string) poker.Step {
	tb.Helper()
	at := strings.LastIndex(text, " ")
	return poker.Step{Guess: mustBoard(tb, text[:at]), Feedback: newTurn("crane " + text[at:]).Feedback}
}

// mustDeal reads six cards and three players' places on three streets.
func mustDeal(tb testing.TB, text string) pokle.Deal {
	tb.Helper()
	w := strings.Fields(text)
	d, err := pokle.ParseDeal([pokle.Players]string{w[0] + w[1], w[2] + w[3], w[4] + w[5]}, [pokle.Streets]string(w[6:]))
	if err != nil && !errors.As(err, new(*pokle.StreetError)) {
		tb.Fatalf("%q: %v", text, err)
	}
	return d
}

// fewBoards is a deal with 32 boards.
const fewBoards = "QD QC 10H 2H 9H KH 213 132 213"
