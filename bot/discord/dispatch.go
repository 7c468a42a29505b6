package discord

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// maxInFlight is how many interactions are answered at once. Beyond it the
// gateway is read no further until one is done; heartbeats go on meanwhile.
const maxInFlight = 512

// dispatcher runs a bounded number of handlers, each in a goroutine of its own,
// survives their panics, and can wait for them. discordgo's own does none of it.
type dispatcher struct {
	slots   chan struct{}
	running sync.WaitGroup
	log     *slog.Logger
	// life is the handlers' context: it outlives the front's, so that what was
	// received is still answered when the front is to end.
	life context.Context
	end  context.CancelFunc
}

func newDispatcher(most int, log *slog.Logger) *dispatcher {
	life, end := context.WithCancel(context.Background())
	return &dispatcher{slots: make(chan struct{}, most), log: log, life: life, end: end}
}

// run starts a handler, after waiting for a free slot or for ctx to end; in the
// last case the handler is not run.
func (d *dispatcher) run(ctx context.Context, id string, handler func(context.Context)) {
	select {
	case <-ctx.Done():
		return
	case d.slots <- struct{}{}:
	}
	d.running.Go(func() {
		defer func() { <-d.slots }()
		defer logPanic(d.log, id)
		handler(d.life)
	})
}

// drain waits until every handler has returned. After the limit it ends their
// context and waits no longer.
func (d *dispatcher) drain(limit time.Duration) {
	defer d.end()
	done := make(chan struct{})
	go func() {
		d.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
		d.log.Warn("some requests were not answered before the end", "count", len(d.slots))
	}
}

// logPanic recovers and logs, with the stack. It must be deferred directly.
func logPanic(log *slog.Logger, id string) {
	if p := recover(); p != nil {
		log.Error("panic while answering", "id", id, "panic", p, "stack", string(debug.Stack()))
	}
}
