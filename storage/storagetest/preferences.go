package storagetest

import (
	"context"
	"errors"
	"testing"

	"fivefold/bot"
	"fivefold/bot/preferences"
	"fivefold/game"
)

// PreferenceStore is a [preferences.Store] that can be closed and opened again. It also has
// histories: a player who clears theirs has no look any more.
type PreferenceStore interface {
	preferences.Store
	game.Store
}

// RunPreferences runs the suite of a [preferences.Store]. Open is as for [Run].
func RunPreferences(t *testing.T, open func(t *testing.T) PreferenceStore) {
	t.Run("Looks", func(t *testing.T) { testLooks(t, open) })
	t.Run("Servers", func(t *testing.T) { testServers(t, open) })
	t.Run("ClearLook", func(t *testing.T) { testClearLook(t, open) })
}

func mustHaveLook(t *testing.T, s preferences.Store, player game.PlayerID, want bot.Look) {
	t.Helper()
	if got, err := s.PlayerLook(t.Context(), player); got != want || err != nil {
		t.Errorf("the look of %s is %+v, %v, want %+v", player, got, err, want)
	}
}

func mustSetLook(t *testing.T, s preferences.Store, player game.PlayerID, look bot.Look) {
	t.Helper()
	if err := s.SetPlayerLook(t.Context(), player, look); err != nil {
		t.Fatal(err)
	}
}

func testLooks(t *testing.T, open func(*testing.T) PreferenceStore) {
	s := open(t)
	mustHaveLook(t, s, "ana", bot.Look{})
	own := bot.Look{Colours: bot.ContrastColours, Shapes: bot.SignShapes, Text: true}
	for _, look := range []bot.Look{own, {Text: true}, {}, {Shapes: bot.SquareShapes}, {}, {}, own} {
		mustSetLook(t, s, "ana", look)
		mustHaveLook(t, s, "ana", look)
		mustHaveLook(t, s, "an", bot.Look{})
		closeStore(t, s)
		s = open(t)
		mustHaveLook(t, s, "ana", look)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SetPlayerLook(ended, "ana", bot.Look{}); !errors.Is(err, context.Canceled) {
		t.Errorf("setting after the context ended: %v", err)
	}
	if _, err := s.PlayerLook(ended, "ana"); !errors.Is(err, context.Canceled) {
		t.Errorf("a read after the context ended: %v", err)
	}
	if err := s.SetPlayerLook(t.Context(), "ana", bot.Look{Colours: 200}); err == nil {
		t.Error("a look that does not exist was set")
	}
	mustHaveLook(t, s, "ana", own)
	closeStore(t, s)
}

// testClearLook: a player who clears their history has no look any more.
func testClearLook(t *testing.T, open func(*testing.T) PreferenceStore) {
	s := open(t)
	mustSetLook(t, s, "ana", bot.Look{Text: true})
	mustSetLook(t, s, "ben", bot.Look{Text: true})
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "ana", Request: "r", At: Epoch}); err != nil {
		t.Fatal(err)
	}
	mustHaveLook(t, s, "ana", bot.Look{})
	mustHaveLook(t, s, "ben", bot.Look{Text: true})
	closeStore(t, s)
	s = open(t)
	mustHaveLook(t, s, "ana", bot.Look{})
	closeStore(t, s)
}

func testServers(t *testing.T, open func(*testing.T) PreferenceStore) {
	s := open(t)
	check := func(guild game.GuildID, want preferences.Server) {
		t.Helper()
		if got, err := s.ServerPreferences(t.Context(), guild); got != want || err != nil {
			t.Errorf("the preferences of %s are %+v, %v, want %+v", guild, got, err, want)
		}
	}
	check("g", preferences.Server{})
	none, three := game.HintLimit{Limited: true}, game.HintLimit{Limited: true, Most: 3}
	for _, limit := range []game.HintLimit{none, three, {}, {}, three} {
		want := preferences.Server{Hints: limit}
		if err := s.SetServerPreferences(t.Context(), "g", want); err != nil {
			t.Fatal(err)
		}
		closeStore(t, s)
		s = open(t)
		check("g", want)
		check("h", preferences.Server{})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SetServerPreferences(ended, "g", preferences.Server{}); !errors.Is(err, context.Canceled) {
		t.Errorf("setting after the context ended: %v", err)
	}
	check("g", preferences.Server{Hints: three})
	closeStore(t, s)
}
