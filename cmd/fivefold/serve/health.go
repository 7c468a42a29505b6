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
	store     prober
	connected func() bool
	stopping  <-chan struct{}
	silence   time.Duration // how long the store may be silent before the bot is not ready
}

const (
	// hung is how long the store may be silent before the bot counts as dead. A busy disk is silent
	// for less.
	hung = time.Minute
	// Silence is enough for a database to fail over: two connections time out after four seconds
	// each. Requests give up after twelve, so a balancer has left the bot by then.
	Silence = 8 * time.Second
	// ProbeDatabaseEvery is the time from one probe of a database to the next.
	ProbeDatabaseEvery = 2 * time.Second
	// probeFileEvery is longer, since each probe of a file writes to its disk.
	probeFileEvery = 10 * time.Second
)

// alive returns what is wrong if only a restart can help, or nil.
func (h *health) alive(context.Context) error {
	if waiting, _ := h.store.known(); waiting > hung {
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
	if waiting, wrong := h.store.known(); wrong != nil {
		faults = append(faults, fmt.Errorf("the store does not save: %w", postgres.Advised(wrong)))
	} else if waiting > h.silence {
		faults = append(faults, notAnswered(waiting))
	}
	return errors.Join(faults...)
}

func notAnswered(waiting time.Duration) error {
	return fmt.Errorf("the store has not answered for %v", waiting.Round(time.Second))
}

// prober keeps what is known of the store.
type prober struct {
	mu      sync.Mutex // protects the fields below
	began   time.Time  // the beginning of the running probe; zero for none
	outcome error      // of the last probe that has ended
}

// keepProbing probes the store until ctx ends, one probe after another.
func (p *prober) keepProbing(ctx context.Context, store func(context.Context) error, every time.Duration) {
	for work.Sleep(ctx, every) == nil {
		p.probe(ctx, store)
	}
}

func (p *prober) probe(ctx context.Context, store func(context.Context) error) {
	p.mu.Lock()
	p.began = time.Now()
	p.mu.Unlock()
	err := store(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began, p.outcome = time.Time{}, err
}

// known returns how long the running probe has taken, or 0, and the outcome of the one before.
func (p *prober) known() (waiting time.Duration, outcome error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.began.IsZero() {
		waiting = time.Since(p.began)
	}
	return waiting, p.outcome
}
