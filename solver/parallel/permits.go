// Package parallel spreads work over goroutines and limits how much of it there is
// at a time.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Permits is the pool of permits for all work of a program that costs CPU: more than a
// millisecond or so. Solvers and fronts of one program share one. It is safe for
// concurrent use.
//
// Searches and reviews together have one permit fewer than there are processors, but at
// least one, so that a processor is left for playing. Brief work has one more, which it
// alone uses: so searches never keep all of it waiting, even on a single processor.
//
// A nil pool gives every permit at once. That is for programs with a single user.
//
// Permits are given in turn to askers (see [For]), so that one who asks for a lot cannot
// keep others waiting. Waiting is bounded by number and by time.
type Permits struct {
	mu     sync.Mutex // protects everything below
	most   int        // permits of searches and reviews together
	lines  [costs]line
	review bool // whether a review comes before the next search
}

// Cost is how much CPU a piece of work takes.
type Cost uint8

// The costs.
const (
	Brief  Cost = iota // some milliseconds: a picture, or the boards of a deal
	Search             // some hundred: a hint, advice, a new deal
	Review             // as much, but less urgent

	costs = iota
)

// Costs returns all costs.
func Costs() []Cost { return []Cost{Brief, Search, Review} }

// String returns "brief", "search" or "review".
func (c Cost) String() string { return [...]string{"brief", "search", "review"}[c] }

// patience is how long a request waits for a permit. With the time for its work, it is
// then still answered within the 2.5 s that a request has: see MaxAge in bot/admission.
var patience = [costs]time.Duration{Brief: time.Second, Search: 2 * time.Second, Review: 2 * time.Second}

// How many requests may wait for a permit of a cost. If 60 players of a server ask at once,
// there is room for all of them, and for those of four such servers.
const (
	maxWaiting         = 256 // in all
	maxWaitingPerAsker = 64
)

// ErrBusy means that there was no permit in time, or that too many waited for one.
var ErrBusy = errors.New("too much is being worked on")

// line counts the permits of a cost that are held, and has those that are waited for.
type line struct {
	inUse   int
	refused uint64
	waiting []*Permit // the next one first
	turn    int       // of the latest one that was given
}

// NewPermits returns the pool for a number of processors; below 1 means those of the
// machine.
func NewPermits(processors int) *Permits {
	if processors < 1 {
		processors = runtime.GOMAXPROCS(0)
	}
	return &Permits{most: max(processors-1, 1)}
}

// Permit is the right to work. It must be released once, by any goroutine.
type Permit struct {
	pool   *Permits // nil if there is none
	cost   Cost
	ctx    context.Context
	asker  string
	turn   int           // the least is given first; an asker's are one after another
	given  chan struct{} // closed when it is given
	others int           // that waited for a permit of the cost when this one was given
}

type askerKey struct{}

// For returns a context whose permits are for the asker: a server, or the channel of
// direct messages. Without one, all work is for the same asker.
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
	if p == nil {
		return &Permit{ctx: ctx}, nil
	}
	m := &Permit{pool: p, cost: c, ctx: ctx, given: make(chan struct{})}
	m.asker, _ = ctx.Value(askerKey{}).(string)
	err := p.enter(m)
	if err != nil {
		return nil, err
	}
	select {
	case <-m.given:
		return m, nil
	case <-time.After(patience[c]):
		err = fmt.Errorf("after %v: %w", patience[c], ErrBusy)
	case <-ctx.Done():
		err = ctx.Err()
	}
	switch waited := p.leave(m, err); {
	case waited:
		return nil, err
	case ctx.Err() != nil: // it was given meanwhile
		m.Release()
		return nil, ctx.Err()
	}
	return m, nil
}

// Release gives the permit back.
func (m *Permit) Release() {
	p := m.pool
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines[m.cost].inUse--
	p.give()
}

// Limit returns how long the work may take, given how long it should take if there were
// enough permits: less if others waited when this one was given, and at most half of the
// time that its context has left.
func (m *Permit) Limit(full time.Duration) time.Duration {
	limit := full / time.Duration(1+m.others)
	if end, ok := m.ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	return max(limit, 0)
}

// Others returns how many others waited for a permit of the same cost when this one was
// given.
func (m *Permit) Others() int { return m.others }

// Stats is what a pool does for one cost.
type Stats struct {
	InUse, Waiting int
	Refused        uint64 // requests that got [ErrBusy]
}

// Stats returns what the pool does at the moment, by cost.
func (p *Permits) Stats() map[Cost]Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[Cost]Stats{}
	for _, c := range Costs() {
		l := &p.lines[c]
		all[c] = Stats{l.inUse, len(l.waiting), l.refused}
	}
	return all
}

// enter gives the permit or puts it into its line: one turn after the latest of its asker there or, if
// there is none, after the latest that was given.
func (p *Permits) enter(m *Permit) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &p.lines[m.cost]
	m.turn = l.turn + 1
	own, at := 0, len(l.waiting)
	for _, o := range l.waiting {
		if o.asker == m.asker {
			own++
			m.turn = o.turn + 1
		}
	}
	if len(l.waiting) == maxWaiting || own == maxWaitingPerAsker {
		l.refused++
		return fmt.Errorf("%d wait: %w", len(l.waiting), ErrBusy)
	}
	for at > 0 && l.waiting[at-1].turn > m.turn {
		at--
	}
	l.waiting = slices.Insert(l.waiting, at, m)
	p.give()
	return nil
}

// leave takes a permit whose caller has given up because of the error out of its line. It returns
// false if the permit has been given meanwhile.
func (p *Permits) leave(m *Permit, why error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &p.lines[m.cost]
	at := slices.Index(l.waiting, m)
	if at < 0 {
		return false
	}
	l.waiting = slices.Delete(l.waiting, at, at+1)
	if errors.Is(why, ErrBusy) {
		l.refused++
	}
	return true
}

// give gives all permits that can be given. It expects the lock to be held.
func (p *Permits) give() {
	brief, search, review := &p.lines[Brief], &p.lines[Search], &p.lines[Review]
	for len(brief.waiting) > 0 && brief.inUse+search.inUse+review.inUse <= p.most {
		brief.next()
	}
	// Brief work that uses more than its own permit takes those of the others.
	for search.inUse+review.inUse+max(brief.inUse-1, 0) < p.most {
		mayReview := len(review.waiting) > 0 && review.inUse < max(p.most-1, 1)
		switch {
		case len(search.waiting) > 0 && !(mayReview && p.review):
			search.next()
			p.review = true
		case mayReview:
			review.next()
			p.review = false
		default:
			return
		}
	}
}

// next gives the next permit of the line.
func (l *line) next() {
	m := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1)
	l.inUse++
	l.turn, m.others = m.turn, len(l.waiting)
	close(m.given)
}
