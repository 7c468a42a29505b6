package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls work for 0 to n-1, beginning in this order, in as many goroutines as there are
// workers, or fewer if n is less; workers below 1 means one for each processor. work is
// given the number of its goroutine, from 0, which no other call has at the same time.
//
// After ctx ends no more calls begin. Each returns when all that have begun are done.
// If one panics, no more begin either, and Each panics with a *[Panic] in the caller's
// goroutine. So work must not leave a mutex locked when it panics.
func Each(ctx context.Context, workers, n int, work func(worker, i int)) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		wait   sync.WaitGroup
		next   atomic.Int64
		failed atomic.Pointer[Panic] // the first
	)
	for worker := range min(workers, n) {
		wait.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					failed.CompareAndSwap(nil, asPanic(v))
				}
			}()
			for failed.Load() == nil && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(worker, i)
			}
		})
	}
	wait.Wait()
	if p := failed.Load(); p != nil {
		panic(p)
	}
}

// TryEach is [Each] for work that can fail. The first error ends the context that work
// is given, and no more calls begin. TryEach returns that error or, if ctx ended before, the
// cause of that.
func TryEach(ctx context.Context, workers, n int, work func(ctx context.Context, worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	Each(ctx, workers, n, func(worker, i int) {
		if err := work(ctx, worker, i); err != nil {
			cancel(err)
		}
	})
	return context.Cause(ctx)
}

// Panic is a panic of another goroutine.
type Panic struct {
	Value any    // what it panicked with
	Stack []byte // of that goroutine
}

// asPanic must be called by the deferred function that recovered.
func asPanic(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p // of an Each within work
	}
	return &Panic{value, debug.Stack()}
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns what it panicked with if that is an error, such as a [runtime.Error].
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
