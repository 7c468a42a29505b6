package storage_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/schema"
)

// TestReminders: players are found by the time of their reminder, and nothing is left of one who deletes their data.
func TestReminders(t *testing.T) {
	m := &orderedtest.Memory{}
	s, ctx := storage.New(m, codecs, storage.Options{}), t.Context()
	defer s.Close()
	set := func(p game.PlayerID, wish game.Reminder) {
		t.Helper()
		got, err := s.ChangeReminder(ctx, p, func(r *game.Reminder) error { *r = wish; return nil })
		if err != nil || got != wish {
			t.Fatalf("it is %+v, %v", got, err)
		}
		if got, err = s.Reminder(ctx, p); err != nil || got != wish {
			t.Fatalf("the reminder of %s is %+v, %v, want %+v", p, got, err, wish)
		}
	}
	at := func(time string, want ...game.PlayerID) {
		t.Helper()
		if got, err := s.RemindedPlayers(ctx, time); err != nil || !slices.Equal(got, want) {
			t.Errorf("at %s: %v, %v, want %v", time, got, err, want)
		}
	}
	three := game.Reminder{Hours: 3, Sent: 7, Channel: "c"}
	set("ana", three)
	set("ben", game.Reminder{Guild: "1203"})
	set("cleo", game.Reminder{Guild: "120"})
	set("cleo", game.Reminder{Guild: "1203"})
	set("dora", game.Reminder{Refused: true})
	at(three.Time("ana"), "ana")
	at(game.RemindedIn("1203"), "ben", "cleo")
	at(game.RemindedIn("120"))
	fail := errors.New("fails")
	if _, err := s.ChangeReminder(ctx, "ana", func(r *game.Reminder) error { r.Hours = 1; return fail }); !errors.Is(err, fail) {
		t.Errorf("got %v", err)
	}
	at(three.Time("ana"), "ana")
	if found := mustCheck(t, s, false); found != nil {
		t.Errorf("the check finds %v", found)
	}
	stray := ordered.Pair{Key: schema.RemindedAt(game.RemindedAt(1)) + "ana", Value: schema.Nothing}
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{stray}}); err != nil {
		t.Fatal(err)
	}
	if found := mustCheck(t, s, true); len(found) != 1 {
		t.Errorf("with a stray entry the check finds %v", found)
	}
	at(game.RemindedAt(1))
	for _, p := range []game.PlayerID{"ana", "ben"} {
		if err := s.Delete(ctx, finished.Deletion{Player: p, Request: game.RequestID("clear " + p)}); err != nil {
			t.Fatal(err)
		}
	}
	set("cleo", game.Reminder{})
	set("dora", game.Reminder{})
	for key := range all(t, m) {
		if strings.HasPrefix(key, "remind") {
			t.Errorf("there is still %q", key)
		}
	}
}
