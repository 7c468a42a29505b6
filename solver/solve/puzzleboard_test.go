package solve_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

func mustBoard(tb testing.TB, text string) pokle.Board {
	tb.Helper()
	b, err := pokle.ParseBoard(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return b
}

// mustStep reads five cards and their colours.
func mustStep(tb testing.TB, text string) boards.Step {
	tb.Helper()
	at := strings.LastIndex(text, " ")
	return boards.Step{Guess: mustBoard(tb, text[:at]), Feedback: newTurn("crane " + text[at:]).Feedback}
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

// TestBoardPuzzle: what cannot be guessed, and why.
func TestBoardPuzzle(t *testing.T) {
	start := solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: mustDeal(t, fewBoards)}}
	one, err1 := start.Add(mustStep(t, "10C 10D JC QH 10S ygygy"))
	won, err2 := one.Add(mustStep(t, "10D 10S JD QH 10C ggggg"))
	if err := errors.Join(err1, err2); err != nil || one.Status() != game.Playing || won.Status() != game.Won {
		t.Fatalf("%+v, %+v, %v", one, won, err)
	}
	for _, c := range []struct {
		name   string
		puzzle solve.BoardPuzzle
		board  pokle.Board
		want   error
	}{
		{"without a deal", solve.BoardPuzzle{}, mustBoard(t, "2C 3C 4C 5C 6C"), solve.ErrNoDeal},
		{"after the end", won, mustBoard(t, "2C 3C 4C 5C 6C"), solve.ErrOver},
		{"no board", one, pokle.Board{}, solve.ErrNoGuess},
		{"a card twice", one, pokle.Board{0, 4, 8, 12, 4}, &pokle.TwiceError{Card: 4}},
		{"a card that is held", one, mustBoard(t, "2C 3C 4C 5C KH"), &pokle.HeldError{Card: pokle.NewCard(pokle.King, pokle.Hearts), Player: 3}},
		{"the same board again", one, mustBoard(t, "10C 10D JC QH 10S"), &marks.RepeatedError{Attempt: 1}},
		{"the same in another order", one, mustBoard(t, "JC 10D 10C QH 10S"), &marks.RepeatedError{Attempt: 1}},
	} {
		if got, err := c.puzzle.Add(boards.Step{Guess: c.board}); !reflect.DeepEqual(err, c.want) || !reflect.DeepEqual(got, c.puzzle) {
			t.Errorf("%s: adding gives %v, %v, want %v", c.name, got, err, c.want)
		}
		if got, err := c.puzzle.Enter(c.board, nil); !reflect.DeepEqual(err, c.want) || !reflect.DeepEqual(got, c.puzzle) {
			t.Errorf("%s: choosing gives %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}
