// Package parallel spreads work over goroutines and limits how much of it there is
// at a time.
package parallel

import (
	"context"
	"runtime"
)

// Semaphore limits how many searches run at a time. Solvers of one program share one,
// so that together they run no more than the machine has processors. It is safe for
// concurrent use.
type Semaphore struct {
	slots chan struct{}
	long  chan struct{} // the slots that long searches may hold
}

// NewSemaphore returns a semaphore with n slots; n below 1 means one for each processor.
func NewSemaphore(n int) *Semaphore {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	return &Semaphore{make(chan struct{}, n), make(chan struct{}, max(n-1, 1))}
}

// Acquire waits for a slot. The caller must call release once. The error is ctx's, if
// it ends first.
//
// A search that holds a slot must not wait for another one.
func (s *Semaphore) Acquire(ctx context.Context) (release func(), err error) {
	if err := take(ctx, s.slots); err != nil {
		return nil, err
	}
	return func() { <-s.slots }, nil
}

// AcquireLong is [Semaphore.Acquire] for searches that nobody needs at once. Where there
// are several slots, they leave one free for the others.
func (s *Semaphore) AcquireLong(ctx context.Context) (release func(), err error) {
	if err := take(ctx, s.long); err != nil {
		return nil, err
	}
	if err := take(ctx, s.slots); err != nil {
		<-s.long
		return nil, err
	}
	return func() { <-s.slots; <-s.long }, nil
}

func take(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
