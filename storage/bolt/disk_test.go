package bolt

import (
	"bytes"
	"context"
	"errors"
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
	"fivefold/storage/storagetest"
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

// guessed is a match that is stored, and the change of a guess in it.
func guessed(t *testing.T, s *Store) (was game.Match, c game.Change) {
	t.Helper()
	was = storagetest.Wordle.Match("m", game.Location{Channel: "c"}, "ana", "crane")
	storagetest.MustCommit(t, s, was)
	m := storagetest.Wordle.Guess(t, was, "ana", "slate")
	return was, game.Change{Match: m, Request: requestOf(m), At: storagetest.Epoch}
}

// TestFailedSync: after a failed sync nothing more is taken or shown, and whoever opens the
// file next does not see what was refused, whether or not it had come to the disk.
func TestFailedSync(t *testing.T) {
	for _, c := range []struct {
		name   string
		update func(*bbolt.DB, func(*bbolt.Tx) error) error
		err    error
	}{
		{"of the data", func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
			return update(db, func(tx *bbolt.Tx) error { return errors.Join(f(tx), syscall.EIO) })
		}, syscall.EIO},
		{"of the meta page", func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
			if err := update(db, f); err != nil {
				return err
			}
			return syscall.EIO
		}, syscall.EIO},
		{"elsewhere than on Linux", func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
			if err := update(db, f); err != nil {
				return err
			}
			return &os.PathError{Op: "sync", Path: "test.db", Err: syscall.EIO}
		}, syscall.EIO},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			var failed []error
			observer := &watch{}
			s, err := Open(path, testCodecs, Options{Observer: observer, Failed: func(err error) { failed = append(failed, err) }})
			if err != nil {
				t.Fatal(err)
			}
			was, guess := guessed(t, s)
			s.group.update = c.update
			check := func(what string, err error) {
				t.Helper()
				if !errors.Is(err, game.ErrNotSaved) || !errors.Is(err, ErrSync) || !errors.Is(err, c.err) {
					t.Errorf("%s: %v, want ErrNotSaved, ErrSync and %v", what, err, c.err)
				}
			}
			check("the guess", s.Commit(t.Context(), guess))
			s.group.update = update // the disk seems to work again
			check("the guess again", s.Commit(t.Context(), guess))
			_, err = s.Load(t.Context(), was.Slot())
			check("a read", err)
			_, _, err = s.Repeated(t.Context(), was.Slot(), guess.Request)
			check("a repeated request", err)
			check("a backup", s.Backup(t.Context(), new(bytes.Buffer)))
			if len(failed) != 1 || len(observer.notSaved) != 2 || observer.committed != 1 {
				t.Errorf("Failed was called with %v, the observer saw %d changes committed and refused %v", failed, observer.committed, observer.notSaved)
			}
			check("Failed", failed[0])
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			s = mustOpen(t, path)
			defer s.Close()
			if got, err := s.Load(t.Context(), was.Slot()); err != nil || got.Version != was.Version {
				t.Errorf("opened again, it has %v, %v; want %v", got, err, was)
			}
			if err := s.Commit(t.Context(), guess); err != nil {
				t.Errorf("opened again: %v", err)
			}
			if err := view(s.db, func(tx *bbolt.Tx) error {
				for err := range tx.Check() {
					t.Error(err)
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFailedSyncHidesFromReads: a read that began before the sync failed may have seen
// the transaction, and is refused too.
func TestFailedSyncHidesFromReads(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	_, guess := guessed(t, s)
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		if err := update(db, f); err != nil {
			return err
		}
		return syscall.EIO
	}
	err := s.read(t.Context(), func(*bbolt.Tx) error {
		return s.Commit(context.Background(), guess) // fails while the read is open
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
			s, err := Open(filepath.Join(t.TempDir(), "test.db"), testCodecs, Options{Failed: func(err error) { t.Errorf("Failed was called: %v", err) }})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			was, guess := guessed(t, s)
			s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
				err := update(db, func(tx *bbolt.Tx) error {
					if err := f(tx); err != nil {
						return err
					}
					return cause
				})
				return err
			}
			if err := s.Commit(t.Context(), guess); !errors.Is(err, game.ErrNotSaved) || errors.Is(err, ErrSync) || !errors.Is(err, cause) {
				t.Errorf("the guess: %v", err)
			}
			if got, err := s.Load(t.Context(), was.Slot()); err != nil || got.Version != was.Version {
				t.Errorf("the match is %v, %v", got, err)
			}
			s.group.update = update
			if err := s.Commit(t.Context(), guess); err != nil {
				t.Errorf("the guess, with room: %v", err)
			}
		})
	}
}

// TestFaultLoggedOnceAMinute: a fault that lasts is logged once a minute, and its end once.
func TestFaultLoggedOnceAMinute(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		change := func() error { return s.group.commit(t.Context(), put("key", good)) }
		s.group.update = func(*bbolt.DB, func(*bbolt.Tx) error) error {
			return &os.PathError{Op: "write", Path: path, Err: syscall.EROFS}
		}
		for range 150 {
			if err := change(); !errors.Is(err, game.ErrNotSaved) {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		s.group.update = update
		for range 2 {
			if err := change(); err != nil {
				t.Fatal(err)
			}
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 4 || !strings.Contains(lines[2], "refused=121") || !strings.Contains(lines[3], "again") || !strings.Contains(lines[3], "refused=150") {
			t.Errorf("the log is\n%s", log.String())
		}
	})
}
