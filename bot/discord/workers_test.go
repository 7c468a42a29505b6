package discord

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestWorkers: a goroutine is used again, and none stays.
func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, ran := workers{free: make(chan func())}, 0
		count := func() int {
			runtime.GC() // it stops the world: those that were just ending have ended then
			return runtime.NumGoroutine()
		}
		before := count()
		for range 1000 {
			w.run(func() { ran++ })
			synctest.Wait()
		}
		if more := count() - before; ran != 1000 || more != 1 {
			t.Errorf("%d of 1000 ran, and there are %d goroutines more", ran, more)
		}
		time.Sleep(2 * idleFor)
		synctest.Wait()
		if more := count() - before; more > 0 {
			t.Errorf("%d goroutines stay", more)
		}
	})
}
