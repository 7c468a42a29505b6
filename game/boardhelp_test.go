package game_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
)

// newBoardHelper returns a helper that has time enough for its proposals.
func newBoardHelper(t *testing.T, store game.Store) *game.Helper {
	h := newHelper(store, mustLists(t, helperWords, ""))
	h.Boards = &boards.Solver{Time: time.Minute}
	return h
}

// askBoard makes what a player asks for easy to write: "deal …", "undo", "show",
// "choose 4C 4H QH AC JC", "4C 4H QH AC JC gyeyg", or "gyeyg" for the next board.
func askBoard(t *testing.T, h *game.Helper, o game.Origin, text string) (game.BoardHelp, error) {
	t.Helper()
	first, rest, _ := strings.Cut(text, " ")
	return map[string]func() (game.BoardHelp, error){
		"show": func() (game.BoardHelp, error) { return h.ShowBoard(t.Context(), o) },
		"undo": func() (game.BoardHelp, error) { return h.UpdateBoard(t.Context(), o, 0, game.BoardPuzzle.Undo) },
		"deal": func() (game.BoardHelp, error) {
			d := mustDeal(t, rest)
			return h.UpdateBoard(t.Context(), o, 0, func(game.BoardPuzzle) (game.BoardPuzzle, error) { return game.BoardPuzzle{Deal: d}, nil })
		},
		"choose": func() (game.BoardHelp, error) {
			b := mustBoard(t, rest)
			return h.UpdateBoard(t.Context(), o, 0, func(p game.BoardPuzzle) (game.BoardPuzzle, error) { return p.Choose(b) })
		},
		"step": func() (game.BoardHelp, error) {
			s := mustStep(t, rest)
			return h.UpdateBoard(t.Context(), o, 0, func(p game.BoardPuzzle) (game.BoardPuzzle, error) { return p.Add(s) })
		},
		"colours": func() (game.BoardHelp, error) {
			f := mustFeedback(t, rest)
			return h.UpdateBoard(t.Context(), o, 0, func(p game.BoardPuzzle) (game.BoardPuzzle, error) {
				return p.Add(boards.Step{Guess: p.Next(), Feedback: f})
			})
		},
	}[first]()
}

// TestBoardHelper solves a puzzle across restarts; the board proposed is kept.
func TestBoardHelper(t *testing.T) {
	store := newMemory()
	n := 0
	ask := func(player, text string) game.BoardHelp {
		t.Helper()
		n++
		help, err := askBoard(t, newBoardHelper(t, store), by(player, fmt.Sprint("r", n)), text) // always as after a restart
		if err != nil {
			t.Fatalf("%s asks for %s: %v", player, text, err)
		}
		return help
	}
	if first := ask("ana", "show"); !reflect.DeepEqual(first, game.BoardHelp{}) {
		t.Errorf("without a deal it is %+v", first)
	}
	begun := ask("ana", "deal "+fewBoards)
	if p := begun.Puzzle; len(begun.Left.Boards) != 32 || begun.Version != 1 || p.Proposal == nil || p.Proposal.Remaining != 32 || !p.Proposal.Proven {
		t.Fatalf("a deal begins with %+v, proposal %+v", begun, p.Proposal)
	}
	if again := ask("ana", "show"); !reflect.DeepEqual(again, begun) {
		t.Errorf("the second look shows %+v, want %+v", again, begun)
	}
	// What is stored is what colours are for, whatever would be proposed now.
	notes, err := store.Notes(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	stored, hidden := notes.Board.Proposal.Board, mustBoard(t, "10D 10S JD QH 10C")
	help := ask("ana", "colours "+begun.Puzzle.Deal.Score(stored, hidden).String())
	if got := help.Puzzle.Steps[0].Guess; got != stored || !slices.Contains(help.Left.Boards, hidden) || len(help.Left.Boards) == 32 ||
		help.Puzzle.Proposal.Remaining != len(help.Left.Boards) {
		t.Errorf("bare colours are for %v, but %v was shown; left are %v", got, stored, help.Left.Boards)
	}
	chosen := ask("ana", "choose 4C 4H QH AC JC")
	if chosen.Puzzle.Next() != mustBoard(t, "4C 4H QH AC JC") || !reflect.DeepEqual(chosen.Puzzle.Proposal, help.Puzzle.Proposal) {
		t.Errorf("chosen, it is %+v", chosen.Puzzle)
	}
	back := ask("ana", "undo")
	if len(back.Puzzle.Steps) != 0 || back.Puzzle.Chosen != (pokle.Board{}) || !reflect.DeepEqual(back.Puzzle.Proposal, begun.Puzzle.Proposal) {
		t.Errorf("the board proposed, taken back, leaves %+v", back.Puzzle)
	}
	// In another order it is the player's, so that its colours keep their order.
	turned := pokle.Board{stored[2], stored[1], stored[0], stored[3], stored[4]}
	ask("ana", "step "+turned.Plain()+" "+begun.Puzzle.Deal.Score(turned, hidden).String())
	if back = ask("ana", "undo"); back.Puzzle.Next() != turned {
		t.Errorf("taken back, next is %v, want %v", back.Puzzle.Next(), turned)
	}
	ask("ana", "step 10C 10D JC QH 10S ygygy")
	won := ask("ana", "step 10D 10S JD QH 10C ggggg")
	if won.Puzzle.Status() != game.Won || won.Puzzle.Proposal != nil {
		t.Errorf("solved, it is %+v", won.Puzzle)
	}
	notes, err = store.Notes(t.Context(), "ana")
	if err != nil || notes.Record.Played() != 0 || len(notes.Puzzle.Advice) != 0 {
		t.Errorf("the word puzzle is %+v with the record %+v, %v", notes.Puzzle, notes.Record, err)
	}
	if ben := ask("ben", "show"); ben.Puzzle.HasDeal() {
		t.Errorf("ben sees %+v", ben)
	}
	if next := ask("ana", "deal "+fewBoards); len(next.Puzzle.Steps) != 0 || next.Puzzle.Next() != stored {
		t.Errorf("a new deal begins with %+v", next.Puzzle)
	}
}

// TestBoardHelperRefuses: what leaves no board is told, and nothing changes.
func TestBoardHelperRefuses(t *testing.T) {
	store := newMemory()
	h := newBoardHelper(t, store)
	for i, text := range []string{"deal " + fewBoards, "step 10C 10D JC QH 10S ygygy"} {
		if _, err := askBoard(t, h, by("ana", fmt.Sprint("begin-", i)), text); err != nil {
			t.Fatal(err)
		}
	}
	before, err := store.Notes(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	none := func(number int, step string, instead ...int) error {
		return &game.ContradictedError{Step: mustStep(t, step), Number: number, Instead: instead}
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
		help, err := askBoard(t, h, by("ana", fmt.Sprint("refused-", i)), c.text)
		if !reflect.DeepEqual(err, c.want) && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.text, err, c.want)
		}
		after, failed := store.Notes(t.Context(), "ana")
		if failed != nil || !reflect.DeepEqual(after, before) || !reflect.DeepEqual(help.Puzzle, before.Board) || len(help.Left.Boards) != 3 {
			t.Errorf("%s: refused, it leaves %+v, %v, and shows %+v", c.text, after, failed, help)
		}
	}
}

// TestBoardHelperInstead compares the steps that are blamed with those that could
// be, for colours that belong to two different boards.
func TestBoardHelperInstead(t *testing.T) {
	h := newBoardHelper(t, newMemory())
	d := mustDeal(t, fewBoards)
	all, err := h.Boards.List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	guesses := []pokle.Board{mustBoard(t, "10C 10D JC QH 10S"), mustBoard(t, "3C 8H 10S JD QS"), mustBoard(t, "9C 10D KC JS QH")}
	blamed := map[int]int{} // by number of steps blamed
	for _, hidden := range all.Boards {
		for wrong := range slices.Chunk(all.Boards, 5) { // one of each five
			p := game.BoardPuzzle{Deal: d}
			for i, g := range guesses {
				from := hidden
				if i == 2 {
					from = wrong[0]
				}
				p.Steps = append(p.Steps, boards.Step{Guess: g, Feedback: d.Score(g, from)})
			}
			var want []int
			for i := range 2 {
				if len(boards.After(d, all.Boards, slices.Delete(slices.Clone(p.Steps), i, i+1))) > 0 {
					want = append(want, i+1)
				}
			}
			_, err := h.JudgeBoard(t.Context(), p)
			var none *game.ContradictedError
			switch left := boards.After(d, all.Boards, p.Steps); {
			case len(left) > 0 && err != nil:
				t.Fatalf("%s: %v", steps(p), err)
			case len(left) == 0 && (!errors.As(err, &none) || none.Number != 3 || none.Step != p.Steps[2] || !slices.Equal(none.Instead, want)):
				t.Fatalf("%s: %#v, want the steps %v instead", steps(p), err, want)
			case len(left) == 0:
				blamed[len(want)]++
			}
		}
	}
	if len(blamed) < 2 {
		t.Errorf("so many steps were blamed: %v, too few different cases to have tested much", blamed)
	}
}

// TestBoardHelperRepeated delivers every request again, at once and after others.
func TestBoardHelperRepeated(t *testing.T) {
	store := newMemory()
	h := newBoardHelper(t, store)
	texts := []string{"deal " + fewBoards, "step 10C 10D JC QH 10S ygygy", "undo", "choose 4C 4H QH AC JC", "step 10C 10D JC QH 10S ygygy", "step 10D 10S JD QH 10C ggggg"}
	for i := range texts {
		for _, j := range []int{i, i, 0, i / 2} {
			help, err := askBoard(t, h, by("ana", fmt.Sprint("r", j)), texts[j])
			notes, _ := store.Notes(t.Context(), "ana")
			if err != nil || help.Version != uint64(i+1) || notes.Version != uint64(i+1) || !reflect.DeepEqual(help.Puzzle, notes.Board) {
				t.Fatalf("after %d requests, %s again is version %d, stored %d, %v", i+1, texts[j], help.Version, notes.Version, err)
			}
		}
	}
}

func TestBoardHelperOutdated(t *testing.T) {
	h := newBoardHelper(t, newMemory())
	begun, err1 := askBoard(t, h, by("ana", "a"), "deal "+fewBoards)
	now, err2 := askBoard(t, h, by("ana", "b"), "step 10C 10D JC QH 10S ygygy")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if help, err := h.UpdateBoard(t.Context(), by("ana", "c"), begun.Version, game.BoardPuzzle.Undo); !errors.Is(err, game.ErrOutdated) || !reflect.DeepEqual(help, now) {
		t.Errorf("undo for an older state: %+v, %v", help, err)
	}
	if help, err := h.UpdateBoard(t.Context(), by("ana", "d"), now.Version, game.BoardPuzzle.Undo); err != nil || len(help.Puzzle.Steps) != 0 {
		t.Errorf("undo for this state: %+v, %v", help, err)
	}
}

// TestBothPuzzlesAtOnce changes a player's two puzzles at the same time: they are
// stored together, and neither change is lost.
func TestBothPuzzlesAtOnce(t *testing.T) {
	store := &slowNotes{memory: newMemory()}
	h := newBoardHelper(t, store)
	if _, err := h.Show(t.Context(), by("ana", "show")); err != nil {
		t.Fatal(err)
	}
	store.met.Add(2)
	var wg sync.WaitGroup
	var err1, err2 error
	wg.Go(func() { _, err1 = askBoard(t, h, by("ana", "r1"), "deal "+fewBoards) })
	wg.Go(func() {
		_, err2 = h.Update(t.Context(), by("ana", "r2"), 0, func(p game.Puzzle) (game.Puzzle, error) { return p.Add(newTurn("match bgggg")) })
	})
	wg.Wait()
	notes, err := store.Notes(t.Context(), "ana")
	if err := errors.Join(err, err1, err2); err != nil || notes.Version != 3 || !notes.Board.HasDeal() || notes.Board.Proposal == nil ||
		len(notes.Puzzle.Turns) != 1 || notes.Puzzle.Next() == wordle.Word(0) {
		t.Errorf("the notes are %+v, %v", notes, err)
	}
}

// TestBoardHelperErrors: nothing is kept where the solver or the store fails.
func TestBoardHelperErrors(t *testing.T) {
	store := newMemory()
	h := newBoardHelper(t, store)
	d := mustDeal(t, fewBoards)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	begin := func(game.BoardPuzzle) (game.BoardPuzzle, error) { return game.BoardPuzzle{Deal: d}, nil }
	if _, err := h.UpdateBoard(ctx, by("ana", "r"), 0, begin); !errors.Is(err, context.Canceled) {
		t.Errorf("a deal after its time: %v", err)
	}
	if _, err := h.UpdateBoard(t.Context(), by("", "r"), 0, begin); !errors.Is(err, game.ErrID) {
		t.Errorf("a deal by nobody: %v", err)
	}
	if n, _ := store.Notes(t.Context(), "ana"); n.Version != 0 {
		t.Errorf("something was kept: %+v", n)
	}
}

// TestBoardHelperStoredMisfit: a puzzle that no board fits any more, as after a
// release with other rules, is shown all the same.
func TestBoardHelperStoredMisfit(t *testing.T) {
	for name, p := range map[string]game.BoardPuzzle{
		"the deal":  {Deal: mustDeal(t, "QD QC 10H 2H 9H KH 111 111 111")},
		"the steps": {Deal: mustDeal(t, fewBoards), Steps: []boards.Step{mustStep(t, "10D 10S JD QH 10C eeeee")}},
	} {
		store := newMemory()
		if err := store.CommitNotes(t.Context(), game.Notes{Player: "ana", Version: 1, Board: p}); err != nil {
			t.Fatal(err)
		}
		help, err := newBoardHelper(t, store).ShowBoard(t.Context(), by("ana", "r"))
		if err != nil || !reflect.DeepEqual(help, game.BoardHelp{Puzzle: p, Version: 1}) {
			t.Errorf("%s: %+v, %v", name, help, err)
		}
	}
}
