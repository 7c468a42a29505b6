package game_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
)

// full is a store that takes nothing.
type full struct{ Store }

func (full) Commit(context.Context, matches.Change) error              { return game.ErrNotSaved }
func (full) SaveReview(context.Context, game.Match, game.Review) error { return game.ErrNotSaved }
func (full) Delete(context.Context, finished.Deletion) error           { return game.ErrNotSaved }

// TestAnswersWithoutSaving: what can be worked out again is shown though it cannot be kept. A hint counts, so it is not given.
func TestAnswersWithoutSaving(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane slate", "brick mound fuzzy grape"))
	mustPlay(t, m, place, "ana start; ana guess mound; ana guess crane; ana start; ana guess brick")
	was := s.state()
	m.Store, m.past.Store = full{s}, full{s}
	if r, err := m.past.Review(t.Context(), game.Viewer{Location: place}, finished.Past{Number: 1}); err != nil || len(r.Contributions) != 1 {
		t.Errorf("the review is %+v, %v", r, err)
	}
	for _, text := range []string{"ana suggestion", "ana letter", "ana guess slate", "ana stop", "ben start solo"} {
		got, err := parse(place, "r", text).run(t.Context(), m)
		if !errors.Is(err, game.ErrNotSaved) || !reflect.DeepEqual(got, game.Match{}) {
			t.Errorf("%s: %v, %v; want ErrNotSaved and no match", text, got, err)
		}
	}
	if !reflect.DeepEqual(s.state(), was) {
		t.Error("something was stored")
	}
}
