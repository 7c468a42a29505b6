package game_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
)

// TestPerformance: which matches count, and how far one call goes.
func TestPerformance(t *testing.T) {
	m, s := newJudging(t)
	form := func(community string, player game.PlayerID) finished.Performance {
		t.Helper()
		f, err := m.past.Performance(t.Context(), wordgame.Kind, community, player)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := form(place.Community(), "ana"); f != (finished.Performance{}) {
		t.Errorf("the form of a player who never played is %+v", f)
	}
	// What does not count: a stopped match, one with a hint only, and one still being played.
	mustPlay(t, m, place, "ana start; ana guess mound; ana stop; ben start; ana letter; ana guess mound; ben guess slate; ben start; ana guess mound; ben guess crane")
	mustPlay(t, m, game.Location{Guild: "g", Channel: "c2"}, "ana start; ana guess mound")
	shared, err := m.past.Review(t.Context(), game.Viewer{Location: place}, finished.Past{Number: 3})
	if err != nil {
		t.Fatal(err)
	}
	var own finished.Performance
	for _, share := range shared.Contributions {
		if share.Player == "ana" {
			own = own.Add(share)
		}
	}
	if f := form(place.Community(), "ana"); f != own || f.Matches != 1 {
		t.Errorf("the form is %+v, want %+v", f, own)
	}
	if f := form("", "ana"); f != own {
		t.Errorf("the form everywhere is %+v, want %+v", f, own)
	}
	if len(s.saved) != 1 {
		t.Errorf("%d reviews were made, want the one asked for", len(s.saved))
	}
	// Eight reviews a call, the newest first, up to the latest fifty.
	dm := game.Location{Channel: "dm"}
	mustWin(t, m, dm, "cleo", 60)
	for calls, want := range []int{8, 16, 24, 32, 40, 48, 50, 50} {
		s.saved = nil
		if f := form(dm.Community(), "cleo"); f.Matches != want || f.Luck < 49 || f.Skill < 49 {
			t.Errorf("call %d: the form is %+v, want that of %d matches", calls+1, f, want)
		}
		for i, id := range s.saved {
			if want := fmt.Sprint("dmcleo", 60-1-8*calls-i, "start"); string(id) != want {
				t.Errorf("call %d: review %d is of %s, want %s", calls+1, i+1, id, want)
			}
		}
	}
}

// TestPerformanceKeepsToItsTime: without time no review is made, and those there are count.
func TestPerformanceKeepsToItsTime(t *testing.T) {
	m, s := newJudging(t)
	mustWin(t, m, place, "ana", 3)
	if _, err := m.past.Review(t.Context(), game.Viewer{Location: place}, finished.Past{Number: 2}); err != nil {
		t.Fatal(err)
	}
	m.past.PerformanceTime = 1 // a nanosecond has always passed
	if f, err := m.past.Performance(t.Context(), wordgame.Kind, place.Community(), "ana"); err != nil || f.Matches != 1 || len(s.saved) != 1 {
		t.Errorf("the form is %+v, %v; %d reviews were made", f, err, len(s.saved))
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.past.Performance(cancelled, wordgame.Kind, place.Community(), "ana"); !errors.Is(err, context.Canceled) {
		t.Errorf("a form after its context ended: %v", err)
	}
}
