package discordtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestBreak sends a first response through every breakage. What the caller learns and
// whether the player sees the answer are two things.
func TestBreak(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		how    Breakage
		status int // 0 is none
		done   bool
	}{
		"none":           {Breakage{}, 204, true},
		"429":            {Breakage{Status: 429}, 429, false},
		"500 but done":   {Breakage{Status: 500, Done: true}, 500, true},
		"cut":            {Breakage{Cut: true}, 0, false},
		"cut but done":   {Breakage{Cut: true, Done: true}, 0, true},
		"half":           {Breakage{Half: true}, 0, false},
		"half but done":  {Breakage{Half: true, Done: true}, 0, true},
		"slow":           {Breakage{Slow: 10 * time.Millisecond}, 204, true},
		"slow but done":  {Breakage{Slow: 10 * time.Millisecond, Done: true}, 204, true},
		"500, unrelated": {Breakage{Status: 500}, 204, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := connected(t, Options{})
			path := "/callback"
			if strings.Contains(name, "unrelated") {
				path = "/webhooks/"
			}
			s.Break("POST", path, test.how, 1)
			call := s.Invoke(Interaction{Command: "x"})
			req, err := http.NewRequest("POST", s.URL()+"api/v9/interactions/"+call.ID()+"/"+call.Token()+"/callback", strings.NewReader(`{"type":4,"data":{"content":"x",`+quiet+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("User-Agent", "DiscordBot (x, 1)")
			req.Header.Set("Content-Type", "application/json")
			status := 0
			if resp, err := http.DefaultClient.Do(req); err == nil {
				if _, err := io.ReadAll(resp.Body); err == nil {
					status = resp.StatusCode
				}
				resp.Body.Close()
			}
			if status != test.status {
				t.Errorf("answered with %d, want %d", status, test.status)
			}
			s.mu.Lock()
			done := call.first != nil
			s.mu.Unlock()
			if done != test.done {
				t.Errorf("the player sees it: %v, want %v", done, test.done)
			}
		})
	}
}

// TestForget: a fake that runs for long forgets what is old, and only that.
func TestForget(t *testing.T) {
	t.Parallel()
	var clock Clock
	clock.Stop()
	s, _ := connected(t, Options{Forget: time.Minute, Now: clock.Now})
	var calls []*Call
	for range 10 {
		clock.Advance(20 * time.Second)
		call := s.Invoke(Interaction{Command: "x"})
		calls = append(calls, call)
		if status, _, body := post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":4,"data":{"content":"x",`+quiet+`}}`); status != 204 {
			t.Fatalf("got %d %s", status, body)
		}
	}
	s.mu.Lock()
	for _, n := range []int{len(s.calls), len(s.tokens), len(s.messages), len(s.requests)} {
		if n < 3 || n > 6 {
			t.Errorf("it remembers %d, want those of one or two minutes", n)
		}
	}
	s.mu.Unlock()
	if err := s.WaitRequests(t.Context(), len(calls)); err != nil {
		t.Error(err)
	}
	if a, err := calls[0].First(t.Context()); err != nil || a.Content != "x" {
		t.Errorf("whoever has a call still sees its answer; got %v, %v", a, err)
	}
	if _, ok := s.Shown(calls[len(calls)-1].first.MessageID); !ok {
		t.Error("the latest message is gone")
	}
}
