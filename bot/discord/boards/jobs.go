package boards

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/interaction"
)

// jobs are goroutines that are waited for at the end. It is safe for concurrent use.
type jobs struct {
	log     *slog.Logger
	running atomic.Int64
	over    context.Context // ends when the end has come
	end     context.CancelFunc
}

func newJobs(log *slog.Logger) *jobs {
	j := &jobs{log: log}
	j.over, j.end = context.WithCancel(context.Background())
	return j
}

// run runs a function in a goroutine.
func (j *jobs) run(f func()) {
	j.running.Add(1)
	go func() {
		defer j.running.Add(-1)
		defer interaction.LogPanic(j.log, "")
		f()
	}()
}

// isEnding reports whether the end has come.
func (j *jobs) isEnding() bool { return j.over.Err() != nil }

// wait waits until nothing runs, but not longer than atMost. It reports whether nothing does.
func (j *jobs) wait(atMost time.Duration) bool {
	for end := time.Now().Add(atMost); j.running.Load() > 0; time.Sleep(5 * time.Millisecond) {
		if !time.Now().Before(end) {
			return false
		}
	}
	return true
}

// worker runs a function in a goroutine of its own whenever there is something to do, and has no
// goroutine otherwise. It is safe for concurrent use.
type worker struct {
	mu      sync.Mutex // protects the fields below
	running bool
	again   bool
}

// wake has the worker run a function, which returns when it finds nothing to do. It is run again
// after a wake in the meantime, and after a panic as after any other return.
func (w *worker) wake(j *jobs, work func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = true
	if w.running {
		return
	}
	w.running = true
	j.run(func() {
		for w.begin() {
			func() {
				defer interaction.LogPanic(j.log, "")
				work()
			}()
		}
	})
}

// begin reports whether there is something to do; otherwise the goroutine is about to end.
func (w *worker) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.again = w.again, false
	return w.running
}

// isRunning reports whether there is a goroutine.
func (w *worker) isRunning() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running
}
