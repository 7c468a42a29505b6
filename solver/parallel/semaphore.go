// Package parallel runs searches side by side, no more at a time than there is room for,
// and stops them.
package parallel

import (
	"context"
	"time"
)

// Semaphore limits how many searches run at a time to its capacity. It is safe for
// concurrent use.
type Semaphore chan struct{}

// Acquire waits for a slot and returns true: the caller must Release it. It returns
// false if ctx ends first.
func (t Semaphore) Acquire(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// AcquireWithin is Acquire with a limit to the wait.
func (t Semaphore) AcquireWithin(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return t.Acquire(ctx)
}

// Release gives the slot back.
func (t Semaphore) Release() { <-t }
