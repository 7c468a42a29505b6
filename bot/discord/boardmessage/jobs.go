package boardmessage

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"fivefold/bot"
)

// jobs are goroutines that finish before the program ends. It is safe for concurrent use.
type jobs struct {
	log     *slog.Logger
	running atomic.Int64
	over    context.Context // ends when the program is ending
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
		defer bot.LogPanic(j.log, "")
		f()
	}()
}

// isEnding reports whether the end has come.
func (j *jobs) isEnding() bool { return j.over.Err() != nil }

// wait waits until no job is running, but not longer than atMost. It reports whether none is.
func (j *jobs) wait(atMost time.Duration) bool {
	for end := time.Now().Add(atMost); j.running.Load() > 0; time.Sleep(5 * time.Millisecond) {
		if !time.Now().Before(end) {
			return false
		}
	}
	return true
}

// pause waits for a while, until woken has a value, or until the end comes.
func (j *jobs) pause(wait time.Duration, woken <-chan struct{}) {
	over := j.over.Done()
	if j.isEnding() { // a call at the end still needs its wait
		over = nil
	}
	select {
	case <-woken:
	case <-time.After(wait):
	case <-over:
	}
}
