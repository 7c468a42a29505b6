package bolt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// bugs are panics of our own code in a transaction.
var bugs = map[string]func(*bbolt.Tx) error{
	"a panic": func(*bbolt.Tx) error { panic("broken") },
	"an index out of range": func(*bbolt.Tx) error {
		var list []error
		return list[time.Now().Year()]
	},
	"a nil pointer": func(*bbolt.Tx) error {
		var match *game.Match
		return errors.New(string(match.ID))
	},
	"called back by bbolt": func(tx *bbolt.Tx) error {
		return tx.ForEach(func([]byte, *bbolt.Bucket) error { panic("broken") })
	},
	"in the standard library": func(*bbolt.Tx) error {
		return errors.New(strings.Repeat("x", -1))
	},
}

// catch returns what f returns, and what it panics with as a caught.
func catch(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = caught{p}
		}
	}()
	return f()
}

// caught is a panic that has left the store.
type caught struct{ value any }

func (c caught) Error() string { return fmt.Sprintf("panic: %v", c.value) }

// within fails the test when f does not return: f then waits for a lock that nobody
// releases.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatalf("%s hangs", what)
	}
}

// checkUsable commits, reads and closes.
func checkUsable(t *testing.T, s *Store) {
	t.Helper()
	within(t, "the store", func() {
		if err := s.group.commit(t.Context(), put("later", good)); err != nil {
			t.Errorf("a later commit: %v", err)
		}
		checkKeys(t, s, map[string]bool{"half": false, "later": true})
		if err := s.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
}

func TestBugInRead(t *testing.T) {
	for name, bug := range bugs {
		t.Run(name, func(t *testing.T) {
			s := mustTemp(t)
			err := catch(func() error { return s.read(t.Context(), bug) })
			if !errors.As(err, new(caught)) {
				t.Errorf("got %v, want a panic", err)
			}
			checkUsable(t, s)
		})
	}
}

// TestBugInCommit also checks that the panic says where it began: its own stack is
// gone by the time that the caller sees it.
func TestBugInCommit(t *testing.T) {
	for name, bug := range bugs {
		t.Run(name, func(t *testing.T) {
			s := mustTemp(t)
			err := catch(func() error {
				return s.group.commit(t.Context(), func(tx *bbolt.Tx) error {
					return put("half", func() error { return bug(tx) })(tx)
				})
			})
			if !errors.As(err, new(caught)) || !strings.Contains(err.Error(), "guard_test.go") {
				t.Errorf("got %v, want a panic with its stack", err)
			}
			checkUsable(t, s)
		})
	}
}

// TestBugInMigration: a transaction that is neither a read nor a group's.
func TestBugInMigration(t *testing.T) {
	for name, bug := range bugs {
		t.Run(name, func(t *testing.T) {
			s := mustTemp(t)
			err := catch(func() error {
				return update(s.db, func(tx *bbolt.Tx) error {
					return put("half", func() error { return bug(tx) })(tx)
				})
			})
			if !errors.As(err, new(caught)) {
				t.Errorf("got %v, want a panic", err)
			}
			checkUsable(t, s)
		})
	}
}

// TestBugInGroup: only the caller whose change panics gets the panic. The other changes
// are committed, and their callers get their answers.
func TestBugInGroup(t *testing.T) {
	for name, bug := range bugs {
		t.Run(name, func(t *testing.T) {
			h := hold(t, mustTemp(t))
			within(t, "the group", func() {
				errs := h.queue(put("first", good), func(tx *bbolt.Tx) error {
					return put("half", func() error { return bug(tx) })(tx)
				}, put("third", good))()
				if errs[0] != nil || !errors.As(errs[1], new(caught)) || errs[2] != nil {
					t.Errorf("got %v, want nil, a panic and nil", errs)
				}
			})
			checkKeys(t, h.Store, map[string]bool{"first": true, "half": false, "third": true})
			if err := <-h.first; err != nil {
				t.Errorf("the change before them: %v", err)
			}
			if err := h.group.commit(t.Context(), put("later", good)); err != nil {
				t.Errorf("a change after them: %v", err)
			}
		})
	}
}

// TestMissingBucketIsDamage: bbolt panics, in reads, lone commits and groups
// (TestGroupFailsAlone has the last).
func TestMissingBucketIsDamage(t *testing.T) {
	s := mustTemp(t)
	missing := func(tx *bbolt.Tx) error {
		return errors.New(string(tx.Bucket([]byte("missing")).Get([]byte("key"))))
	}
	if err := s.read(t.Context(), missing); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("a read: %v, want %v", err, game.ErrDamaged)
	}
	if err := s.group.commit(t.Context(), missing); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("a commit: %v, want %v", err, game.ErrDamaged)
	}
	checkUsable(t, s)
}

// TestFaultInOurCode: what bbolt returns lies in the mapped file, so looking at it
// can be a fault as well.
func TestFaultInOurCode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	s := mustOpenDamaged(t, path)
	defer s.Close()
	err := s.read(t.Context(), func(tx *bbolt.Tx) error {
		record := tx.Bucket(bucketMatches).Get([]byte("match-100"))
		if err := os.Truncate(path, int64(2*os.Getpagesize())); err != nil {
			t.Fatal(err)
		}
		return errors.New(string(record))
	})
	if !errors.Is(err, game.ErrDamaged) {
		t.Errorf("got %v, want %v", err, game.ErrDamaged)
	}
}

// TestShortKeyIsDamage: a key that is no number is no reason for a panic of ours.
func TestShortKeyIsDamage(t *testing.T) {
	s := mustOpenDamaged(t, filepath.Join(t.TempDir(), "test.db"))
	if err := update(s.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketResults).Put([]byte("short"), nothing) }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Results(t.Context(), 0, 1); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("got %v, want %v", err, game.ErrDamaged)
	}
	checkUsable(t, s)
}

// TestCommitAfterFileShrinks: commits to a file that has lost pages fail, one after
// another. None waits for a lock that bbolt did not release. The first two pages
// must be there: see guard.
func TestCommitAfterFileShrinks(t *testing.T) {
	for _, pages := range []int{2, 3, 4, 5} {
		t.Run(fmt.Sprint(pages, " pages left"), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			makeFile(t, path)
			s := mustOpenDamaged(t, path)
			if err := os.Truncate(path, int64(pages*os.Getpagesize())); err != nil {
				t.Fatal(err)
			}
			walk := func(tx *bbolt.Tx) error {
				return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
					return b.ForEach(func([]byte, []byte) error { return nil })
				})
			}
			within(t, "the store", func() {
				for i := range 3 {
					if err := update(s.db, walk); !errors.Is(err, game.ErrDamaged) {
						t.Errorf("update %d: %v, want %v", i, err, game.ErrDamaged)
					}
					m := storagetest.Wordle.Match("new", game.Location{Guild: testGuild, Channel: "new"}, "ana", "crane")
					err := s.Commit(t.Context(), game.Change{Match: m, Request: "new", At: storagetest.Epoch})
					if !errors.Is(err, game.ErrDamaged) {
						t.Errorf("commit %d: %v, want %v", i, err, game.ErrDamaged)
					}
				}
				if err := s.Close(); err != nil {
					t.Errorf("closing: %v", err)
				}
			})
		})
	}
}
