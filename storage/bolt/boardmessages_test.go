package bolt

import (
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// TestFileWithoutBoards opens a file that an earlier release of the same format wrote.
func TestFileWithoutBoards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	if err := update(s.db, func(tx *bbolt.Tx) error { return tx.DeleteBucket(bucketBoards) }); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	mustCheck(t, path)
	s = mustOpen(t, path)
	slot, want := game.ChannelSlot(game.Wordle, "c1"), game.BoardMessage{Match: "m1", Message: "101"}
	if got, ok, err := s.BoardMessage(t.Context(), slot); ok || err != nil {
		t.Errorf("the message is %+v, %v", got, err)
	}
	if err := s.SaveBoardMessage(t.Context(), slot, want); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	s = mustOpen(t, path)
	if got, ok, err := s.BoardMessage(t.Context(), slot); got != want || !ok || err != nil {
		t.Errorf("the message is %+v, %v, want %+v", got, err, want)
	}
	mustClose(t, s)
}

// TestDamagedBoardMessage: a message that cannot be read is as none, and the next one is
// saved over it.
func TestDamagedBoardMessage(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	slot, want := game.ChannelSlot(game.Wordle, "c1"), game.BoardMessage{Match: "m1", Message: "101"}
	save := func() {
		t.Helper()
		if err := s.SaveBoardMessage(t.Context(), slot, want); err != nil {
			t.Fatal(err)
		}
		s.group.wait()
	}
	save()
	spoil(t, s, bucketBoards)
	if got, ok, err := s.BoardMessage(t.Context(), slot); ok || err != nil {
		t.Errorf("the damaged message is %+v, %v", got, err)
	}
	save()
	if got, ok, err := s.BoardMessage(t.Context(), slot); got != want || !ok || err != nil {
		t.Errorf("the message is %+v, %v, want %+v", got, err, want)
	}
	mustClose(t, s)
}

// TestSoonJoins: a board message is written by the commit of the next change, not by one of
// its own.
func TestSoonJoins(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	commits := 0
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error { commits++; return update(db, f) }
	slot := game.ChannelSlot(game.Wordle, "c1")
	if err := s.SaveBoardMessage(t.Context(), slot, game.BoardMessage{Match: "m1", Message: "101"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCommandGuilds(t.Context(), []game.GuildID{"g"}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.BoardMessage(t.Context(), slot); !ok || err != nil || commits != 1 {
		t.Errorf("after %d commits the message is there: %t, %v; want 1 commit", commits, ok, err)
	}
	mustClose(t, s)
}
