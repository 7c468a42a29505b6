package calls

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// banLimit slows down requests to Discord when it refuses many: Discord
// bans an address that gets 10 000 invalid responses in ten minutes, see
// discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans.
// It is safe for concurrent use.
type banLimit struct {
	log       *slog.Logger
	responded func(status int) // see [Options]

	mu      sync.Mutex // protects the fields below
	invalid float64    // responses, less those that are forgotten
	at      time.Time  // when it was counted
	level   int        // the index of the pace in paces
	free    time.Time  // when the next request may leave
}

// forgotten is how many invalid responses are forgotten in a second.
const forgotten = 3

// paces are how requests are slowed down, by the invalid responses that are not forgotten. After the first 4000
// there are three a second at most in the long run, so ten minutes never have 6000.
var paces = []struct {
	from    int           // invalid responses
	spacing time.Duration // the least time from one request to the next
}{
	{0, 0},
	{1000, 100 * time.Millisecond},
	{4000, time.Second},
}

// wait waits until a request may leave, which makes the next ones wait longer. A request whose context ends before its
// turn takes none.
func (g *banLimit) wait(ctx context.Context) error {
	g.mu.Lock()
	g.adjust(0)
	at := time.Now()
	if spacing := paces[g.level].spacing; spacing > 0 {
		if g.free.After(at) {
			at = g.free
		}
		if end, ok := ctx.Deadline(); !ok || at.Before(end) {
			g.free = at.Add(spacing)
		}
	}
	g.mu.Unlock()
	return Sleep(ctx, time.Until(at))
}

// saw notes a response.
func (g *banLimit) saw(r *http.Response) {
	if g.responded != nil {
		g.responded(r.StatusCode)
	}
	switch r.StatusCode {
	case http.StatusTooManyRequests:
		if r.Header.Get("X-RateLimit-Scope") == "shared" { // does not count towards the ban
			return
		}
	case http.StatusUnauthorized, http.StatusForbidden:
	default:
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.adjust(1)
}

// adjust counts invalid responses, and chooses the pace. It is called with mu held.
func (g *banLimit) adjust(more float64) {
	now := time.Now()
	g.invalid = max(0, g.invalid-forgotten*now.Sub(g.at).Seconds()) + more
	g.at = now
	n, level := int(g.invalid), 0
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
