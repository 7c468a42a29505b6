package solve_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"fivefold/game"
	"fivefold/solver/solve"
)

// full is a store that takes nothing.
type full struct{ solve.Store }

func (full) CommitSession(context.Context, solve.Session) error { return game.ErrNotSaved }

// TestShowsWithoutSaving: a proposal that cannot be kept is shown; a change is refused.
func TestShowsWithoutSaving(t *testing.T) {
	store := newMemory()
	a := &asking{t: t, Words: newWords(full{store}, mustLists(t, fewWords))}
	if v, err := a.ask("ana", "show"); err != nil || len(v.Puzzle.Proposed) == 0 || v.Version != 0 {
		t.Errorf("shown is %+v, %v", v, err)
	}
	if _, err := a.ask("ana", "match bgggg"); !errors.Is(err, game.ErrNotSaved) {
		t.Errorf("a line: %v", err)
	}
	if s, err := store.Session(t.Context(), "ana"); err != nil || !reflect.DeepEqual(s, solve.Session{Player: "ana"}) {
		t.Errorf("stored is %+v, %v", s, err)
	}
}
