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
