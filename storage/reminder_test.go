package storage_test

import (
	"errors"
	"maps"
	"testing"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/schema"
)

// TestReminders: reminders are kept and listed, and nothing is left of a player who is deleted.
func TestReminders(t *testing.T) {
	m := &orderedtest.Memory{}
	s, ctx := storage.New(m, codecs, storage.Options{}), t.Context()
	defer s.Close()
	want := map[game.PlayerID]game.Reminder{"ana": {Hours: 3, Sent: 7}, "ben": {Guild: "g"}, "cleo": {Refused: true}}
	listed := func() map[game.PlayerID]game.Reminder {
		all := map[game.PlayerID]game.Reminder{}
		if err := s.Reminders(ctx, func(p game.PlayerID, r game.Reminder) { all[p] = r }); err != nil {
			t.Error(err)
		}
		return all
	}
	for p, wish := range want {
		if got, err := s.ChangeReminder(ctx, p, func(r *game.Reminder) error { *r = wish; return nil }); err != nil || got != wish {
			t.Fatalf("it is %+v, %v", got, err)
		}
		if got, err := s.Reminder(ctx, p); err != nil || got != wish {
			t.Fatalf("the reminder of %s is %+v, %v, want %+v", p, got, err, wish)
		}
	}
	fail := errors.New("fails")
	if _, err := s.ChangeReminder(ctx, "ana", func(r *game.Reminder) error { r.Hours = 1; return fail }); !errors.Is(err, fail) || !maps.Equal(listed(), want) {
		t.Errorf("%v; %v, want %v", err, listed(), want)
	}
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicReminder + "ben", Value: []byte("wrong")}}}); err != nil {
		t.Fatal(err)
	}
	delete(want, "ben")
	if got, err := s.Reminder(ctx, "ben"); err != nil || got != (game.Reminder{}) || !maps.Equal(listed(), want) {
		t.Errorf("with an unreadable one: %+v, %v; %v", got, err, listed())
	}
	if _, err := s.ChangeReminder(ctx, "ben", func(r *game.Reminder) error { r.Hours++; return nil }); err != nil || listed()["ben"].Hours != 1 {
		t.Errorf("an unreadable one is replaced: %v, %v", err, listed())
	}
	for p := range listed() {
		if err := s.Delete(ctx, finished.Deletion{Player: p, Request: game.RequestID("delete " + p)}); err != nil {
			t.Fatal(err)
		}
	}
	if left := listed(); len(left) > 0 {
		t.Errorf("there are still %v", left)
	}
}
