package solve_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// newBoards returns Boards with enough time to search.
func newBoards(store solve.Store) *solve.Boards {
	return &solve.Boards{Store: store, Solver: &boards.Solver{SuggestTime: time.Minute}}
}

// askBoard makes what a player asks for easy to write: "deal …", "undo", "show",
// "step 4C 4H QH AC JC gyeyg", or "colours gyeyg" for the next board.
func askBoard(t *testing.T, h *solve.Boards, o game.Origin, text string) (solve.BoardView, error) {
	t.Helper()
	first, rest, _ := strings.Cut(text, " ")
	return map[string]func() (solve.BoardView, error){
		"show": func() (solve.BoardView, error) { return h.Show(t.Context(), o) },
		"undo": func() (solve.BoardView, error) { return h.Update(t.Context(), o, 0, solve.BoardPuzzle.Undo) },
		"deal": func() (solve.BoardView, error) {
			d := mustDeal(t, rest)
			return h.Update(t.Context(), o, 0, func(solve.BoardPuzzle) (solve.BoardPuzzle, error) {
				return solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: d}}, nil
			})
		},
		"step": func() (solve.BoardView, error) {
			s := mustStep(t, rest)
			return h.Update(t.Context(), o, 0, func(p solve.BoardPuzzle) (solve.BoardPuzzle, error) { return p.Add(s) })
		},
		"colours": func() (solve.BoardView, error) {
			f := newTurn("crane " + rest).Feedback
			return h.Update(t.Context(), o, 0, func(p solve.BoardPuzzle) (solve.BoardPuzzle, error) {
				return p.Add(boards.Step{Guess: p.Next(), Feedback: f})
			})
		},
	}[first]()
}

// TestBoards solves a puzzle across restarts; the board proposed is kept.
func TestBoards(t *testing.T) {
	store := newMemory()
	n := 0
	ask := func(player, text string) solve.BoardView {
		t.Helper()
		n++
		view, err := askBoard(t, newBoards(store), by(player, fmt.Sprint("r", n)), text) // always as after a restart
		if err != nil {
			t.Fatalf("%s asks for %s: %v", player, text, err)
		}
		return view
	}
	if first := ask("ana", "show"); !reflect.DeepEqual(first, solve.BoardView{}) {
		t.Errorf("without a deal it is %+v", first)
	}
	begun := ask("ana", "deal "+fewBoards)
	if p := begun.Puzzle; len(begun.Left) != 32 || begun.Version != 1 || len(p.Proposed) != 1 || p.Proposed[0].Remaining != 32 || !p.Proposed[0].Proven {
		t.Fatalf("a deal begins with %+v, proposal %+v", begun, p.Proposed)
	}
	if again := ask("ana", "show"); !reflect.DeepEqual(again, begun) {
		t.Errorf("the second look shows %+v, want %+v", again, begun)
	}
	// Colours are for the board that is stored, whatever would be proposed now.
	session, err := store.Session(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	stored, hidden := session.Board.Proposed[0].Board, mustBoard(t, "10D 10S JD QH 10C")
	view := ask("ana", "colours "+begun.Puzzle.Setup.Deal.Score(stored, hidden).String())
	if got := view.Puzzle.Turns[0].Guess; got != stored || !slices.Contains(view.Left, hidden) || len(view.Left) == 32 ||
		view.Puzzle.Proposed[0].Remaining != len(view.Left) {
		t.Errorf("bare colours are for %v, but %v was shown; left are %v", got, stored, view.Left)
	}
	back := ask("ana", "undo")
	if len(back.Puzzle.Turns) != 0 || back.Puzzle.Chosen != (pokle.Board{}) || !reflect.DeepEqual(back.Puzzle.Proposed, begun.Puzzle.Proposed) {
		t.Errorf("the board proposed, taken back, leaves %+v", back.Puzzle)
	}
	// A board in another order is the player's own, so that its colours keep their order.
	turned := pokle.Board{stored[2], stored[1], stored[0], stored[3], stored[4]}
	ask("ana", "step "+turned.Plain()+" "+begun.Puzzle.Setup.Deal.Score(turned, hidden).String())
	if back = ask("ana", "undo"); back.Puzzle.Next() != turned {
		t.Errorf("taken back, next is %v, want %v", back.Puzzle.Next(), turned)
	}
	ask("ana", "step 10C 10D JC QH 10S ygygy")
	won := ask("ana", "step 10D 10S JD QH 10C ggggg")
	if won.Puzzle.Status() != game.Won || won.Puzzle.Proposed != nil {
		t.Errorf("solved, it is %+v", won.Puzzle)
	}
	if next := ask("ana", "deal "+fewBoards); len(next.Puzzle.Turns) != 0 || next.Puzzle.Next() != stored {
		t.Errorf("a new deal begins with %+v", next.Puzzle)
	}
}

// TestBoardsRefuses: what leaves no board is refused with the reason, and nothing changes.
func TestBoardsRefuses(t *testing.T) {
	store := newMemory()
	h := newBoards(store)
	for i, text := range []string{"deal " + fewBoards, "step 10C 10D JC QH 10S ygygy"} {
		if _, err := askBoard(t, h, by("ana", fmt.Sprint("begin-", i)), text); err != nil {
			t.Fatal(err)
		}
	}
	before, err := store.Session(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	none := func(number int, step string, suspects ...int) error {
		return &solve.ContradictionError{Turn: mustStep(t, step), Number: number, Suspects: suspects}
	}
	for i, c := range []struct {
		text string
		want error
	}{
		{"deal QD QC 10H 2H 9H KH 111 111 111", boards.ErrNothingFits},
		{"step 10D 10S JD QH 10C eeeee", none(2, "10D 10S JD QH 10C eeeee")},
		{"step 4C 4H QH AC JC ggggg", none(2, "4C 4H QH AC JC ggggg")},
		{"step 10C 10D JH QH 10S ggggg", none(2, "10C 10D JH QH 10S ggggg", 1)},
		{"step 10S JC 10D QH 10C eeegg", none(2, "10S JC 10D QH 10C eeegg")},
	} {
		view, err := askBoard(t, h, by("ana", fmt.Sprint("refused-", i)), c.text)
		if !reflect.DeepEqual(err, c.want) && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.text, err, c.want)
		}
		after, failed := store.Session(t.Context(), "ana")
		if failed != nil || !reflect.DeepEqual(after, before) || !reflect.DeepEqual(view.Puzzle, before.Board) || len(view.Left) != 3 {
			t.Errorf("%s: refused, it leaves %+v, %v, and shows %+v", c.text, after, failed, view)
		}
	}
}

// TestBoardsSuspects compares the turns that are suspected with those that could be
// wrong, for colours that belong to two different boards.
func TestBoardsSuspects(t *testing.T) {
	h := newBoards(newMemory())
	d := mustDeal(t, fewBoards)
	all, err := h.Solver.List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	guesses := []pokle.Board{mustBoard(t, "10C 10D JC QH 10S"), mustBoard(t, "3C 8H 10S JD QS"), mustBoard(t, "9C 10D KC JS QH")}
	suspected := map[int]int{} // by number of suspects
	for _, hidden := range all {
		for wrong := range slices.Chunk(all, 5) { // one of each five
			p := solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: d}}
			for i, g := range guesses {
				from := hidden
				if i == 2 {
					from = wrong[0]
				}
				p.Turns = append(p.Turns, boards.Step{Guess: g, Feedback: d.Score(g, from)})
			}
			var want []int
			for i := range 2 {
				if len(boards.After(d, all, slices.Delete(slices.Clone(p.Turns), i, i+1))) > 0 {
					want = append(want, i+1)
				}
			}
			h.Store = newMemory()
			_, err := h.Update(t.Context(), by("ana", "r"), 0, func(solve.BoardPuzzle) (solve.BoardPuzzle, error) { return p, nil })
			var none *solve.ContradictionError
			switch left := boards.After(d, all, p.Turns); {
			case len(left) > 0 && err != nil:
				t.Fatalf("%+v: %v", p.Turns, err)
			case len(left) == 0 && (!errors.As(err, &none) || none.Number != 3 || none.Turn != p.Turns[2] || !slices.Equal(none.Suspects, want)):
				t.Fatalf("%+v: %#v, want the suspects %v", p.Turns, err, want)
			case len(left) == 0:
				suspected[len(want)]++
			}
		}
	}
	if len(suspected) < 2 {
		t.Errorf("numbers of suspects: %v, too few different cases to have tested much", suspected)
	}
}
