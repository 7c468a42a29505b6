package parallel

import (
	"context"
	"errors"
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
		fault := errors.New("a fault of ours")
		var begun, done atomic.Int32
		var all sync.WaitGroup
		all.Add(3)
		p := caught(func() {
			Each(t.Context(), 3, 20, func(_, i int) {
				begun.Add(1)
				all.Done()
				all.Wait()
				if i == 1 { // from within another one, it keeps its stack
					Each(t.Context(), 2, 1, func(_, _ int) { fail(fault) })
				}
				time.Sleep(time.Second) // longer than a caller that does not wait
				done.Add(1)
			})
		})
		if p == nil || !errors.Is(p, fault) || p.Value != any(fault) {
			t.Fatalf("got %v, want a panic with %v", p, fault)
		}
		if !strings.Contains(p.Error(), "parallel.fail") {
			t.Errorf("the panic does not say where: %v", p)
		}
		if begun.Load() != 3 || done.Load() != 2 {
			t.Errorf("%d were begun and %d done, want 3 and 2", begun.Load(), done.Load())
		}
	})
}

// caught returns what f panics with.
func caught(f func()) (p *Panic) {
	defer func() { p, _ = recover().(*Panic) }()
	f()
	return nil
}

// TestTryEach: the first error, or why ctx ended, is returned.
func TestTryEach(t *testing.T) {
	fault := errors.New("of the work")
	gone := errors.New("the caller has gone")
	for _, test := range []struct {
		name       string
		n, workers int
		fails      int // this one, if not negative
		ends       int // at this one ctx ends, if not negative
		want       error
		begun      int
	}{
		{"all of it", 20, 3, -1, -1, nil, 20},
		{"one fails", 20, 1, 4, -1, fault, 5},
		{"ctx ends", 20, 1, -1, 4, gone, 5},
		{"one fails after ctx ended", 20, 1, 4, 4, gone, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			var begun atomic.Int32
			err := TryEach(ctx, test.workers, test.n, func(_ context.Context, _, i int) error {
				begun.Add(1)
				if i == test.ends {
					end(gone)
				}
				if i == test.fails {
					return fault
				}
				return nil
			})
			if !errors.Is(err, test.want) || int(begun.Load()) != test.begun {
				t.Errorf("got %v after %d, want %v after %d", err, begun.Load(), test.want, test.begun)
			}
		})
	}
}

// TestTryEachSideBySide: when one fails, the context of the others ends.
func TestTryEachSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("of the work")
		var all sync.WaitGroup
		all.Add(3)
		err := TryEach(t.Context(), 3, 20, func(ctx context.Context, _, i int) error {
			if i > 2 {
				t.Errorf("%d was begun after one had failed", i)
				return nil
			}
			all.Done()
			all.Wait()
			if i == 1 {
				return fault
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if !errors.Is(err, fault) {
			t.Errorf("got %v, want %v", err, fault)
		}
	})
}
