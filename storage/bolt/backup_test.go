package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
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
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	s := mustOpen(t, path)
	defer s.Close()
	before, err := s.Stats()
	if err != nil {
		t.Fatal(err)
	}
	w := &duringFirst{f: func() {
		for i := range 40 {
			if err := s.group.commit(t.Context(), func(tx *bbolt.Tx) error {
				return buckets{Tx: tx}.Bucket(bucketMeta).Put(fmt.Append(nil, "big", i), make([]byte, 1<<20))
			}); err != nil {
				t.Error(err)
			}
		}
	}}
	if err := s.Backup(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	after, err := s.Stats()
	if err != nil || after.Bytes < before.Bytes+40<<20 {
		t.Fatalf("the file has %d bytes after %d, %v: too few to have tested anything", after.Bytes, before.Bytes, err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustWrite(t, copied, w.Bytes())
	c := mustOpen(t, copied)
	defer c.Close()
	checkContent(t, c, "the copy", false)
	if err := view(c.db, func(tx *bbolt.Tx) error {
		if tx.Bucket(bucketMeta).Get([]byte("big0")) != nil {
			t.Error("the copy has what was committed later")
		}
		for err := range tx.Check() {
			t.Error(err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestBackupFile: a backup replaces the one before, and one that fails leaves it.
func TestBackupFile(t *testing.T) {
	folder := t.TempDir()
	s := mustOpen(t, filepath.Join(folder, "test.db"))
	backup := filepath.Join(folder, "backup.db")
	mustWrite(t, backup, []byte("old"))
	if err := s.BackupFile(t.Context(), filepath.Join(folder, "test.db")); !errors.Is(err, ErrOwnFile) {
		t.Errorf("over itself: %v", err)
	}
	if err := s.BackupFile(t.Context(), filepath.Join(folder, "none", "x.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into a folder that is missing: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.BackupFile(ctx, backup); !errors.Is(err, context.Canceled) || string(mustRead(t, backup)) != "old" {
		t.Errorf("cancelled: %v, and the file there is %q", err, mustRead(t, backup))
	}
	m := storagetest.Wordle.Match("m", game.Location{Channel: "c"}, "ana", "crane")
	storagetest.MustCommit(t, s, m)
	if err := s.BackupFile(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	copied := mustOpen(t, backup)
	defer copied.Close()
	if got, err := copied.Load(t.Context(), m.Slot()); err != nil || got.ID != m.ID {
		t.Errorf("the backup has %v, %v", got, err)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != ownersOnly {
		t.Errorf("the backup has mode %v, %v; want only its owner's", info.Mode(), err)
	}
	names, err := os.ReadDir(folder)
	names = slices.DeleteFunc(names, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), notePath("")) })
	if err != nil || len(names) != 2 {
		t.Errorf("the folder has %v, %v", names, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseEndsBackup: a slow reader of a backup must not keep the program from ending.
func TestCloseEndsBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	s := mustOpen(t, path)
	closed := make(chan error, 1)
	w := &duringFirst{f: func() {
		go func() { closed <- s.Close() }()
		<-s.closing.Done()
	}}
	if err := s.Backup(t.Context(), w); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the backup ended with %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}
