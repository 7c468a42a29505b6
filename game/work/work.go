// Package work is about regular tasks, each done by one of the processes that share a store, and about waiting.
package work

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"fivefold/game"
)

// Store hands out regular tasks to the processes that share a store: any of them may do a task, one at a time.
type Store interface {
	// TakeWork gives the work of that name to the caller if it is due and no process has it. The caller has it until it calls
	// EndWork, but no longer than the lease. Work that was never given back is due. Work that takes longer than the lease may be
	// done by two processes at once, so each part of it must be something that takes effect only once.
	TakeWork(ctx context.Context, name string, lease time.Duration) (Work, bool, error)
	// EndWork gives work back, to be due again after the wait. It changes nothing if another process has the work by now.
	EndWork(ctx context.Context, w Work, wait time.Duration) error
}

// Work is what one process has taken to do.
type Work struct {
	Name       string
	Owner      string // the process
	Generation uint64 // how many times the work was taken
}

// Keep calls do until ctx ends: the first time after first, then again and again after every. It logs when do begins to fail.
func Keep(ctx context.Context, log *slog.Logger, failure string, first, every time.Duration, do func() error) {
	failed := false
	for wait := first; Sleep(ctx, wait) == nil; wait = every {
		err := do()
		if err != nil && !failed && ctx.Err() == nil && !errors.Is(err, game.ErrNotSaved) { // the store logs ErrNotSaved
			log.Error(failure, "error", err)
		}
		failed = err != nil
	}
}

// Take takes work that one process does at a time. It returns a function that gives the work back, or nil if the work is not due
// or another process has it. Without a store there are no other processes.
func Take(ctx context.Context, s Store, name string, lease time.Duration) (done func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	work, mine, err := s.TakeWork(ctx, name, lease)
	if err != nil || !mine {
		return nil, err
	}
	return func() {
		ctx, cancel := Lingering(ctx)
		defer cancel()
		_ = s.EndWork(ctx, work, 0) // if that fails, the lease ends by itself
	}, nil
}

// Lingering returns a context that ends a second after ctx. A stopping program has ten seconds, time for such a last note.
func Lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, cancel) })
	return longer, func() { stop(); cancel() }
}

// Sleep waits for d, or returns ctx's error when that ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
