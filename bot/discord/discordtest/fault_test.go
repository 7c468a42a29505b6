package discordtest

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestBreak sends a first response through every breakage. What the caller learns and whether the player sees the answer
// are two things.
func TestBreak(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		how    Breakage
		status int // 0 is none
		done   bool
	}{
		"429":           {Breakage{Status: 429}, 429, false},
		"500 but done":  {Breakage{Status: 500, Done: true}, 500, true},
		"cut":           {Breakage{Cut: true}, 0, false},
		"cut but done":  {Breakage{Cut: true, Done: true}, 0, true},
		"slow but done": {Breakage{Slow: 10 * time.Millisecond, Done: true}, 200, true},
	} {
		s := connected(t, Options{})
		s.Break("POST", "/callback", c.how, 1)
		call := s.Invoke(Interaction{Command: "x"})
		if status, _, _ := respond(t, s, call, hello); status != c.status {
			t.Errorf("%s: answered with %d, want %d", name, status, c.status)
		}
		s.mu.Lock()
		done := call.first != nil
		s.mu.Unlock()
		if done != c.done {
			t.Errorf("%s: the player sees it: %v, want %v", name, done, c.done)
		}
	}
}

// TestEnd: waiting for a fake that has ended fails, and a violation is kept until it is fetched.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	post(t, s, "GET", "nothing", "")
	s.Close()
	if err := s.WaitReady(context.Background(), 1); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	wantViolation(t, s, "no such endpoint")
}
