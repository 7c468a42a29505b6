package boards

import (
	"log/slog"
	"sync"
	"time"

	"fivefold/bot/discord/interaction"
)

// jobs are goroutines that somebody waits for at the end. It is safe for concurrent use.
type jobs struct {
	log  *slog.Logger
	over chan struct{} // closed when the end has come
	idle chan struct{} // closed when nothing runs after that

	mu      sync.Mutex // protects the fields below
	running int
	ending  bool
}

func newJobs(log *slog.Logger) *jobs {
	return &jobs{log: log, over: make(chan struct{}), idle: make(chan struct{})}
}

// run runs a function in a goroutine.
func (j *jobs) run(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running++
	go func() {
		defer j.ended()
		defer interaction.LogPanic(j.log, "")
		f()
	}()
}

func (j *jobs) ended() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running--
	j.checkIdle()
}

// checkIdle is called with mu held.
func (j *jobs) checkIdle() {
	if j.ending && j.running == 0 {
		select {
		case <-j.idle:
		default:
			close(j.idle)
		}
	}
}

// isEnding reports whether the end has come.
func (j *jobs) isEnding() bool {
	select {
	case <-j.over:
		return true
	default:
		return false
	}
}

// rest reports whether nothing runs.
func (j *jobs) rest() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running == 0
}

// end says that the end has come.
func (j *jobs) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ending {
		j.ending = true
		close(j.over)
	}
	j.checkIdle()
}

// wait waits until nothing runs after the end, but not longer than atMost. It reports whether
// nothing does.
func (j *jobs) wait(atMost time.Duration) bool {
	select {
	case <-j.idle:
		return true
	case <-time.After(atMost):
		return false
	}
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
