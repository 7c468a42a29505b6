package solve_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
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

// newBoardPuzzle returns a puzzle with that deal.
func newBoardPuzzle(tb testing.TB) solve.BoardPuzzle {
	tb.Helper()
	return solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: mustDeal(tb, fewBoards)}}
}

// steps writes the turns of a puzzle as they are typed.
func steps(p solve.BoardPuzzle) string {
	var all []string
	for _, s := range p.Turns {
		all = append(all, s.Guess.Plain()+" "+pokle.WriteFeedback(s.Feedback))
	}
	return strings.Join(all, ", ")
}

func TestBoardPuzzle(t *testing.T) {
	start := newBoardPuzzle(t)
	play := func(p solve.BoardPuzzle, texts ...string) solve.BoardPuzzle {
		t.Helper()
		for _, text := range texts {
			var err error
			if p, err = p.Add(mustStep(t, text)); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		return p
	}
	other := func(i int) string { return fmt.Sprintf("2C 3C 4C 5C %dS eeeee", i+2) }
	one := play(start, "10C 10D JC QH 10S ygygy")
	won := play(one, "10D 10S JD QH 10C ggggg")
	lost := play(start, other(0), other(1), other(2), other(3), other(4), other(5))
	for _, c := range []struct {
		name   string
		puzzle solve.BoardPuzzle
		want   game.Status
	}{
		{"without a deal", solve.BoardPuzzle{}, game.Playing},
		{"at first", start, game.Playing},
		{"after a step", one, game.Playing},
		{"all green", won, game.Won},
		{"six steps", lost, game.Lost},
		{"all green at last", play(start, other(0), other(1), other(2), other(3), other(4), "10D 10S JD QH 10C ggggg"), game.Won},
	} {
		if got := c.puzzle.Status(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
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
		{"the same board again", one, mustBoard(t, "10C 10D JC QH 10S"), &pokle.RepeatedError{Attempt: 1}},
		{"the same in another order", one, mustBoard(t, "JC 10D 10C QH 10S"), &pokle.RepeatedError{Attempt: 1}},
	} {
		if got, err := c.puzzle.Add(boards.Step{Guess: c.board}); !reflect.DeepEqual(err, c.want) || !reflect.DeepEqual(got, c.puzzle) {
			t.Errorf("%s: adding gives %v, %v, want %v", c.name, got, err, c.want)
		}
		if got, err := c.puzzle.Choose(c.board); !reflect.DeepEqual(err, c.want) || !reflect.DeepEqual(got, c.puzzle) {
			t.Errorf("%s: choosing gives %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		puzzle solve.BoardPuzzle
		want   error
	}{"without a deal": {solve.BoardPuzzle{}, solve.ErrNoDeal}, "without a step": {start, solve.ErrNoTurn}} {
		if got, err := c.puzzle.Undo(); err != c.want || !reflect.DeepEqual(got, c.puzzle) {
			t.Errorf("%s: undoing gives %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestBoardPuzzleNext: the player's own board comes next, or else the one proposed, and
// the board of a turn taken back comes next again.
func TestBoardPuzzleNext(t *testing.T) {
	own, proposed := mustStep(t, "4C 4H QH AC JC gyeyg"), mustBoard(t, "10C 10D JC QH 10S")
	p := newBoardPuzzle(t)
	if p.Next() != (pokle.Board{}) {
		t.Errorf("with nothing proposed %v is next", p.Next())
	}
	p.Proposed = []boards.Suggestion{{Board: proposed}}
	if p.Next() != proposed {
		t.Errorf("next is %v, want %v", p.Next(), proposed)
	}
	chosen, err := p.Choose(own.Guess)
	if err != nil || chosen.Next() != own.Guess || p.Next() != proposed {
		t.Errorf("chosen, next is %v, %v; before it %v", chosen.Next(), err, p.Next())
	}
	after, err := chosen.Add(own)
	if err != nil || after.Next() != (pokle.Board{}) || len(chosen.Turns) != 0 {
		t.Errorf("after a step %v is next, %v", after.Next(), err)
	}
	back, err := after.Undo()
	if err != nil || back.Next() != own.Guess || back.Turns != nil || len(after.Turns) != 1 {
		t.Errorf("taken back, next is %v after %s, %v", back.Next(), steps(back), err)
	}
}

// TestBoardPuzzleIsAValue: two puzzles that go on from one do not see each other.
func TestBoardPuzzleIsAValue(t *testing.T) {
	p := newBoardPuzzle(t)
	p.Turns = make([]boards.Step, 0, 4)
	one, err1 := p.Add(mustStep(t, "4C 4H QH AC JC gyeyg"))
	two, err2 := p.Add(mustStep(t, "10C 10D JC QH 10S ygygy"))
	if err := errors.Join(err1, err2); err != nil || steps(one) != "4C 4H QH AC JC gyeyg" || steps(two) != "10C 10D JC QH 10S ygygy" {
		t.Errorf("the two are %s and %s, %v", steps(one), steps(two), err)
	}
}
