package matches

import (
	"sync"
	"time"

	"fivefold/game"
)

// requestClock is the clock of requests, set by their ids. Discord's ids are right, and our own clock may be
// wrong; but one id from the future must not end all games. So an id moves the clock far ahead only when
// another one agrees.
type requestClock struct {
	mu    sync.Mutex // protects the fields below
	made  time.Time  // the time by this clock; zero before the first id
	at    time.Time  // when it was that, by our own clock
	ahead claim      // the latest id from far ahead that no other has confirmed
}

// claim is what an id says.
type claim struct {
	id       game.RequestID
	made, at time.Time
}

// leap is how far ahead one id moves the clock by itself.
const leap = time.Minute

// see notes when a request was made. Own is the time by our own clock; the first id cannot set the clock ahead of it.
func (c *requestClock) see(r game.RequestID, own time.Time) {
	made, ok := r.Made()
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.made.IsZero() {
		c.made, c.at = earlier(made, own), now
	}
	switch projected := c.made.Add(now.Sub(c.at)); {
	case !made.After(projected) || r == c.ahead.id:
	case made.Before(projected.Add(leap)):
		c.made, c.at = made, now
	case c.ahead.id == "":
		c.ahead = claim{r, made, now}
	default:
		c.made, c.at = earlier(made, c.ahead.made.Add(now.Sub(c.ahead.at))), now
		c.ahead = claim{}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// requestNow returns the time by the clock of requests or, before any id has held it, by our own: to the millisecond, as it
// is stored.
func (m *Manager) requestNow() time.Time {
	c := &m.requests
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made.IsZero() {
		return m.now()
	}
	return c.made.Add(time.Since(c.at)).Truncate(time.Millisecond)
}
