package bolt

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

func TestCommandGuilds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	for _, want := range [][]game.GuildID{nil, {"1"}, {"1", "22"}, {"22"}, nil} {
		if err := s.SetCommandGuilds(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		mustCheck(t, path)
		s = mustOpen(t, path)
		if got, err := s.CommandGuilds(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if err := update(s.db, func(tx *bbolt.Tx) error { return buckets{Tx: tx}.Bucket(bucketMeta).Put(keyGuilds, []byte("1")) }); err != nil {
		t.Fatal(err)
	}
	if got, err := s.CommandGuilds(t.Context()); got != nil || !errors.Is(err, game.ErrDamaged) {
		t.Errorf("what ends early is read as %q, %v", got, err)
	}
	want := []game.GuildID{"333"}
	if err := s.SetCommandGuilds(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := update(s.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketSessions).Put([]byte("p"), []byte("no checksum")) }); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	if _, err := Repair(t.Context(), path, testCodecs, func(Finding) {}, nil); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	if got, err := s.CommandGuilds(t.Context()); err != nil || !slices.Equal(got, want) {
		t.Errorf("after a repair: got %q, %v, want %q", got, err, want)
	}
	mustClose(t, s)
}
