package admission

import (
	"sync"
	"time"
)

// Ages finds out how old requests are from the times in their ids, which are by another clock
// than ours; either may be wrong. The zero value is ready. It is safe for concurrent use.
//
// How far the clocks are apart is taken from the youngest request of the last minutes: by our
// clock it looks as old as that difference, plus the time that it was on the way. Our clock is read once, and
// continues steadily from there, so that setting it changes nothing.
type Ages struct {
	mu     sync.Mutex    // protects everything below
	start  time.Time     // of our clock; zero before the first call
	turned time.Time     // when the window began
	least  time.Duration // how old the youngest request of the window looked, by our clock
	before time.Duration // the same for the window before
	// Since when all requests have been too old, zero if they have not, and how old the
	// youngest of them looked.
	lateSince time.Time
	leastLate time.Duration
}

const (
	window = 5 * time.Minute
	// If for as long as allLate all requests were older than late, the clocks have moved
	// apart: a wrong clock must not keep all players from playing.
	allLate = 10 * time.Second
	late    = 2 * time.Second
	// If the first request looks no older than waited, our clock counts until requests have come for as long as
	// allLate: a process that was halted right after its start finds requests that have waited.
	waited = 10 * time.Second
)

// Of returns the age of a request that has just come, whose id says when it was sent. The age
// is never negative.
func (a *Ages) Of(sent time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.start.IsZero() {
		a.start = time.Now()
	}
	now := a.start.Add(time.Since(a.start))
	apart := now.Sub(sent)
	switch {
	case a.turned.IsZero():
		a.is(now, apart)
		if apart > 0 && apart <= waited {
			a.turned, a.before = now.Add(allLate-window), 0
		}
	case now.Sub(a.turned) >= window:
		a.turned, a.before, a.least = now, a.least, apart
	}
	offset := min(a.least, a.before)
	a.least = min(a.least, apart)
	age := max(apart-offset, 0)
	switch {
	case age < late:
		a.lateSince = time.Time{}
	case a.lateSince.IsZero():
		a.lateSince, a.leastLate = now, apart
	default:
		if a.leastLate = min(a.leastLate, apart); now.Sub(a.lateSince) >= allLate {
			a.is(now, a.leastLate)
			return max(apart-a.leastLate, 0)
		}
	}
	return age
}

// is sets how far the clocks are apart, and forgets the windows before.
func (a *Ages) is(now time.Time, apart time.Duration) {
	a.turned, a.least, a.before, a.lateSince = now, apart, apart, time.Time{}
}
