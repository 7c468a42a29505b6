package admission

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestPool: every function runs at once, whatever the others wait for; a goroutine is used
// again, and none stays.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := NewPool(ctx)
		before := runtime.NumGoroutine()
		var ran atomic.Int32
		hold := make(chan struct{})
		for range 50 {
			p.Go(func() { ran.Add(1); <-hold })
		}
		synctest.Wait()
		if ran.Load() != 50 {
			t.Errorf("%d of 50 run", ran.Load())
		}
		close(hold)
		synctest.Wait()
		for range 1000 {
			p.Go(func() { ran.Add(1) })
			synctest.Wait()
		}
		if ran.Load() != 1050 {
			t.Errorf("%d of 1050 have run", ran.Load())
		}
		if more := runtime.NumGoroutine() - before; more > 50 {
			t.Errorf("there are %d goroutines more, want the 50 from before", more)
		}
	}) // it fails if a goroutine waits for ever
}
