package admission

import (
	"sync"
	"time"
)

// Clock is the clock of requests: Discord's, as the times in their ids show it. It corrects our own clock, which may be
// wrong, and so tells how old a request is. The zero value is ready. It is safe for concurrent use.
//
// The difference between the clocks comes from the youngest request of the last minutes: by our clock it looks as old as
// that difference, plus its time on the way. Our clock is read once and continues steadily from there, so that setting it
// changes nothing.
type Clock struct {
	mu     sync.Mutex    // protects the fields below
	start  time.Time     // of our clock; zero before the first call
	turned time.Time     // when the window began; zero before the first request that the clock relies on
	least  time.Duration // how old the youngest request of the window looked, by our clock
	before time.Duration // the same for the window before
	// lateSince is since when all requests have been too old, zero if they have not; leastLate is how old the youngest of
	// them looked.
	lateSince time.Time
	leastLate time.Duration
}

const (
	window = 5 * time.Minute
	// If all requests have been older than late for as long as allLate, the clocks have moved apart: a wrong clock must not
	// keep all players from playing.
	allLate = 10 * time.Second
	late    = 2 * time.Second
	// If the first request looks no older than waited, our clock counts until requests have come for as long as allLate: a
	// process that was halted right after its start finds requests that have waited.
	waited = 10 * time.Second
)

// Now returns the time by Discord's clock or, before the first request, by our own.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own().Add(-min(c.least, c.before))
}

// own returns the time by our own clock. It is called with mu held.
func (c *Clock) own() time.Time {
	if c.start.IsZero() {
		c.start = time.Now()
	}
	return c.start.Add(time.Since(c.start))
}

// Age returns the age of a request that has just come, made at the given time of Discord's clock. It is never negative.
func (c *Clock) Age(made time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.own()
	apart := now.Sub(made)
	switch {
	case c.turned.IsZero():
		c.setApart(now, apart)
		if apart > 0 && apart <= waited {
			c.turned, c.before = now.Add(allLate-window), 0
		}
	case now.Sub(c.turned) >= window:
		c.turned, c.before, c.least = now, c.least, apart
	}
	offset := min(c.least, c.before)
	c.least = min(c.least, apart)
	age := max(apart-offset, 0)
	switch {
	case age < late:
		c.lateSince = time.Time{}
	case c.lateSince.IsZero():
		c.lateSince, c.leastLate = now, apart
	default:
		if c.leastLate = min(c.leastLate, apart); now.Sub(c.lateSince) >= allLate {
			c.setApart(now, c.leastLate)
			return max(apart-c.leastLate, 0)
		}
	}
	return age
}

// setApart sets the difference between the clocks, and forgets the windows before.
func (c *Clock) setApart(now time.Time, apart time.Duration) {
	c.turned, c.least, c.before, c.lateSince = now, apart, apart, time.Time{}
}
