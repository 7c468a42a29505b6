package discordtest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{Answer: time.Hour})
	ctx := Context(t)
	s.FailNext("GET", "applications/@me", 503, 2)
	for _, want := range []int{503, 503, 200} {
		if status, _, _ := post(t, s, "GET", "applications/@me", ""); status != want {
			t.Errorf("got %d, want %d", status, want)
		}
	}

	const hello = `{"type":4,"data":{"content":"x",` + quiet + `}}`
	call := s.Invoke(Interaction{Command: "x"})
	path := "interactions/" + call.ID() + "/" + call.Token() + "/callback"
	release := s.Hold("POST", "/callback")
	answered := make(chan int)
	go func() {
		status, _, _ := post(t, s, "POST", path, hello)
		answered <- status
	}()
	if _, err := call.First(ctx); err != nil { // it takes effect at once
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

	s.LoseNext("POST", "/callback", 1)
	call = s.Invoke(Interaction{Command: "x"})
	req, err := http.NewRequest("POST", s.URL()+"api/v9/interactions/"+call.ID()+"/"+call.Token()+"/callback", strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (x, 1)")
	req.Header.Set("Content-Type", "application/json")
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
		t.Error("there was an answer, want a cut line")
	}
	if _, err := call.First(ctx); err != nil {
		t.Error(err)
	}

	release = s.Hold("GET", "applications/@me")
	patience, cancel := context.WithCancel(ctx)
	req, err = http.NewRequestWithContext(patience, "GET", s.URL()+"api/v9/applications/@me", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (x, 1)")
	req.Header.Set("Authorization", "Bot "+s.Token())
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
	release()
	if status, _, _ := post(t, s, "GET", "applications/@me", ""); status != 200 {
		t.Errorf("got %d after that", status)
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
