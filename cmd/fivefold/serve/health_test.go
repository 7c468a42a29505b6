package serve

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
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
		h := &health{connected: connected.Load, stopping: stopping, silence: Silence}
		go h.store.keepProbing(ctx, func(ctx context.Context) error {
			select {
			case err := <-answer:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}, ProbeDatabaseEvery)
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
		time.Sleep(ProbeDatabaseEvery + Silence)
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
		time.Sleep(Silence) // the next probe waits
		want("ready", h.ready, "the store does not save: no space left on device")
		answer <- nil
		want("ready", h.ready, "")
		close(stopping)
		want("ready", h.ready, "the bot is stopping")
	})
}

// TestWatchdog: systemd hears nothing good of a bot that hangs.
func TestWatchdog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan error)
		h := &health{connected: func() bool { return true }}
		ctx, end := context.WithTimeout(t.Context(), 4*time.Minute)
		defer end()
		go h.store.probe(ctx, func(context.Context) error { return <-answer })
		var reports []string
		supervisor{watchdog: time.Minute}.keep(t.Context(), ctx, h, "Connected to Discord", func(states string) { reports = append(reports, states) })
		want := []string{"STATUS=Connecting to Discord", "READY=1\nSTATUS=Connected to Discord"}
		for range 3 {
			want = append(want, "WATCHDOG=1\nSTATUS=Connected to Discord")
		}
		want = append(want, "STATUS=the store has not answered for 1m20s")
		if len(reports) < 12 || !slices.Equal(reports[:6], want) || slices.ContainsFunc(reports[6:], func(s string) bool { return strings.Contains(s, "WATCHDOG") }) {
			t.Errorf("%q", reports)
		}
		answer <- nil
	})
}

// TestStartWithoutDiscord: a start does not wait for Discord for ever, and systemd hears when it is there.
func TestStartWithoutDiscord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var connected atomic.Bool
		h := &health{connected: connected.Load}
		running, end := context.WithTimeout(t.Context(), 5*time.Minute)
		defer end()
		time.AfterFunc(3*time.Minute, func() { connected.Store(true) })
		began, reports := time.Now(), map[string][]time.Duration{}
		supervisor{}.keep(t.Context(), running, h, "Connected to Discord", func(states string) {
			reports[states] = append(reports[states], time.Since(began).Truncate(time.Second))
		})
		want := map[string][]time.Duration{
			"STATUS=Connecting to Discord": {0}, "READY=1\nSTATUS=Waiting for Discord": {time.Minute}, "READY=1\nSTATUS=Connected to Discord": {3 * time.Minute},
		}
		if !maps.EqualFunc(reports, want, slices.Equal) {
			t.Errorf("%v", reports)
		}
	})
}
