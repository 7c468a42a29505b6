package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fivefold/game/work"
	"fivefold/storage/postgres"
)

// health says at once whether the bot works, by what is known.
type health struct {
	connected func() bool
	stopping  <-chan struct{}

	mu      sync.Mutex // protects the fields below
	began   time.Time  // the beginning of the running probe of the store; zero for none
	outcome error      // of the last probe that has ended
}

const (
	// hung is how long the store may be silent before the bot counts as dead. A busy disk is silent
	// for less.
	hung = time.Minute
	// silence is how long the store may be silent before the bot is not ready. It is enough for a database to fail
	// over: two connections time out after four seconds each. Requests give up after twelve, so a balancer has left
	// the bot by then.
	silence = 8 * time.Second
	// probeDatabaseEvery is the time from one probe of a database to the next.
	probeDatabaseEvery = 2 * time.Second
	// probeFileEvery is longer, since each probe of a file writes to its disk.
	probeFileEvery = 10 * time.Second
)

// alive returns what is wrong if only a restart can help, or nil.
func (h *health) alive(context.Context) error {
	if waiting, _ := h.known(); waiting > hung {
		return notAnswered(waiting)
	}
	return nil
}

// ready returns why the bot cannot serve players, or nil.
func (h *health) ready(context.Context) error {
	select {
	case <-h.stopping:
		return errors.New("the bot is stopping")
	default:
	}
	var faults []error
	if !h.connected() {
		faults = append(faults, errors.New("not connected to Discord"))
	}
	if waiting, wrong := h.known(); wrong != nil {
		faults = append(faults, fmt.Errorf("the store does not save: %w", postgres.Advised(wrong)))
	} else if waiting > silence {
		faults = append(faults, notAnswered(waiting))
	}
	return errors.Join(faults...)
}

func notAnswered(waiting time.Duration) error {
	return fmt.Errorf("the store has not answered for %v", waiting.Round(time.Second))
}

// keepProbing probes the store until ctx ends, one probe after another.
func (h *health) keepProbing(ctx context.Context, store func(context.Context) error, every time.Duration) {
	for work.Sleep(ctx, every) == nil {
		h.probe(ctx, store)
	}
}

func (h *health) probe(ctx context.Context, store func(context.Context) error) {
	h.mu.Lock()
	h.began = time.Now()
	h.mu.Unlock()
	err := store(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began, h.outcome = time.Time{}, err
}

// known returns how long the running probe has taken, or 0, and the outcome of the one before.
func (h *health) known() (waiting time.Duration, outcome error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.began.IsZero() {
		waiting = time.Since(h.began)
	}
	return waiting, h.outcome
}
