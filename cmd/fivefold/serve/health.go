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

// health says at once whether the bot works, from what is known.
type health struct {
	store     prober
	connected func() bool
	stopping  <-chan struct{}
	silence   time.Duration // of the store, after which the bot cannot serve players
}

const (
	// hung is how long the store may take to answer before the bot counts as dead: a busy disk must
	// not get it restarted.
	hung = time.Minute
	// Silence is long enough for a database to fail over: a connection that hangs is given up after four
	// seconds, and the next try has four as well. With the time between probes, a balancer leaves
	// the bot alone before its requests give up, which they do after twelve.
	Silence = 8 * time.Second
	// ProbeDatabaseEvery is the time from one probe to the next.
	ProbeDatabaseEvery = 2 * time.Second
	// probeFileEvery is longer: each probe writes to a disk that may be asleep or wear out.
	probeFileEvery = 10 * time.Second
)

// alive returns what is wrong if only a restart can help.
func (h *health) alive(context.Context) error {
	if waiting, _ := h.store.known(); waiting > hung {
		return notAnswered(waiting)
	}
	return nil
}

// ready returns why the bot cannot serve players, if it cannot.
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

// prober keeps what is known of the store. The first probe is to end before anybody asks.
type prober struct {
	mu      sync.Mutex // protects the fields below
	began   time.Time  // when the running probe did; zero between two
	outcome error      // of the latest that has ended
}

// keepProbing probes the store again and again until ctx ends, one probe at a time.
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

// known returns how long the running probe has taken so far, or 0, and the outcome of the one before.
func (p *prober) known() (waiting time.Duration, outcome error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.began.IsZero() {
		waiting = time.Since(p.began)
	}
	return waiting, p.outcome
}
