package bolt

import (
	"path/filepath"
	"reflect"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/storage/storagetest"
)

// TestFileWithoutSessions opens a file of the format before there were any.
func TestFileWithoutSessions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	old, err := open(path, migrations[:1])
	if err != nil {
		t.Fatal(err)
	}
	match := storagetest.Match("m", game.Location{Guild: "g", Channel: "c"}, "ana", wordle.MustParse("crane"))
	storagetest.MustCommit(t, old, match)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path)
	if got, err := s.Load(t.Context(), game.ChannelSlot(game.Wordle, "c")); err != nil || !reflect.DeepEqual(got, match) {
		t.Errorf("its match is %v, %v, want %v", got, err, match)
	}
	want := storagetest.Session("ana", 1)
	if err := s.CommitSession(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	if got, err := s.Session(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the session is %+v, %v, want %+v", got, err, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
