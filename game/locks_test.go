package game

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func mustLock(t *testing.T, l *keyedLock[string], key string) (unlock func()) {
	t.Helper()
	unlock, _, err := l.Lock(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return unlock
}

func checkEmpty(t *testing.T, l *keyedLock[string]) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) != 0 {
		t.Errorf("%d entries are left", len(l.entries))
	}
}

// TestKeyedLockExcludes has many goroutines dwell in two keys: never two in the
// same one, and both keys at once.
func TestKeyedLockExcludes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l keyedLock[string]
		var mu sync.Mutex // protects the map
		inside := map[string]int{}
		enter := func(key string, n int) int {
			mu.Lock()
			defer mu.Unlock()
			inside[key] += n
			return inside[key]
		}
		began := time.Now()
		var wg sync.WaitGroup
		for range 100 {
			for _, key := range []string{"a", "b"} {
				wg.Go(func() {
					defer mustLock(t, &l, key)()
					if n := enter(key, 1); n != 1 {
						t.Errorf("%d hold %s", n, key)
					}
					time.Sleep(time.Second)
					enter(key, -1)
				})
			}
		}
		wg.Wait()
		if took := time.Since(began); took != 100*time.Second {
			t.Errorf("100 turns of a second in each of two keys took %v", took)
		}
		checkEmpty(t, &l)
	})
}

func TestKeyedLockKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l keyedLock[string]
		unlock := mustLock(t, &l, "a")
		var order, want []int
		var wg sync.WaitGroup
		for i := range 20 {
			want = append(want, i)
			wg.Go(func() {
				defer mustLock(t, &l, "a")()
				order = append(order, i)
			})
			synctest.Wait() // until it queues
		}
		unlock()
		wg.Wait()
		if !slices.Equal(order, want) {
			t.Errorf("served in the order %v", order)
		}
		checkEmpty(t, &l)
	})
}

func TestKeyedLockObeysContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l keyedLock[string]
		unlock := mustLock(t, &l, "a")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if _, _, err := l.Lock(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("gave up after %v, want 1m", took)
		}
		// The one that gave up holds nothing and blocks nothing.
		var wg sync.WaitGroup
		wg.Go(func() { mustLock(t, &l, "a")() })
		synctest.Wait()
		unlock()
		wg.Wait()
		checkEmpty(t, &l)
	})
}

// TestKeyedLockWaits: only a key that was free is taken without waiting.
func TestKeyedLockWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l keyedLock[string]
		lock := func(key string, want bool) (unlock func()) {
			unlock, waited, err := l.Lock(t.Context(), key)
			if err != nil || waited != want {
				t.Errorf("%s: waited %t, %v, want %t", key, waited, err, want)
			}
			return unlock
		}
		first := lock("a", false)
		lock("b", false)()
		var wg sync.WaitGroup
		wg.Go(func() { lock("a", true)() })
		synctest.Wait() // until it queues
		first()
		wg.Wait()
		lock("a", false)()
	})
}
