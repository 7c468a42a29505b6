package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// duringFirst is a writer that calls a function at its first write.
type duringFirst struct {
	bytes.Buffer
	f func()
}

func (w *duringFirst) Write(b []byte) (int, error) {
	if w.f != nil {
		f := w.f
		w.f = nil
		f()
	}
	return w.Buffer.Write(b)
}

// TestBackupWhileCommitting makes the file several times as long in the middle of a
// backup. Commits must not wait for it, and the copy must be the state at its beginning.
func TestBackupWhileCommitting(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file is as long as its mapping there: when a commit needs more, it waits for the backup")
	}
	m := mustTemp(t)
	for i := range 300 {
		mustCommit(t, m, set(fmt.Sprint("key", i), strings.Repeat("x", i)))
	}
	want := all(t, m)
	w := &duringFirst{f: func() {
		for i := range 40 {
			mustCommit(t, m, set(fmt.Sprint("big", i), string(make([]byte, 1<<20)), fmt.Sprint("key", i), "changed"))
		}
	}}
	if err := m.Backup(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if after, err := m.Stats(); err != nil || after.Bytes < 40<<20 {
		t.Fatalf("the file has %d bytes, %v: too few to have tested anything", after.Bytes, err)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	mustWrite(t, path, w.Bytes())
	copied := mustOpen(t, path)
	defer copied.Close()
	if got := all(t, copied); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy has %d keys, want %d, or others", len(got), len(want))
	}
}

// TestBackupFile: a backup replaces the one before, and one that fails leaves it.
func TestBackupFile(t *testing.T) {
	folder := t.TempDir()
	path, backup := filepath.Join(folder, "test.db"), filepath.Join(folder, "backup.db")
	m := mustOpen(t, path)
	mustWrite(t, backup, []byte("old"))
	if err := m.BackupFile(t.Context(), path); !errors.Is(err, errOwnFile) {
		t.Errorf("over itself: %v", err)
	}
	if err := m.BackupFile(t.Context(), filepath.Join(folder, "none", "x.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into a folder that is missing: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.BackupFile(ctx, backup); !errors.Is(err, context.Canceled) || string(mustRead(t, backup)) != "old" {
		t.Errorf("cancelled: %v, and the file there is %q", err, mustRead(t, backup))
	}
	mustCommit(t, m, set("a", "1"))
	if err := m.BackupFile(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	copied := mustOpen(t, backup)
	defer copied.Close()
	if got := all(t, copied); got["a"] != "1" {
		t.Errorf("the backup has %v", got)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != ownersOnly() {
		t.Errorf("the backup has mode %v, %v; want only its owner's", info.Mode(), err)
	}
	mustHave(t, folder, "backup.db", "test.db")
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	closed := new(bytes.Buffer)
	const metas = 2 * 4096
	// An open file is as long as its mapping on Windows.
	if err := CopyClosed(t.Context(), path, closed); err != nil || closed.Len() <= metas || !bytes.HasPrefix(mustRead(t, backup)[metas:], closed.Bytes()[metas:]) {
		t.Errorf("the copy of the closed file: %v, or it differs from the backup", err)
	}
}

// TestCloseEndsBackup: a slow reader of a backup must not keep the program from ending.
func TestCloseEndsBackup(t *testing.T) {
	m := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	closed := make(chan error, 1)
	w := &duringFirst{f: func() {
		go func() { closed <- m.Close() }()
		<-m.closing.Done()
	}}
	if err := m.Backup(t.Context(), w); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the backup ended with %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// TestOpenReadOnly: two processes may read a file at once, and nothing is written.
func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	if _, err := OpenReadOnly(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	m := mustOpen(t, path)
	mustCommit(t, m, set("a", "1"))
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	data := mustRead(t, path)
	mustWrite(t, path, data)
	for range 2 {
		m, err := OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if got := all(t, m); got["a"] != "1" {
			t.Errorf("it has %v", got)
		}
		if err := m.CheckPages(t.Context()); err != nil {
			t.Error(err)
		}
		if err := m.Commit(t.Context(), ordered.Change{Set: set("a", "2").Set}); !errors.Is(err, game.ErrNotSaved) || errors.Is(err, ErrSync) {
			t.Errorf("a commit: %v", err)
		}
	}
	checkUntouched(t, "it was read", path, data)
}
