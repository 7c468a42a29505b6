package calls

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/discordtest"
)

// TestInvalidResponses gets one kind of response, as fast as it may, for 20 minutes. In no ten minutes are there nearly as many
// as Discord bans for, and half an hour later everything is as before. Calls with other responses don't wait.
func TestInvalidResponses(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		scope   string
		invalid bool
	}{
		"401": {401, "", true}, "403": {403, "", true}, "429": {429, "user", true},
		"429 shared": {429, "shared", false}, "400": {400, "", false}, "500": {500, "", false}, "204": {204, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := discordtest.NewLog(t)
				seen := 0
				c := New(Options{Log: log.Logger, Responded: func(r *http.Response) { seen++ }, Transport: roundTripper(func(*http.Request) (*http.Response, error) {
					r := httpResponse(test.status, "")
					r.Header.Set("X-RateLimit-Scope", test.scope)
					return r, nil
				})})
				call := func() {
					_, err := c.Call(t.Context(), http.MethodGet, discordgo.EndpointGatewayBot, nil)
					if !IsStatus(err, test.status) && test.status != 204 {
						t.Fatal(err)
					}
				}
				var times []time.Time
				for began := time.Now(); time.Since(began) < 20*time.Minute; time.Sleep(50 * time.Millisecond) {
					call()
					times = append(times, time.Now())
				}
				most, first := 0, 0
				for n, at := range times {
					for at.Sub(times[first]) > 10*time.Minute {
						first++
					}
					most = max(most, n-first+1)
				}
				if (most < 6000) != test.invalid || seen != len(times) {
					t.Errorf("%d responses in ten minutes, %d of %d seen", most, seen, len(times))
				}
				if test.invalid {
					log.MustSay(t, "Discord refuses many requests")
				}
				time.Sleep(30 * time.Minute)
				began := time.Now()
				for range 10 {
					call()
				}
				if took := time.Since(began); took > 0 {
					t.Errorf("ten calls wait %v", took)
				}
			})
		})
	}
}

// TestQueues makes many calls at once in two channels that take five in five seconds each: none is refused, and the channels
// don't wait for each other.
func TestQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // protects the three
		used, resets, refused := map[string]int{}, map[string]time.Time{}, 0
		c := New(Options{Log: discordtest.NewLog(t).Logger, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			channel, response := r.URL.Path, httpResponse(200, "")
			if !time.Now().Before(resets[channel]) {
				used[channel], resets[channel] = 0, time.Now().Add(5*time.Second)
			}
			if used[channel]++; used[channel] > 5 {
				refused++
			}
			response.Header.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, 5-used[channel])))
			response.Header.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", time.Until(resets[channel]).Seconds()))
			return response, nil
		})})
		began := time.Now()
		done := make(chan error)
		for n := range 40 {
			go func() { done <- c.EditByBot(t.Context(), fmt.Sprint(n%2), "7", hi) }()
		}
		time.Sleep(time.Second) // each channel has taken five
		if now, other := c.Wait(http.MethodPatch, "0"), c.Wait(http.MethodPost, "0"); now <= 0 || other != 0 {
			t.Errorf("a call waits for %v, and one of another kind for %v", now, other)
		}
		for range 40 {
			must(t, <-done)
		}
		if took := time.Since(began); refused > 0 || took > 16*time.Second {
			t.Errorf("%d calls refused, in %v", refused, took)
		}
		if now := c.Wait(http.MethodPatch, "0"); now < 4*time.Second {
			t.Errorf("the next call waits for %v", now)
		}
		time.Sleep(5 * time.Second)
		if now := c.Wait(http.MethodPatch, "0"); now != 0 {
			t.Errorf("a call waits for %v where none was made for long", now)
		}
		for n := range 2 * maxQueues {
			c.Wait(http.MethodPost, fmt.Sprint(n))
		}
		if len(c.limits.queues) > maxQueues {
			t.Errorf("%d queues are remembered, at most %d", len(c.limits.queues), maxQueues)
		}
	})
}

// TestSpacing: calls by the bot's token leave at the spacing, and all wait when Discord says that they are too many. Those by
// the token of an interaction don't wait. A call that would leave after its context ends fails, and takes no turn.
func TestSpacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // protects left
		var left []time.Duration
		began := time.Now()
		c := New(Options{Log: discordtest.NewLog(t).Logger, Spacing: time.Second, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			left = append(left, time.Since(began).Truncate(time.Second))
			if len(left) == 3 {
				limited := httpResponse(429, `{"retry_after":7}`)
				limited.Header.Set("X-RateLimit-Scope", "global")
				return limited, nil
			}
			return httpResponse(200, `{"id":"1"}`), nil
		})})
		for n := range 5 {
			go func() {
				_, err := c.Post(t.Context(), fmt.Sprint(n), hi)
				must(t, err)
			}()
		}
		synctest.Wait()
		must(t, c.EditByToken(t.Context(), "1", "token", Original, hi))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		if err := c.EditByBot(ctx, "1", "2", hi); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		time.Sleep(5 * time.Second)
		must(t, c.EditByBot(t.Context(), "1", "2", hi))
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if got, want := fmt.Sprint(left), "[0s 0s 1s 2s 3s 4s 8s 9s]"; got != want {
			t.Errorf("calls left at %s, want %s", got, want)
		}
	})
}
