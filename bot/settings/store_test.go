package settings_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// keeper makes changes one after another, each by a request of its own.
type keeper struct {
	settings.Store
	*testing.T
	requests int
}

func newKeeper(t *testing.T) *keeper {
	s := storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &keeper{Store: settings.Store{Records: s, Now: func() time.Time { return time.Unix(1_790_000_000, 0) }}, T: t}
}

func (k *keeper) by(player game.PlayerID) bot.Request {
	k.requests++
	return bot.Request{ID: game.RequestID(rune('a' + k.requests)), Player: player, Name: "Mia", Location: game.Location{Guild: "g"}}
}

func (k *keeper) must(want settings.Settings) {
	k.Helper()
	if got, err := k.Load(k.Context(), "g"); !reflect.DeepEqual(got, want) || err != nil {
		k.Errorf("the settings are %+v, %v, want %+v", got, err, want)
	}
}

func (k *keeper) set(f func(*settings.Settings)) bot.Request {
	k.Helper()
	r := k.by("mia")
	if _, err := k.Change(k.Context(), r, func(s *settings.Settings) error { f(s); return nil }); err != nil {
		k.Fatal(err)
	}
	return r
}

func anything(settings.Settings, settings.Settings) error { return nil }

// TestUndo: a change is remembered with its maker, and undone field by field, as long as nobody has changed the same field since.
func TestUndo(t *testing.T) {
	k := newKeeper(t)
	two := 2
	first := k.set(func(s *settings.Settings) { s.Channels, s.Hints = []game.ChannelID{"c", "d"}, &two })
	k.set(func(s *settings.Settings) { s.Words = []string{"CRANE"} })
	k.must(settings.Settings{Channels: []game.ChannelID{"c", "d"}, Hints: &two, Words: []string{"CRANE"}})

	undo := k.by("ben")
	for range 2 { // the second delivery of a request changes nothing
		if _, err := k.Undo(t.Context(), undo, 1, anything); err != nil {
			t.Fatal(err)
		}
		k.must(settings.Settings{Words: []string{"CRANE"}})
	}
	if _, err := k.Change(t.Context(), first, func(s *settings.Settings) error { s.Season = 9; return nil }); err != nil {
		t.Error(err)
	}
	for _, number := range []int{1, 7} {
		if _, err := k.Undo(t.Context(), k.by("ben"), number, anything); !errors.Is(err, settings.ErrUndone) {
			t.Errorf("undoing change %d: %v", number, err)
		}
	}
	if _, err := k.Undo(t.Context(), k.by("ben"), 3, anything); err != nil {
		t.Error(err)
	}
	k.must(settings.Settings{Channels: []game.ChannelID{"c", "d"}, Hints: &two, Words: []string{"CRANE"}})

	all, err := k.Changes(t.Context(), "g")
	if err != nil || len(all) != 4 {
		t.Fatalf("%d changes, %v", len(all), err)
	}
	for i, want := range []settings.Change{{By: "mia"}, {By: "mia"}, {By: "ben", Undoes: 1}, {By: "ben", Undoes: 3}} {
		if c := all[i]; c.Number != i+1 || c.By != want.By || c.Undoes != want.Undoes || c.Name != "Mia" || c.At.Unix() != 1_790_000_000 {
			t.Errorf("change %d is %+v", i, c)
		}
	}
}

// TestNothingChanges: a refused change, and one to what is there already, are not remembered.
func TestNothingChanges(t *testing.T) {
	k := newKeeper(t)
	k.set(func(s *settings.Settings) { s.Season = 9 })
	k.set(func(s *settings.Settings) { s.Season = 9 })
	no := errors.New("no")
	_, err := k.Change(t.Context(), k.by("mia"), func(s *settings.Settings) error { s.Season = 18; return no })
	all, _ := k.Changes(t.Context(), "g")
	if k.must(settings.Settings{Season: 9}); len(all) != 1 || !errors.Is(err, no) {
		t.Errorf("%d changes, %v", len(all), err)
	}
}

// TestLatest: only the latest changes are remembered.
func TestLatest(t *testing.T) {
	k := newKeeper(t)
	for n := range settings.MostChanges + 3 {
		k.set(func(s *settings.Settings) { s.Idle = n + 1 })
	}
	all, err := k.Changes(t.Context(), "g")
	if err != nil || len(all) != settings.MostChanges || all[0].Number != 4 || all[len(all)-1].Number != settings.MostChanges+3 {
		t.Errorf("%d changes, %v", len(all), err)
	}
}
