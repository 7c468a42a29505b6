package discordtest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestHold: a call that is held takes effect at once, and ends with its caller.
func TestHold(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	ctx := Context(t)
	call := s.Invoke(Interaction{Command: "x"})
	release := s.Hold("POST", "/callback")
	answered := make(chan int)
	go func() {
		status, _, _ := post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":4,"data":`+say+`}`)
		answered <- status
	}()
	if _, err := call.First(ctx); err != nil {
		t.Fatal(err)
	}
	select {
	case <-answered:
		t.Error("answered while held")
	default:
	}
	release()
	release()
	if status := <-answered; status != 204 {
		t.Errorf("got %d, want 204", status)
	}

	defer s.Hold("GET", "applications/@me")()
	patience, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(patience, "GET", s.URL()+"api/v9/applications/@me", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (x, 1)")
	seen := len(s.Requests())
	go func() {
		if err := s.WaitRequests(ctx, seen+1); err != nil {
			t.Error(err)
		}
		cancel()
	}()
	if _, err := http.DefaultClient.Do(req); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a call that is only ended by its own context", err)
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
