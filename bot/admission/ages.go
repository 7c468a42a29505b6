package admission

import (
	"sync"
	"time"
)

// Ages tells how old requests are by the time that their ids hold: that of another clock
// than ours, which may be wrong. The zero value is ready. It is safe for concurrent use.
//
// How far the clocks are apart is taken from the youngest request of the last minutes: by
// our clock it is as old as they are apart, plus its way; before the first request, from
// [Ages.Clock]. Our clock is read once, and goes
// on steadily from there, so that setting it changes nothing.
type Ages struct {
	mu      sync.Mutex // protects everything below
	start   time.Time  // of our clock; zero before the first call
	asked   bool       // whether there was a request
	turned  time.Time  // when least became before
	least   time.Duration
	before  time.Duration // that of the window before
	strange time.Duration // the latest age that was too little to be believed
	// Requests that have all been too old since then, and the youngest of them.
	lateSince time.Time
	leastLate time.Duration
}

const (
	window = 5 * time.Minute
	// A request that is younger by more than this than any other is believed only if the
	// next one of the kind is like it: a single wrong id must not make all others look old.
	strangelyYoung = 5 * time.Second
	// If for so long all requests were this old, the clocks have moved apart: a wrong clock
	// must not keep all players from playing.
	allLate = 10 * time.Second
	late    = 2 * time.Second
)

// Of returns how long ago the request was made that has just come; it is never negative.
func (a *Ages) Of(sent time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.start.IsZero() {
		a.start = time.Now()
	}
	a.asked = true
	now := a.start.Add(time.Since(a.start))
	apart := now.Sub(sent)
	switch {
	case a.turned.IsZero():
		a.is(now, apart)
	case now.Sub(a.turned) >= window:
		a.turned, a.before, a.least = now, a.least, apart
	}
	offset := min(a.least, a.before)
	switch {
	case apart >= offset:
		a.least = min(a.least, apart)
	case offset-apart <= strangelyYoung:
		a.least = apart
	case abs(apart-a.strange) <= strangelyYoung:
		a.is(now, apart)
	default:
		a.strange = apart
	}
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

// Clock notes that a response has just come which was sent when the other clock showed this
// date, in whole seconds. Until requests come, that is how far the clocks are apart, to a
// second: the first requests after a start may be those that have waited for it.
func (a *Ages) Clock(date time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.start.IsZero() {
		a.start = time.Now()
	}
	if a.asked {
		return
	}
	now := a.start.Add(time.Since(a.start))
	if apart := now.Sub(date); a.turned.IsZero() || apart < a.least {
		a.is(now, apart)
	}
}

// is forgets all but that the clocks are so far apart.
func (a *Ages) is(now time.Time, apart time.Duration) {
	a.turned, a.least, a.before, a.lateSince = now, apart, apart, time.Time{}
}

func abs(d time.Duration) time.Duration { return max(d, -d) }
