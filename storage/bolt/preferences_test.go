package bolt

import (
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/bot"
	"fivefold/game"
)

// TestFileWithoutLooks opens a file that an earlier release of the same format wrote.
func TestFileWithoutLooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	if err := update(s.db, func(tx *bbolt.Tx) error { return tx.DeleteBucket(bucketLooks) }); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	mustCheck(t, path)
	want := bot.Look{Colours: bot.ContrastColours}
	s = mustOpen(t, path)
	if got, err := s.PlayerLook(t.Context(), "ana"); got != (bot.Look{}) || err != nil {
		t.Errorf("the look is %+v, %v", got, err)
	}
	if err := s.SetPlayerLook(t.Context(), "ana", want); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	s = mustOpen(t, path)
	if got, err := s.PlayerLook(t.Context(), "ana"); got != want || err != nil {
		t.Errorf("the look is %+v, %v, want %+v", got, err, want)
	}
	mustClose(t, s)
}

// TestDamagedLook: a look that cannot be read is reported, and set again.
func TestDamagedLook(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	want := bot.Look{Text: true}
	if err := s.SetPlayerLook(t.Context(), "ana", want); err != nil {
		t.Fatal(err)
	}
	spoil(t, s, bucketLooks)
	if got, err := s.PlayerLook(t.Context(), "ana"); err == nil || got != (bot.Look{}) {
		t.Errorf("the damaged look is %+v, %v, want %v", got, err, game.ErrDamaged)
	}
	if err := s.SetPlayerLook(t.Context(), "ana", want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.PlayerLook(t.Context(), "ana"); got != want || err != nil {
		t.Errorf("the look is %+v, %v, want %+v", got, err, want)
	}
	mustClose(t, s)
}
