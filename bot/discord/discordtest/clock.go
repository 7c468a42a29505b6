package discordtest

import (
	"strconv"
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

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// snowflakes makes ids that carry the time at which they were made, as
// Discord's do, each greater than the one before.
type snowflakes struct {
	now  func() time.Time
	last int64
}

func (f *snowflakes) next() string {
	id := (f.now().UnixMilli() - discordEpoch) << 22
	if id <= f.last {
		id = f.last + 1
	}
	f.last = id
	return strconv.FormatInt(id, 10)
}

// NewID returns the id of something that happens now.
func (s *Server) NewID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids.next()
}

// MadeAt is the time in an id: 2015 for the short ids that tests make up.
func MadeAt(id string) time.Time {
	n, _ := strconv.ParseInt(id, 10, 64) // ids that a test made up may say anything
	return time.UnixMilli(n>>22 + discordEpoch)
}

// isSnowflake reports whether s looks like an id: digits only, no leading zero.
func isSnowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == s
}
