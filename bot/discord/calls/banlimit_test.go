package calls

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
)

func get(ctx context.Context, tb testing.TB, g *banLimit) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://discord.com/api/v9/gateway", nil)
	must(tb, err)
	return g.RoundTrip(r)
}

// TestInvalidResponses gets only invalid responses, as fast as it may, for an hour. In no
// ten minutes are there nearly as many as Discord bans for.
func TestInvalidResponses(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests} {
		synctest.Test(t, func(t *testing.T) {
			log := discordtest.NewLog(t)
			seen := map[int]int{}
			g := &banLimit{
				next:      roundTripper(func(*http.Request) (*http.Response, error) { return httpResponse(status, ""), nil }),
				responded: func(r *http.Response) { seen[r.StatusCode]++ }, log: log.Logger,
			}
			var times []time.Time
			for began := time.Now(); time.Since(began) < time.Hour; {
				_, err := get(t.Context(), t, g)
				must(t, err)
				times = append(times, time.Now())
				time.Sleep(5 * time.Millisecond)
			}
			most, first := 0, 0
			for n, at := range times {
				for at.Sub(times[first]) > 10*time.Minute {
					first++
				}
				most = max(most, n-first+1)
			}
			t.Logf("%d: %d in an hour, at most %d in ten minutes", status, len(times), most)
			if most > 6000 {
				t.Errorf("%d invalid responses in ten minutes", most)
			}
			if seen[status] != len(times) {
				t.Errorf("observed %v, want %d", seen, len(times))
			}
			log.MustSay(t, "Discord refuses many requests")
			// Half an hour later everything is as before.
			time.Sleep(30 * time.Minute)
			for range 10 {
				began := time.Now()
				_, err := get(t.Context(), t, g)
				must(t, err)
				if took := time.Since(began); took > 0 {
					t.Errorf("a call waits %v", took)
				}
			}
			log.MustSay(t, "Discord refuses fewer requests again")
		})
	}
}

// TestValidResponses gets responses that Discord does not count: no call waits.
func TestValidResponses(t *testing.T) {
	shared := httpResponse(http.StatusTooManyRequests, "")
	shared.Header.Set("X-RateLimit-Scope", "shared")
	for name, response := range map[string]*http.Response{
		"200": httpResponse(200, ""), "400": httpResponse(400, ""), "404": httpResponse(404, ""), "500": httpResponse(500, ""), "429 shared": shared,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &banLimit{
					next: roundTripper(func(*http.Request) (*http.Response, error) { return response, nil }),
					log:  discordtest.NewLog(t).Logger,
				}
				began := time.Now()
				for range 20_000 {
					_, err := get(t.Context(), t, g)
					must(t, err)
				}
				if took := time.Since(began); took > 0 {
					t.Errorf("20000 calls waited %v", took)
				}
			})
		})
	}
}

// TestBanLimitGivesUp has calls wait whose contexts end before their turn: they take no turn.
func TestBanLimitGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		g := &banLimit{
			next: roundTripper(func(*http.Request) (*http.Response, error) { calls.Add(1); return httpResponse(403, ""), nil }),
			log:  discordtest.NewLog(t).Logger,
		}
		g.invalid, g.at = 5000, time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		done := make(chan error)
		for range 100 {
			go func() {
				_, err := get(ctx, t, g)
				done <- err
			}()
		}
		failed := 0
		for range 100 {
			if err := <-done; errors.Is(err, context.DeadlineExceeded) {
				failed++
			}
		}
		if calls.Load() != 3 || failed != 97 {
			t.Errorf("%d calls and %d given up, want 3 and 97", calls.Load(), failed)
		}
		began := time.Now()
		_, err := get(t.Context(), t, g)
		must(t, err)
		if took := time.Since(began); took > time.Second {
			t.Errorf("the next call waits %v: those that gave up had reserved turns", took)
		}
	})
}
