package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestHealth: what the operator hears at once of a store that works, is silent for a while, fails or hangs.
func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			connected atomic.Bool
			answer    = make(chan error)
			stopping  = make(chan struct{})
		)
		ctx, end := context.WithCancel(t.Context())
		defer end()
		h := &health{connected: connected.Load, stopping: stopping}
		go h.keepProbing(ctx, func(ctx context.Context) error {
			select {
			case err := <-answer:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}, probeDatabaseEvery)
		want := func(what string, of func(context.Context) error, want string) {
			t.Helper()
			synctest.Wait()
			asked, got := time.Now(), ""
			if err := of(t.Context()); err != nil {
				got = err.Error()
			}
			if got != want || !time.Now().Equal(asked) {
				t.Errorf("%s: %q after %v, want %q at once", what, got, time.Since(asked), want)
			}
		}
		want("ready", h.ready, "not connected to Discord")
		connected.Store(true)
		want("ready", h.ready, "")
		time.Sleep(probeDatabaseEvery + silence)
		want("ready after a silence", h.ready, "")
		time.Sleep(time.Second)
		want("ready after more", h.ready, "the store has not answered for 9s")
		want("alive", h.alive, "")
		time.Sleep(hung)
		want("alive", h.alive, "the store has not answered for 1m9s")
		answer <- nil
		want("alive", h.alive, "")
		want("ready", h.ready, "")
		answer <- errors.New("no space left on device")
		want("ready", h.ready, "the store does not save: no space left on device")
		want("alive", h.alive, "")
		time.Sleep(silence) // the next probe waits
		want("ready", h.ready, "the store does not save: no space left on device")
		answer <- nil
		want("ready", h.ready, "")
		close(stopping)
		want("ready", h.ready, "the bot is stopping")
	})
}

// TestSupervisor: systemd hears of a start after a minute at most, nothing good of a bot that hangs, and of a stop.
func TestSupervisor(t *testing.T) {
	for _, connectedAfter := range []time.Duration{20 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			began, answer := time.Now(), make(chan error)
			h := &health{connected: func() bool { return time.Since(began) >= connectedAfter }}
			go h.probe(t.Context(), func(context.Context) error { return <-answer }) // which counts as hung after a minute
			ctx, end := context.WithTimeout(t.Context(), 4*time.Minute)
			defer end()
			running, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			var got []string
			supervisor{watchdog: 75 * time.Second}.keep(ctx, running, h, func(state string) {
				got = append(got, fmt.Sprint(time.Since(began).Truncate(time.Second), " ", state))
			})
			want := []string{fmt.Sprint(min(connectedAfter, startWithin), " READY=1"), "25s WATCHDOG=1", "50s WATCHDOG=1", "4m0s STOPPING=1"}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			answer <- nil
		})
	}
}
