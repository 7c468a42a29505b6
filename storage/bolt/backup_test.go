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

// TestBackupFile: a backup and a copy of a closed file have what the map has, and one that fails leaves nothing.
func TestBackupFile(t *testing.T) {
	folder := t.TempDir()
	path, backup := filepath.Join(folder, "test.db"), filepath.Join(folder, "backup.db")
	m := mustOpen(t, path)
	mustCommit(t, m, set("a", "1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.BackupFile(ctx, backup); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	mustHave(t, folder, "test.db")
	if err := m.BackupFile(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := m.BackupFile(t.Context(), backup); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another file: %v", err)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != ownersOnly() {
		t.Errorf("the backup has mode %v, %v; want only its owner's", info.Mode(), err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	closed := new(bytes.Buffer)
	if err := CopyClosed(t.Context(), path, closed); err != nil {
		t.Error(err)
	}
	mustWrite(t, path, closed.Bytes())
	for _, path := range []string{path, backup} {
		m := mustOpen(t, path)
		defer m.Close()
		if got := all(t, m); got["a"] != "1" || len(got) != 1 {
			t.Errorf("%s has %v", path, got)
		}
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
