package preferences_test

import (
	"errors"
	"testing"

	"fivefold/bot"
	"fivefold/bot/kinds"
	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// mustKeep returns preferences kept in a store in memory, and the store.
func mustKeep(t *testing.T) (preferences.Store, *storage.Store) {
	t.Helper()
	s := storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return preferences.Store{Records: s}, s
}

// TestLooks: every look is read as it was set, and a player who deletes their data has none.
func TestLooks(t *testing.T) {
	k, s := mustKeep(t)
	mustHave := func(player game.PlayerID, want bot.Look) {
		t.Helper()
		if got, err := k.PlayerLook(t.Context(), player); got != want || err != nil {
			t.Errorf("the look of %s is %+v, %v, want %+v", player, got, err, want)
		}
	}
	for _, look := range []bot.Look{
		{}, {Colours: bot.ContrastColours, Shapes: bot.SignShapes, Text: true}, {Text: true}, {}, {Shapes: bot.SquareShapes}, {Colours: bot.ContrastColours},
	} {
		if err := k.SetPlayerLook(t.Context(), "ana", look); err != nil {
			t.Fatal(err)
		}
		mustHave("ana", look)
		mustHave("an", bot.Look{})
	}
	if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "r"}); err != nil {
		t.Fatal(err)
	}
	mustHave("ana", bot.Look{})
}

// TestUnreadable: records that cannot be read say why.
func TestUnreadable(t *testing.T) {
	k, s := mustKeep(t)
	for data, want := range map[string]error{
		`{"Format":2}`: game.ErrNewer, `{"Format":1,"Value":{"Look":{"Colours":9}}}`: game.ErrDamaged,
		`{}`: game.ErrDamaged, `x`: game.ErrDamaged,
	} {
		if err := s.SetPlayerLook(t.Context(), "ana", []byte(data)); err != nil {
			t.Fatal(err)
		}
		if _, look := k.PlayerLook(t.Context(), "ana"); !errors.Is(look, want) {
			t.Errorf("%s: %v, want %v", data, look, want)
		}
	}
}
