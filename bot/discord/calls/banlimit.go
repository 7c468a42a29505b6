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
	responded func(*http.Response) // see [Options]

	mu      sync.Mutex    // protects the fields below
	invalid float64       // responses, less those that are forgotten
	at      time.Time     // when it was counted
	spacing time.Duration // the least time from one request to the next
	free    time.Time     // when the next request may leave
}

// forgotten is how many invalid responses are forgotten in a second.
const forgotten = 3

// spacing returns the time between requests after so many invalid responses that are not forgotten. After the first 4000
// there are three a second at most in the long run, so ten minutes never have 6000.
func spacing(invalid float64) time.Duration {
	switch {
	case invalid >= 4000:
		return time.Second
	case invalid >= 1000:
		return 100 * time.Millisecond
	}
	return 0
}

func (g *banLimit) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := Sleep(r.Context(), g.reserve(r.Context())); err != nil {
		return nil, err
	}
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if g.responded != nil {
		g.responded(response)
	}
	if isInvalid(response) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.adjust(1)
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

// reserve returns how long a request has to wait, and lets the next ones wait longer. A request whose context ends before
// its turn reserves nothing.
func (g *banLimit) reserve(ctx context.Context) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.adjust(0)
	now := time.Now()
	wait := max(0, g.free.Sub(now))
	if end, ok := ctx.Deadline(); !ok || now.Add(wait).Before(end) {
		g.free = now.Add(wait + g.spacing)
	}
	return wait
}

// adjust counts invalid responses, and chooses the spacing. It is called with mu held.
func (g *banLimit) adjust(more float64) {
	now, before := time.Now(), g.spacing
	g.invalid = max(0, g.invalid-forgotten*now.Sub(g.at).Seconds()) + more
	g.at, g.spacing = now, spacing(g.invalid)
	switch {
	case g.spacing > before:
		g.log.Error("Discord refuses many requests; sending fewer, since it bans an address for 10000 in ten minutes",
			"refused", int(g.invalid), "spacing", g.spacing)
	case g.spacing < before:
		g.log.Info("Discord refuses fewer requests again", "refused", int(g.invalid), "spacing", g.spacing)
	}
}
