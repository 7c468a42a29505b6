package bolt

import (
	"reflect"
	"testing"

	"fivefold/solver/solve"
	"fivefold/storage/storagetest"
)

// TestFileWithoutSessions opens a file of the format before there were any.
func TestFileWithoutSessions(t *testing.T) {
	path := mustUnpack(t, "format-1.db.gz")
	s := mustOpen(t, path)
	if got, err := s.Session(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, solve.Session{Player: "ana"}) {
		t.Errorf("before the first one the session is %+v, %v", got, err)
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
