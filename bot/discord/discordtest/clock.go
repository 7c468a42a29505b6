package discordtest

import (
	"sync/atomic"
	"time"
)

// Clock is the time of day, moved forward as far as a test wants. Its methods may be
// called from any goroutine.
type Clock struct{ ahead atomic.Int64 }

// Now is for [Options].Now.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }
