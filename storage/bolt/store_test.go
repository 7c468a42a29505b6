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
	storagetest.Run(t, func(t *testing.T) game.Store {
		path, _ := paths.LoadOrStore(t.Name(), filepath.Join(t.TempDir(), "new", "test.db"))
		return mustOpen(t, path.(string))
	})
}

func mustOpen(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
