package parallel

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestEach: every number is worked on once, by no more workers than wanted.
func TestEach(t *testing.T) {
	for _, c := range []struct{ workers, n int }{{3, 0}, {3, 20}, {5, 2}, {0, 20}} {
		var mu sync.Mutex
		begun := map[int]int{}
		Each(t.Context(), c.workers, c.n, func(worker, i int) {
			mu.Lock()
			defer mu.Unlock()
			begun[i]++
			if c.workers > 0 && worker >= c.workers {
				t.Errorf("worker %d of %d", worker, c.workers)
			}
		})
		for i := range c.n {
			if begun[i] != 1 || len(begun) != c.n {
				t.Errorf("%d of %d, by %d workers: %d times", i, c.n, c.workers, begun[i])
			}
		}
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	Each(ctx, 2, 5, func(_, i int) { t.Errorf("%d was begun", i) })
}

// TestEachSideBySide: as many calls run at a time as there are workers, and no two of
// them have the same worker.
func TestEachSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, n = 3, 12
		var running [workers]atomic.Bool
		var most, now atomic.Int32
		Each(t.Context(), workers, n, func(worker, _ int) {
			if running[worker].Swap(true) {
				t.Errorf("worker %d works on two at a time", worker)
			}
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second) // the clock of synctest moves when all sleep
			now.Add(-1)
			running[worker].Store(false)
		})
		if most.Load() != workers {
			t.Errorf("%d ran at a time, want %d", most.Load(), workers)
		}
	})
}

func fail(what any) { panic(what) }

// TestEachPanic: a panic reaches the caller with its value and stack, once all other
// calls are done, and no more begin.
func TestEachPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun, done atomic.Int32
		var all sync.WaitGroup
		all.Add(3)
		text := caught(func() {
			Each(t.Context(), 3, 20, func(_, i int) {
				begun.Add(1)
				all.Done()
				all.Wait()
				if i == 1 { // from within another one, it keeps its stack
					Each(t.Context(), 2, 1, func(_, _ int) { fail("a fault of ours") })
				}
				time.Sleep(time.Second) // longer than a caller that does not wait
				done.Add(1)
			})
		})
		if !strings.HasPrefix(text, "a fault of ours\n") || !strings.Contains(text, "parallel.fail") {
			t.Errorf("got %q, want the fault and where it was", text)
		}
		if begun.Load() != 3 || done.Load() != 2 {
			t.Errorf("%d were begun and %d done, want 3 and 2", begun.Load(), done.Load())
		}
	})
}

// caught returns what f panics with.
func caught(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}
