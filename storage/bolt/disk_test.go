package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// watch is an Observer that counts.
type watch struct {
	mu        sync.Mutex // protects the rest
	committed int
	notSaved  []error
}

func (w *watch) Committed(changes int, _ time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.committed += changes
}

func (w *watch) NotSaved(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notSaved = append(w.notSaved, err)
}

// syncFails are updates of which a sync fails: before the transaction counts, or after.
var syncFails = map[string]func(*bbolt.DB, func(*bbolt.Tx) error) error{
	"of the data": func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		return update(db, func(tx *bbolt.Tx) error { return errors.Join(f(tx), syscall.EIO) })
	},
	"of the meta page": func(db *bbolt.DB, f func(*bbolt.Tx) error) error { return errors.Join(update(db, f), syscall.EIO) },
	"and is called a write": func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		return errors.Join(update(db, f), &os.PathError{Op: "write", Path: "test.db", Err: syscall.EIO})
	},
	"elsewhere than on Linux": func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		return errors.Join(update(db, f), &os.PathError{Op: "sync", Path: "test.db", Err: syscall.EIO})
	},
}

// TestFailedSync: after a failed sync nothing more is taken or shown, and the next process to
// open the file does not see what was refused, whether or not it had come to the disk.
func TestFailedSync(t *testing.T) {
	for name, failing := range syncFails {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			var failed []error
			observer := &watch{}
			m, err := Open(path, Options{Observer: observer, Failed: func(err error) { failed = append(failed, err) }})
			if err != nil {
				t.Fatal(err)
			}
			mustCommit(t, m, set("a", "1"))
			change := set("a", "2")
			check := func(what string, err error) {
				t.Helper()
				if !errors.Is(err, game.ErrNotSaved) || !errors.Is(err, ErrSync) || !errors.Is(err, syscall.EIO) {
					t.Errorf("%s: %v, want ErrNotSaved, ErrSync and EIO", what, err)
				}
			}
			m.group.update = failing
			check("the change", m.Commit(t.Context(), change))
			m.group.update = update // the disk seems to work again
			check("the change again", m.Commit(t.Context(), change))
			_, err = m.Get(t.Context(), "a")
			check("a read", err)
			_, err = ordered.Count(t.Context(), m, ordered.Prefix("a"))
			check("a count", err)
			check("a backup", m.Backup(t.Context(), new(bytes.Buffer)))
			if len(failed) != 1 || len(observer.notSaved) != 2 || observer.committed != 1 {
				t.Errorf("Failed was called with %v, the observer saw %d changes committed and refused %v", failed, observer.committed, observer.notSaved)
			}
			check("Failed", failed[0])
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			m = mustOpen(t, path)
			defer m.Close()
			if got := all(t, m); got["a"] != "1" {
				t.Errorf("opened again, it has %v", got)
			}
			mustCommit(t, m, change)
		})
	}
}

// TestFailedSyncHidesFromReads: a read that began before the sync failed may have seen
// the transaction, and is refused too.
func TestFailedSyncHidesFromReads(t *testing.T) {
	m := mustOpenDamaged(t, filepath.Join(t.TempDir(), "test.db")) // a meta page is taken back
	defer m.Close()
	m.group.update = syncFails["of the meta page"]
	err := m.read(t.Context(), func(*bbolt.Tx) error {
		if err := m.Commit(t.Context(), set("a", "1")); err == nil { // while the read is open
			t.Error("the commit succeeded")
		}
		return nil
	})
	if !errors.Is(err, ErrSync) {
		t.Errorf("the read returned %v", err)
	}
}

// TestCleanFailure: where the disk refuses before anything counts, only the change
// fails, and it can be made once there is room.
func TestCleanFailure(t *testing.T) {
	for _, cause := range []error{
		&os.PathError{Op: "write", Path: "test.db", Err: syscall.ENOSPC},
		&os.PathError{Op: "write", Path: "test.db", Err: syscall.EROFS},
		errors.New("file resize error: file too large"),
	} {
		t.Run(cause.Error(), func(t *testing.T) {
			m, err := Open(filepath.Join(t.TempDir(), "test.db"), Options{Failed: func(err error) { t.Errorf("Failed was called: %v", err) }})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			mustCommit(t, m, set("a", "1"))
			m.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
				return update(db, func(tx *bbolt.Tx) error {
					if err := f(tx); err != nil {
						return err
					}
					return cause
				})
			}
			if err := m.Commit(t.Context(), set("a", "2")); !errors.Is(err, game.ErrNotSaved) || errors.Is(err, ErrSync) || !errors.Is(err, cause) {
				t.Errorf("the change: %v", err)
			}
			if got := all(t, m); got["a"] != "1" {
				t.Errorf("it has %v", got)
			}
			m.group.update = update
			mustCommit(t, m, set("a", "2"))
		})
	}
}

// TestFaultLoggedOnceAMinute: a fault that lasts is logged once a minute.
func TestFaultLoggedOnceAMinute(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	synctest.Test(t, func(t *testing.T) {
		log := new(bytes.Buffer)
		m, err := Open(path, Options{Log: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		m.group.update = func(*bbolt.DB, func(*bbolt.Tx) error) error {
			return &os.PathError{Op: "write", Path: path, Err: syscall.EROFS}
		}
		for n := range 150 {
			if err := m.Commit(t.Context(), set(fmt.Sprint(n), "")); !errors.Is(err, game.ErrNotSaved) {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if n := strings.Count(log.String(), "could not write to the disk"); n != 3 {
			t.Errorf("in 150 seconds it was logged %d times:\n%s", n, log)
		}
	})
}
