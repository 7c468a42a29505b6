package admission

import (
	"sync"
	"time"
)

// Clock tells the time by Discord's clock, and how old requests are. The zero value is ready. It is safe for concurrent use.
//
// The id of a request has the time by Discord's clock, and our own clock may be wrong. The difference between the clocks is
// the age, by our clock, of the youngest request of the last minutes. Our clock is read once and continues steadily from
// there, so setting it changes nothing.
type Clock struct {
	mu     sync.Mutex    // protects the fields below
	start  time.Time     // the one reading of our clock; zero before the first call
	turned time.Time     // when the window began; zero before the first request
	least  time.Duration // how old the youngest request of the window looked, by our clock
	before time.Duration // the same for the window before
}

// window is how long a window lasts. The difference between the clocks comes from the latest two.
const window = 5 * time.Minute

// leap is how far a request may put Discord's clock forward. Our clock stands still while a machine sleeps.
const leap = 365 * 24 * time.Hour

// Now returns the time by Discord's clock or, before the first request, by our own.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own().Add(-min(c.least, c.before))
}

// own returns the time by our own clock. The caller holds mu.
func (c *Clock) own() time.Time {
	if c.start.IsZero() {
		c.start = time.Now()
	}
	return c.start.Add(time.Since(c.start))
}

// Age returns the age of a request that has just come, made at the given time of Discord's clock. It is never negative. The
// first request is taken to be new.
func (c *Clock) Age(made time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.own()
	apart := now.Sub(made)
	switch {
	case c.turned.IsZero():
		c.turned, c.least, c.before = now, apart, apart
	case apart < min(c.least, c.before)-leap:
		return 0 // its id is not one of Discord's
	case now.Sub(c.turned) >= window:
		c.turned, c.least, c.before = now, apart, c.least
	}
	age := max(apart-min(c.least, c.before), 0)
	c.least = min(c.least, apart)
	return age
}
