package bolt

import (
	"path/filepath"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

func TestStore(t *testing.T) {
	var paths sync.Map // one file a test
	open := func(t *testing.T) *Store {
		path, _ := paths.LoadOrStore(t.Name(), filepath.Join(t.TempDir(), "new", "test.db"))
		return mustOpen(t, path.(string))
	}
	storagetest.Run(t, func(t *testing.T) game.Store { return open(t) })
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
}

func mustOpen(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
