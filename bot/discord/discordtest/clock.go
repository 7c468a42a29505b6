package discordtest

import (
	"sync/atomic"
	"time"
)

// Clock is the time of day, moved forward as far as a test wants. Its methods may be
// called from any goroutine.
type Clock struct {
	ahead   atomic.Int64
	stopped atomic.Pointer[time.Time] // nil while it runs
}

// Now is for [Options].Now.
func (c *Clock) Now() time.Time {
	now := time.Now()
	if at := c.stopped.Load(); at != nil {
		now = *at
	}
	return now.Add(time.Duration(c.ahead.Load()))
}

// Stop makes the clock stand still but for [Clock.Advance], so that what depends on it is the
// same on a slow machine.
func (c *Clock) Stop() {
	now := time.Now()
	c.stopped.Store(&now)
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }
