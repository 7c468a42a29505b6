package bolt

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// held is a map whose first change stays in its transaction until it is released, so that
// those after it share the next one.
type held struct {
	*Map
	release      func()
	first        chan error
	transactions int // that were begun after the first one
}

func hold(t *testing.T, m *Map) *held {
	t.Helper()
	inside, leave := make(chan struct{}), make(chan struct{})
	h := &held{Map: m, first: make(chan error, 1), release: sync.OnceFunc(func() { close(leave) })}
	first := true
	m.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		if !first {
			h.transactions++
			return update(db, f)
		}
		first = false
		close(inside)
		<-leave
		return update(db, f)
	}
	go func() { h.first <- m.Commit(context.Background(), set("held", "")) }()
	<-inside
	t.Cleanup(func() {
		h.release()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// queue commits the changes so that they wait in this order. It returns a function
// that releases the first one and returns the others' answers.
func (h *held) queue(changes ...ordered.Change) func() []error {
	errs := make([]error, len(changes))
	var wg sync.WaitGroup
	for i, c := range changes {
		wg.Go(func() { errs[i] = h.Commit(context.Background(), c) })
		h.waitFor(i + 1)
	}
	return func() []error {
		h.release()
		wg.Wait()
		return errs
	}
}

// waitFor returns when n changes wait.
func (h *held) waitFor(n int) {
	for waiting := -1; waiting != n; runtime.Gosched() {
		h.group.mu.Lock()
		waiting = len(h.group.waiting)
		h.group.mu.Unlock()
	}
}

func checkKeys(t *testing.T, m *Map, want ...string) {
	t.Helper()
	got := all(t, m)
	delete(got, "held")
	for _, key := range want {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	if len(got) != len(want) {
		t.Errorf("there is %v, want %v", got, want)
	}
}

// TestGroupCommitsTogether: changes that meet while another one is committed share one
// transaction, even with a conflict among them. Conditions see what the changes before them did.
func TestGroupCommitsTogether(t *testing.T) {
	h := hold(t, mustTemp(t))
	second := set("b", "1")
	second.If = []ordered.Pair{{Key: "a", Value: []byte("1")}}
	conflict := set("c", "1")
	conflict.If = []ordered.Pair{{Key: "a"}}
	errs := h.queue(set("a", "1"), second, conflict, set("d", "1"))()
	for i, err := range errs {
		if (i == 2) != errors.Is(err, game.ErrConflict) || i != 2 && err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	checkKeys(t, h.Map, "a", "b", "d")
	if h.transactions != 1 {
		t.Errorf("changes that met were committed in %d transactions", h.transactions)
	}
}

// TestGroupExpires: a change whose request expires while it waits for another transaction is not made; the next one is.
func TestGroupExpires(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	synctest.Test(t, func(t *testing.T) {
		h := hold(t, mustOpen(t, path))
		late := make(chan error, 1)
		go func() {
			late <- h.Commit(game.Origin{Expires: time.Now().Add(time.Second)}.ForCommit(t.Context()), set("late", ""))
		}()
		h.waitFor(1)
		time.Sleep(time.Second)
		next := make(chan error, 1)
		go func() { next <- h.Commit(t.Context(), set("next", "")) }()
		h.waitFor(2)
		h.release()
		if err := <-late; !errors.Is(err, game.ErrExpired) {
			t.Errorf("the late one: %v", err)
		}
		if err := <-next; err != nil {
			t.Errorf("the next one: %v", err)
		}
		checkKeys(t, h.Map, "next")
	})
}

// TestGroupFailsAlone: when a change fails, the others are still committed.
func TestGroupFailsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		second ordered.Change
		want   error
	}{
		"an error":   {set("second", "", "", ""), bolterrors.ErrKeyRequired},
		"damage":     {set("second", "", "like a bucket", ""), game.ErrDamaged},
		"a conflict": {ordered.Change{If: []ordered.Pair{{Key: "x", Value: []byte{}}}, Set: set("second", "").Set}, game.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			m := mustTemp(t)
			if err := update(m.db, func(tx *bbolt.Tx) error {
				_, err := tx.Bucket(bucketRecords).CreateBucket([]byte("like a bucket"))
				return err
			}); err != nil {
				t.Fatal(err)
			}
			h := hold(t, m)
			errs := h.queue(set("first", ""), c.second, set("third", ""))()
			if errs[0] != nil || !errors.Is(errs[1], c.want) || errs[2] != nil {
				t.Errorf("got %v, want nil, %v and nil", errs, c.want)
			}
			if err := <-h.first; err != nil {
				t.Errorf("the change before them: %v", err)
			}
			mustCommit(t, m, set("later", ""))
			if err := update(m.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketRecords).DeleteBucket([]byte("like a bucket")) }); err != nil {
				t.Fatal(err)
			}
			checkKeys(t, m, "first", "third", "later")
		})
	}
}

// TestGroupOnFullDisk: changes that find room are committed, and so are later ones.
func TestGroupOnFullDisk(t *testing.T) {
	m := mustTemp(t)
	m.db.MaxSize = 1 // the file may not grow
	h := hold(t, m)
	errs := h.queue(set("first", ""), set("big", string(make([]byte, 1<<20))), set("third", ""))()
	if errs[0] != nil || !errors.Is(errs[1], bolterrors.ErrMaxSizeReached) || !errors.Is(errs[1], game.ErrNotSaved) || errs[2] != nil {
		t.Errorf("got %v, want nil, %v and nil", errs, bolterrors.ErrMaxSizeReached)
	}
	checkKeys(t, m, "first", "third")
	mustCommit(t, m, set("later", ""))
}

// TestGroupObeysContext: a caller that gives up while its change waits returns at once, and the change is not made. Close waits
// for the transaction that has begun, and makes the changes that still wait.
func TestGroupObeysContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	h := hold(t, mustOpen(t, path))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.Commit(ctx, set("given up", "")) }()
	h.waitFor(1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) { // while the first is still held
		t.Errorf("got %v", err)
	}
	waiting := h.queue(set("late", ""))
	closed := make(chan error)
	go func() { closed <- h.Close() }()
	for open := true; open; runtime.Gosched() {
		h.group.mu.Lock()
		open = !h.group.closed
		h.group.mu.Unlock()
	}
	select {
	case <-closed:
		t.Error("closed during a commit")
	default:
	}
	if err := waiting()[0]; err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	m := mustOpen(t, path)
	defer m.Close()
	checkKeys(t, m, "late")
}
