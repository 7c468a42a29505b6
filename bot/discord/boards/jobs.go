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

// worker calls step in a goroutine of its own as long as there is something to do, and has no goroutine
// otherwise. It is safe for concurrent use.
type worker struct {
	jobs *jobs
	// step does the next thing if it is time for that. It returns how long to wait before it is called again;
	// negative if there is nothing to do.
	step func() time.Duration

	mu      sync.Mutex // protects running
	running bool
	woken   chan struct{} // has a value if step is to be called again; has room for one
}

func newWorker(j *jobs, step func() time.Duration) *worker {
	return &worker{jobs: j, step: step, woken: make(chan struct{}, 1)}
}

// wake has step called soon.
func (w *worker) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.woken <- struct{}{}:
	default:
	}
	if !w.running {
		w.running = true
		w.jobs.run(w.work)
	}
}

func (w *worker) work() {
	for {
		wait := w.try()
		if wait < 0 && w.ends() {
			return
		}
		w.pause(wait)
	}
}

// try calls step, which is called again after a panic.
func (w *worker) try() (wait time.Duration) {
	defer interaction.LogPanic(w.jobs.log, "")
	return w.step()
}

// ends reports whether the goroutine is about to end, since there is nothing to do.
func (w *worker) ends() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.woken:
	default:
		w.running = false
	}
	return !w.running
}

// pause waits for a while, or until there is more to do, or the end has come.
func (w *worker) pause(wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	over := w.jobs.over.Done()
	if w.jobs.isEnding() {
		over = nil
	}
	select {
	case <-w.woken:
	case <-timer.C:
	case <-over:
	}
}

// isRunning reports whether there is a goroutine.
func (w *worker) isRunning() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running
}
