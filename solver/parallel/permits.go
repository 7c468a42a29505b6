// Package parallel spreads work over goroutines and limits how much of it there is
// at a time.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

// Permits is the pool of permits for all work of a program that costs CPU: more than a millisecond or so. Solvers and
// fronts of one program share one. It is safe for concurrent use.
//
// Searches and reviews together have one permit fewer than there are processors, but at least one: a processor is
// left for playing. If they have several permits, reviews leave one for searches. Brief work has permits of its own,
// so that it never waits for searches.
//
// Each asker (see [For]) has one place for each cost: one piece of its work at a time holds a permit or waits for
// one, so an asker with a lot of work can't keep others waiting. Waiting has a time limit.
//
// A nil pool gives every permit at once. That is for programs with a single user.
type Permits struct {
	brief, heavy, reviews semaphore
	places                [costs][256]semaphore // by a hash of the asker; askers with the same hash take turns
	stats                 [costs]struct{ inUse, waiting, refused atomic.Int64 }
}

// semaphore has room for as many as may work at a time. Those that wait are first come, first served.
type semaphore chan struct{}

// Cost is how much CPU a piece of work takes.
type Cost uint8

// The costs.
const (
	Brief  Cost = iota // some milliseconds: a picture, or the boards of a deal
	Search             // some hundred milliseconds: a hint, advice, a new deal
	Review             // as much as Search, but less urgent

	costs = iota
)

// Costs returns all costs.
func Costs() []Cost { return []Cost{Brief, Search, Review} }

// String returns "brief", "search" or "review".
func (c Cost) String() string { return [...]string{"brief", "search", "review"}[c] }

// patience is the longest wait for a permit. After that wait and its work, a request is still answered within 2.5
// seconds; see MaxAge in bot/admission.
var patience = [costs]time.Duration{Brief: time.Second, Search: 2 * time.Second, Review: 2 * time.Second}

// ErrBusy means that no permit was free in time.
var ErrBusy = errors.New("too much is being worked on")

// NewPermits returns the pool for a number of processors; below 1 means those of the
// machine.
func NewPermits(processors int) *Permits {
	if processors < 1 {
		processors = runtime.GOMAXPROCS(0)
	}
	heavy := max(processors-1, 1)
	p := &Permits{brief: make(semaphore, processors), heavy: make(semaphore, heavy), reviews: make(semaphore, max(heavy-1, 1))}
	for c := range p.places {
		for i := range p.places[c] {
			p.places[c][i] = make(semaphore, 1)
		}
	}
	return p
}

// Permit is the right to work. It must be released once, by any goroutine.
type Permit struct {
	pool   *Permits // nil without a pool
	cost   Cost
	ctx    context.Context
	held   []semaphore
	others int // how many waited for a permit of this cost when this one was given
}

type askerKey struct{}

// For returns a context whose permits are for the asker: a server, or the channel of direct messages. All contexts
// without an asker share one.
func For(ctx context.Context, asker string) context.Context {
	return context.WithValue(ctx, askerKey{}, asker)
}

// Acquire waits for a permit. The error is [ErrBusy], or ctx's if it ends first.
//
// Work that holds a permit must not wait for another one.
func (p *Permits) Acquire(ctx context.Context, c Cost) (*Permit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := &Permit{pool: p, cost: c, ctx: ctx}
	if p == nil {
		return m, nil
	}
	asker, _ := ctx.Value(askerKey{}).(string)
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(asker)) // never fails
	place := p.places[c][hash.Sum32()%uint32(len(p.places[c]))]
	needed := map[Cost][]semaphore{Brief: {place, p.brief}, Search: {place, p.heavy}, Review: {place, p.reviews, p.heavy}}[c]
	stats := &p.stats[c]
	stats.waiting.Add(1)
	patient, cancel := context.WithTimeout(ctx, patience[c])
	defer cancel()
	for _, s := range needed {
		select {
		case s <- struct{}{}:
			m.held = append(m.held, s)
		case <-patient.Done():
			stats.waiting.Add(-1)
			m.giveBack()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			stats.refused.Add(1)
			return nil, fmt.Errorf("after %v: %w", patience[c], ErrBusy)
		}
	}
	stats.inUse.Add(1)
	m.others = int(stats.waiting.Add(-1))
	return m, nil
}

// giveBack frees the asker's place last, so that others come before the asker's next work.
func (m *Permit) giveBack() {
	for _, s := range slices.Backward(m.held) {
		<-s
	}
}

// Release gives the permit back.
func (m *Permit) Release() {
	if m.pool != nil {
		m.pool.stats[m.cost].inUse.Add(-1)
		m.giveBack()
	}
}

// Limit returns how long the work may take. full is the time if no other work waits. If others waited when this
// permit was given, full is divided among all. Limit returns at most half of the time that the permit's context has
// left.
func (m *Permit) Limit(full time.Duration) time.Duration {
	limit := full / time.Duration(1+m.others)
	if end, ok := m.ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	return max(limit, 0)
}

// Stats is what a pool does for one cost.
type Stats struct {
	InUse, Waiting int
	Refused        uint64 // requests that got [ErrBusy]
}

// Stats returns what the pool does at the moment, by cost.
func (p *Permits) Stats() map[Cost]Stats {
	all := map[Cost]Stats{}
	for _, c := range Costs() {
		s := &p.stats[c]
		all[c] = Stats{int(s.inUse.Load()), int(s.waiting.Load()), uint64(s.refused.Load())}
	}
	return all
}
