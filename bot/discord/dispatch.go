package discord

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// maxInFlight is how many interactions are answered at once. Beyond that, reading
// from the gateway pauses until one is done; heartbeats go on meanwhile.
const maxInFlight = 512

// dispatcher runs a bounded number of handlers, each in a goroutine of its own,
// survives their panics and can wait for them. discordgo does none of this.
type dispatcher struct {
	semaphore chan struct{}
	running   sync.WaitGroup
	log       *slog.Logger
	// handlers is the handlers' context. It outlives the front's, so that
	// interactions received before the end are still answered.
	handlers context.Context
	cancel   context.CancelFunc
}

func newDispatcher(most int, log *slog.Logger) *dispatcher {
	handlers, cancel := context.WithCancel(context.Background())
	return &dispatcher{semaphore: make(chan struct{}, most), log: log, handlers: handlers, cancel: cancel}
}

// run starts a handler as soon as fewer than the maximum are running. If ctx ends
// first, the handler is not run.
func (d *dispatcher) run(ctx context.Context, id string, handler func(context.Context)) {
	select {
	case <-ctx.Done():
		return
	case d.semaphore <- struct{}{}:
	}
	d.running.Go(func() {
		defer func() { <-d.semaphore }()
		defer logPanic(d.log, id)
		handler(d.handlers)
	})
}

// drain waits until every handler has returned, or until the timeout; then it
// cancels their context and returns.
func (d *dispatcher) drain(timeout time.Duration) {
	defer d.cancel()
	done := make(chan struct{})
	go func() {
		d.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(timeout):
		d.log.Warn("stopping before all interactions were answered", "count", len(d.semaphore))
	}
}

// logPanic recovers from a panic and logs it with its stack. It must be deferred
// directly.
func logPanic(log *slog.Logger, id string) {
	if p := recover(); p != nil {
		log.Error("panic while answering", "id", id, "panic", p, "stack", string(debug.Stack()))
	}
}
