package bolt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
)

func mustTemp(tb testing.TB) *Store {
	tb.Helper()
	return mustOpen(tb, filepath.Join(tb.TempDir(), "test.db"))
}

// held is a store whose first change stays in its transaction until it is released,
// so that those after it share the next one.
type held struct {
	*Store
	release func()
	first   chan error
}

func hold(t *testing.T, s *Store) *held {
	t.Helper()
	inside, leave := make(chan struct{}), make(chan struct{})
	h := &held{Store: s, first: make(chan error, 1), release: sync.OnceFunc(func() { close(leave) })}
	var once sync.Once
	go func() {
		h.first <- s.group.commit(context.Background(), func(*bbolt.Tx) error {
			once.Do(func() { close(inside) })
			<-leave
			return nil
		})
	}()
	<-inside
	t.Cleanup(func() {
		h.release()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// queue commits the changes so that they wait in this order. It returns a function
// that releases the first one and returns the others' answers; a panic is a caught.
func (h *held) queue(changes ...func(*bbolt.Tx) error) func() []error {
	errs := make([]error, len(changes))
	var wg sync.WaitGroup
	for i, c := range changes {
		wg.Go(func() { errs[i] = catch(func() error { return h.group.commit(context.Background(), c) }) })
		for h.waiting() != i+1 {
			runtime.Gosched() // it is about to queue
		}
	}
	return func() []error {
		h.release()
		wg.Wait()
		return errs
	}
}

func (h *held) waiting() int {
	h.group.mu.Lock()
	defer h.group.mu.Unlock()
	return len(h.group.waiting)
}

// put returns a change that writes a key and then calls a function.
func put(key string, then func() error) func(*bbolt.Tx) error {
	return func(tx *bbolt.Tx) error {
		if err := (buckets{Tx: tx}).Bucket(bucketRecent).Put([]byte(key), nothing); err != nil {
			return err
		}
		return then()
	}
}

func checkKeys(t *testing.T, s *Store, want map[string]bool) {
	t.Helper()
	if err := view(s.db, func(tx *bbolt.Tx) error {
		for key, want := range want {
			if got := tx.Bucket(bucketRecent).Get([]byte(key)) != nil; got != want {
				t.Errorf("%s is in the file: %v, want %v", key, got, want)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

var errBroken = errors.New("broken")

func good() error { return nil }

// TestGroupCommitsTogether: changes that meet while another one is committed
// share one transaction, also where there is a conflict among them.
func TestGroupCommitsTogether(t *testing.T) {
	h := hold(t, mustTemp(t))
	const n, conflicting = 20, 7
	transactions := map[int]bool{} // only the group's goroutine writes to it
	changes := make([]func(*bbolt.Tx) error, n)
	want := map[string]bool{}
	for i := range changes {
		key := fmt.Sprint("key", i)
		want[key] = i != conflicting
		changes[i] = func(tx *bbolt.Tx) error {
			transactions[tx.ID()] = true
			if i == conflicting {
				return game.ErrConflict
			}
			return put(key, good)(tx)
		}
	}
	for i, err := range h.queue(changes...)() {
		if (i == conflicting) != errors.Is(err, game.ErrConflict) || i != conflicting && err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	checkKeys(t, h.Store, want)
	if len(transactions) != 1 {
		t.Errorf("changes that met were committed in %d transactions", len(transactions))
	}
}

// TestGroupFailsAlone: when a change fails, the others are still committed.
func TestGroupFailsAlone(t *testing.T) {
	conflict := fmt.Errorf("version 7: %w", game.ErrConflict)
	for _, c := range []struct {
		name   string
		second func(*bbolt.Tx) error
		want   error
	}{
		{"an error", put("second", func() error { return errBroken }), errBroken},
		{"damage", put("second", func() error { (*bbolt.Bucket)(nil).Get(nothing); return nil }), game.ErrDamaged},
		{"a conflict", func(*bbolt.Tx) error { return conflict }, game.ErrConflict},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := hold(t, mustTemp(t))
			errs := h.queue(put("first", good), c.second, put("third", good))()
			if errs[0] != nil || !errors.Is(errs[1], c.want) || errs[2] != nil {
				t.Errorf("got %v, want nil, %v and nil", errs, c.want)
			}
			checkKeys(t, h.Store, map[string]bool{"first": true, "second": false, "third": true})
			if err := <-h.first; err != nil {
				t.Errorf("the change before them: %v", err)
			}
			if err := h.group.commit(t.Context(), put("later", good)); err != nil {
				t.Errorf("a change after them: %v", err)
			}
		})
	}
}

// TestGroupOnFullDisk: changes that find room are committed, and so are later ones.
func TestGroupOnFullDisk(t *testing.T) {
	s := mustTemp(t)
	s.db.MaxSize = 1 // the file may not grow
	h := hold(t, s)
	big := func(tx *bbolt.Tx) error { return tx.Bucket(bucketRecent).Put([]byte("big"), make([]byte, 1<<20)) }
	errs := h.queue(put("first", good), big, put("third", good))()
	if errs[0] != nil || !errors.Is(errs[1], bolterrors.ErrMaxSizeReached) || errs[2] != nil {
		t.Errorf("got %v, want nil, %v and nil", errs, bolterrors.ErrMaxSizeReached)
	}
	checkKeys(t, s, map[string]bool{"first": true, "big": false, "third": true})
	if err := s.group.commit(t.Context(), put("later", good)); err != nil {
		t.Errorf("a change after it: %v", err)
	}
}

// TestGroupObeysContext: a caller that gives up returns at once; its change may still
// be committed.
func TestGroupObeysContext(t *testing.T) {
	h := hold(t, mustTemp(t))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.group.commit(ctx, put("late", good)) }()
	for h.waiting() != 1 {
		runtime.Gosched() // it is about to queue
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) { // while the first is still held
		t.Errorf("got %v", err)
	}
	h.release()
	h.group.wait()
	checkKeys(t, h.Store, map[string]bool{"late": true})
}

// TestCloseWaits for the change in progress and those that wait for it, even
// where nobody waits for them any more.
func TestCloseWaits(t *testing.T) {
	for range 10 {
		path := filepath.Join(t.TempDir(), "test.db")
		h := hold(t, mustOpen(t, path))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- h.group.commit(ctx, put("late", good)) }()
		for h.waiting() != 1 {
			runtime.Gosched() // it is about to queue
		}
		cancel()
		<-done
		closed := make(chan error)
		go func() { closed <- h.Close() }()
		time.Sleep(2 * time.Millisecond) // for a Close that does not wait to be first
		select {
		case <-closed:
			t.Fatal("closed during a commit")
		default:
		}
		h.release()
		if err := <-closed; err != nil {
			t.Errorf("closing: %v", err)
		}
		s := mustOpen(t, path)
		checkKeys(t, s, map[string]bool{"late": true})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
