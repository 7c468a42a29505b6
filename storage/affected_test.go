package storage_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
)

// TestAffected: a check says whose games something is wrong with, whichever of a game's records it is.
func TestAffected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(m, codecs, storage.Options{})
	play := func(name string, where game.Location, player game.PlayerID, end bool) game.Match {
		match := wordGame.match(name, where, player)
		if match = wordGame.guess(t, match, player, wordGame.answers[0]); end {
			match = wordGame.win(t, match, player)
		}
		mustCommitAll(t, s, match)
		return match
	}
	play("whole", game.Location{Guild: "g", Channel: "c1"}, "p1", true)
	play("match", game.Location{Guild: "g", Channel: "c2"}, "p2", true)
	play("result", game.Location{Channel: "c3"}, "p3", true)
	play("slot", game.Location{Guild: "g", Channel: "c4"}, "p4", false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if m, err = bolt.Open(path, bolt.Options{}); err != nil {
		t.Fatal(err)
	}
	answers, err := m.Read(t.Context(), ordered.Query{To: "\xff"})
	if err != nil {
		t.Fatal(err)
	}
	var wrong ordered.Change
	for _, p := range answers[0] {
		if strings.HasPrefix(p.Key, "match\x00match") || strings.HasPrefix(p.Key, "slot\x00c4") || strings.HasPrefix(p.Key, "result\x00") && strings.Contains(string(p.Value), `"result"`) {
			wrong.Set = append(wrong.Set, ordered.Pair{Key: p.Key, Value: []byte("wrong")})
		}
	}
	if err := m.Commit(t.Context(), wrong); err != nil || len(wrong.Set) != 3 {
		t.Fatalf("%d of 3 made wrong, %v", len(wrong.Set), err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{ // whether something is lost
		"wordle match: server g: [p2] ended":    true,
		"wordle result: channel c3: [p3] ended": false,
		"latest wordle: channel c4: []":         true,
	}
	got := map[string]bool{}
	if _, _, err := check.File(t.Context(), path, codecs, check.Options{Affected: func(a check.Affected) {
		ended := map[bool]string{false: " ended"}[a.Ended.IsZero()]
		got[fmt.Sprintf("%s: %s: %v%s", a.Game, a.Where, a.Who, ended)] = a.Lost
	}}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v\ngot  %v\nwant %v", err, got, want)
	}
}
