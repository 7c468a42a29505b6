package discord

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestDispatcherIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 3
		d := newDispatcher(most, newTestLog(t).Logger)
		began := time.Now()
		for range 2 * most {
			d.run(t.Context(), "7", func(context.Context) { time.Sleep(time.Second) })
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("the second half was taken after %v, want 1s", took)
		}
		ended, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		d.run(ended, "7", func(context.Context) { t.Error("run without a free slot") })
		d.drain(time.Minute)
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("all was done after %v, want 2s", took)
		}
	})
}

func TestDispatcherSurvivesPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newTestLog(t)
		d := newDispatcher(1, log.Logger)
		for range 3 {
			d.run(t.Context(), "7", func(context.Context) { panic("of the test") })
		}
		d.drain(time.Minute)
		if text := log.String(); strings.Count(text, "panic while answering") != 3 || !strings.Contains(text, "id=7") || !strings.Contains(text, "stack=") {
			t.Errorf("the log says %s", text)
		}
	})
}

// TestDrainEndsHandlers has a handler run longer than draining waits.
func TestDrainEndsHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newTestLog(t)
		d := newDispatcher(2, log.Logger)
		front, cancel := context.WithCancel(t.Context())
		d.run(front, "7", func(ctx context.Context) { <-ctx.Done() })
		cancel() // this does not cancel the handlers
		began := time.Now()
		d.drain(5 * time.Second)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("drained in %v, want 5s", took)
		}
		if !strings.Contains(log.String(), "count=1") {
			t.Errorf("the log says %s", log)
		}
		d.running.Wait() // its context ended
	})
}
