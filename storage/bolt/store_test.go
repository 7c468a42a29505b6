package bolt

import (
	"path/filepath"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// testCodecs are those of the games of the suite.
var testCodecs = storagetest.Codecs(storagetest.Games())

func TestStore(t *testing.T) {
	var paths sync.Map // one file a test
	open := func(t *testing.T) *Store {
		path, _ := paths.LoadOrStore(t.Name(), filepath.Join(t.TempDir(), "new", "test.db"))
		s := mustOpen(t, path.(string))
		s.clearBatch = 3
		s.db.NoSync = true // no test here survives the machine, and the disk is slow
		return s
	}
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store { return open(t) })
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
}

func mustOpen(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
