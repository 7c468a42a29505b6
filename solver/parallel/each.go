package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls work with i from 0 to n-1. Calls begin in this order, in as many goroutines as workers says, but at most
// n. If workers is below 1, there is one for each processor. work also gets the number of its goroutine, from 0. No
// two calls have the same number at the same time.
//
// After ctx ends no more calls begin. Each returns when all that have begun are done. If a call panics, no more begin
// either, and Each panics in the caller's goroutine. The error contains the stack. So work must not leave a mutex
// locked when it panics.
func Each(ctx context.Context, workers, n int, work func(worker, i int)) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		wait   sync.WaitGroup
		next   atomic.Int64
		failed atomic.Pointer[error] // the error of the first panic
	)
	for worker := range min(workers, n) {
		wait.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					err := fmt.Errorf("%v\n\n%s", v, debug.Stack())
					failed.CompareAndSwap(nil, &err)
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
	if err := failed.Load(); err != nil {
		panic(*err)
	}
}
