package discordtest

import (
	"context"
	"errors"
	"net"
	"strings"
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
		"none":          {Breakage{}, 200, true},
		"429":           {Breakage{Status: 429}, 429, false},
		"500 but done":  {Breakage{Status: 500, Done: true}, 500, true},
		"cut":           {Breakage{Cut: true}, 0, false},
		"cut but done":  {Breakage{Cut: true, Done: true}, 0, true},
		"slow":          {Breakage{Slow: 10 * time.Millisecond}, 200, true},
		"slow but done": {Breakage{Slow: 10 * time.Millisecond, Done: true}, 200, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := connected(t, Options{})
			s.Break("POST", "/webhooks/", Breakage{Status: 500}, 1)
			s.Break("POST", "/callback", c.how, 1)
			call := s.Invoke(Interaction{Command: "x"})
			if status, _, _ := respond(t, call, hello); status != c.status {
				t.Errorf("answered with %d, want %d", status, c.status)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if done := call.first != nil; done != c.done {
				t.Errorf("the player sees it: %v, want %v", done, c.done)
			}
		})
	}
}

// TestHold: a call that is held takes effect at once, and is answered after its release.
func TestHold(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	call := s.Invoke(Interaction{Command: "x"})
	release := s.Hold("POST", "/callback")
	status := make(chan int)
	go func() {
		got, _, _ := respond(t, call, hello)
		status <- got
	}()
	if _, err := call.First(Context(t)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-status:
		t.Error("answered while held")
	default:
	}
	release()
	release()
	if got := <-status; got != 200 {
		t.Errorf("got %d, want 200", got)
	}
}

// TestEndReports starts a fake inside a pretended test and sees it fail.
func TestEndReports(t *testing.T) {
	t.Parallel()
	fake := &pretended{TB: t}
	s := New(fake, Options{})
	post(t, s, "GET", "nothing", "")
	fake.end()
	if fake.errors != 1 {
		t.Errorf("got %d errors at the end, want 1", fake.errors)
	}
	if conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")); err == nil {
		conn.Close()
		t.Error("the server still listens")
	}
	if err := s.WaitReady(context.Background(), 1); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

type pretended struct {
	testing.TB
	cleanups []func()
	errors   int
}

func (p *pretended) Cleanup(f func())      { p.cleanups = append(p.cleanups, f) }
func (p *pretended) Errorf(string, ...any) { p.errors++ }
func (p *pretended) end() {
	for _, f := range p.cleanups {
		f()
	}
}
