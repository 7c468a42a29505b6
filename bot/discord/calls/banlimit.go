package calls

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// banLimit makes HTTP requests to Discord, and fewer of them when it refuses many: Discord
// bans an address that gets 10 000 invalid responses in ten minutes, see
// discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans.
// It is safe for concurrent use.
type banLimit struct {
	next      http.RoundTripper
	log       *slog.Logger
	responded func(status int) // see [Options]
	dated     func(time.Time)

	mu      sync.Mutex // protects the fields below
	invalid window
	level   int       // the index of the pace in paces
	free    time.Time // when the next request may leave
}

// paces are how requests are slowed down, by the invalid responses in the latest ten
// minutes. After the first 4000 of them the window gets at most one a second, so that
// it never has 5000, apart from the requests under way at that moment.
var paces = []struct {
	from    int           // invalid responses
	spacing time.Duration // the least time from one request to the next
}{
	{0, 0},
	{1000, 100 * time.Millisecond},
	{4000, time.Second},
}

func (g *banLimit) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := SleepUntil(r.Context(), g.reserve(r.Context())); err != nil {
		return nil, err
	}
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if g.responded != nil {
		g.responded(response.StatusCode)
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil && g.dated != nil {
		g.dated(date)
	}
	if isInvalid(response) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.invalid.add(time.Now())
		g.adjust()
	}
	return response, nil
}

// isInvalid reports whether a response counts towards the ban.
func isInvalid(r *http.Response) bool {
	switch r.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return true
	case http.StatusTooManyRequests:
		return r.Header.Get("X-RateLimit-Scope") != "shared"
	}
	return false
}

// reserve returns when a request may leave, the zero time for at once, and makes the next ones
// leave later. A request whose context ends before its turn reserves nothing.
func (g *banLimit) reserve(ctx context.Context) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.adjust()
	spacing := paces[g.level].spacing
	if spacing == 0 {
		return time.Time{}
	}
	at := g.free
	if now := time.Now(); at.Before(now) {
		at = now
	}
	if end, ok := ctx.Deadline(); !ok || at.Before(end) {
		g.free = at.Add(spacing)
	}
	return at
}

// adjust chooses the pace. It is called with mu held.
func (g *banLimit) adjust() {
	n, level := g.invalid.count(time.Now()), 0
	for level+1 < len(paces) && n >= paces[level+1].from {
		level++
	}
	if level == g.level {
		return
	}
	if level > g.level {
		g.log.Error("Discord refuses many requests; sending fewer, since it bans an address for 10000 in ten minutes",
			"refused", n, "spacing", paces[level].spacing)
	} else {
		g.log.Info("Discord refuses fewer requests again", "refused", n, "spacing", paces[level].spacing)
	}
	g.level = level
}

// window counts events of the latest ten minutes, to within windowStep: it counts an event
// for up to that much longer.
type window struct {
	counts [windowSteps + 1]int
	latest int64 // the step that was counted last, since 1970
	sum    int
}

const (
	windowStep  = 10 * time.Second
	windowSteps = 60
)

func (w *window) add(now time.Time) {
	w.advance(now)
	w.counts[w.latest%int64(len(w.counts))]++
	w.sum++
}

func (w *window) count(now time.Time) int {
	w.advance(now)
	return w.sum
}

// advance forgets the steps that have left the window. A clock that goes back changes
// nothing.
func (w *window) advance(now time.Time) {
	step := now.UnixNano() / int64(windowStep)
	for n := 0; w.latest < step && n < len(w.counts); n++ {
		w.latest = max(w.latest+1, step-windowSteps)
		slot := &w.counts[w.latest%int64(len(w.counts))]
		w.sum -= *slot
		*slot = 0
	}
	w.latest = max(w.latest, step)
}
