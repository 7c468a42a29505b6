package storagetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"fivefold/game"
)

// aRace is a race of a channel.
func aRace(id game.MatchID, c game.ChannelID, ends time.Time) game.Race {
	return game.Race{
		ID: id, Version: 1, Kind: "one", Location: game.Location{Guild: "g", Channel: c}, Starter: "ana",
		Started: Epoch, Ends: ends, Racers: []game.Racer{{Player: "ana", Match: "m1"}}, Challenge: &game.Challenge{Clue: "a clue"},
	}
}

func testRaces(t *testing.T, _ []Game, open opener) {
	s := open(t)
	ctx := t.Context()
	first, second, other := aRace("race-1", "c1", Epoch.Add(time.Hour)), aRace("race-2", "c1", Epoch.Add(time.Minute)), aRace("race-1", "c2", Epoch.Add(time.Hour))
	for _, r := range []game.Race{first, second, other} {
		if err := s.CommitRace(ctx, r); err != nil {
			t.Fatal(err)
		}
		if err := s.CommitRace(ctx, r); !errors.Is(err, game.ErrConflict) {
			t.Errorf("the same version again: %v", err)
		}
	}
	first.Version, first.Over = 2, Epoch.Add(time.Second)
	if err := s.CommitRace(ctx, first); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	check := func(what string, got []game.Race, err error, want ...game.Race) {
		t.Helper()
		if err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", what, got, err, want)
		}
	}
	got, err := s.Races(ctx, "one", "c1")
	check("in the channel", got, err, first, second)
	got, err = s.DueRaces(ctx, second.Due().Add(-1), 9)
	check("due before the first", got, err)
	got, err = s.DueRaces(ctx, other.Due(), 9)
	check("due", got, err, second, first, other)
	got, err = s.DueRaces(ctx, first.Due(), 1)
	check("due at most one", got, err, second)
	if err := s.RemoveRace(ctx, first); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Race(ctx, "one", "c1", first.ID); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("removed was %+v, %v", r, err)
	}
	got, err = s.DueRaces(ctx, other.Due(), 9)
	check("left", got, err, second, other)
}
