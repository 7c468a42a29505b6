package postgres_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// TestLoadSlots compares LoadSlots with Load, slot by slot. The slots have a match, another match (asked for
// twice), no match, and one that cannot be read.
func TestLoadSlots(t *testing.T) {
	url := postgrestest.Database(t)
	s := mustOpen(t, url)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	var slots []game.Slot
	for i, id := range []string{"100", "101", "102"} {
		m := storagetest.Wordle.Match(id, game.Location{Guild: "5", Channel: game.ChannelID(id)}, "7", "CRANE")
		storagetest.MustCommit(t, s, m)
		if i == 1 {
			storagetest.MustCommit(t, s, storagetest.Wordle.Guess(t, m, "7", "SLATE"))
		}
		slots = append(slots, m.Slot())
	}
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Exec(t.Context(), `UPDATE matches SET record = '{}' WHERE id = '102'`)
	if err := errors.Join(err, c.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	slots = append(slots, game.ChannelSlot(game.Wordle, "nowhere"), slots[1])
	all, err := s.LoadSlots(t.Context(), slots)
	if err != nil || len(all) != len(slots) {
		t.Fatal(all, err)
	}
	for i, got := range all {
		want, err := s.Load(t.Context(), slots[i])
		if !reflect.DeepEqual(got.Match, want) || errors.Is(got.Err, game.ErrNoMatch) != errors.Is(err, game.ErrNoMatch) ||
			errors.Is(got.Err, game.ErrUnreadable) != errors.Is(err, game.ErrUnreadable) || (got.Err == nil) != (err == nil) {
			t.Errorf("slot %d: %v, %v; by itself it is %v, %v", i, got.Match, got.Err, want, err)
		}
	}
	if !errors.Is(all[2].Err, game.ErrUnreadable) || !errors.Is(all[3].Err, game.ErrNoMatch) || all[4].Match.Version != 2 {
		t.Errorf("%+v", all)
	}
}
