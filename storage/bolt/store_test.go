package bolt

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

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
		s.clearBatch, s.forgetBatch = 3, 3
		s.db.NoSync = true // no test here survives the machine, and the disk is slow
		return s
	}
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store { return open(t) })
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
	storagetest.RunPreferences(t, func(t *testing.T) storagetest.PreferenceStore { return open(t) })
	storagetest.RunBoardMessages(t, func(t *testing.T) storagetest.BoardMessageStore { return open(t) })
}

// mustOpen opens a file, which must be in order at the end of the test.
func mustOpen(tb testing.TB, path string) *Store {
	tb.Helper()
	if t, ok := tb.(*testing.T); ok {
		t.Cleanup(func() { checkOnce(t, path) })
	}
	return mustOpenDamaged(tb, path)
}

// mustOpenDamaged opens a file that may be damaged, or will be.
func mustOpenDamaged(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// checkOnce checks a file that has changed since it was last checked, unless the test has
// failed anyway.
func checkOnce(t *testing.T, path string) {
	info, err := os.Stat(path)
	if err != nil {
		t.Error(err)
		return
	}
	was, checked := checkedFiles.Swap(path, info.ModTime())
	if !t.Failed() && !(checked && info.ModTime().Equal(was.(time.Time))) {
		mustCheck(t, path)
	}
}

var checkedFiles sync.Map // path → when the file was written last, at its last check
