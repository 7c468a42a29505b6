package simulate

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// each works on 0 to n-1 in this order, several at a time; workers is how many, and 0
// means one for each processor. When one fails or ctx ends it begins no other, and
// returns the failure or why ctx ended once all that are begun are done.
func each(ctx context.Context, n, workers int, work func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		wait sync.WaitGroup
		next atomic.Int64
	)
	for range min(workers, n) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := work(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}
