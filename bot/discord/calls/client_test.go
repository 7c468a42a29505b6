package calls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
)

// mustAsk sends an interaction, and returns it with a REST client to answer it.
func mustAsk(tb testing.TB) (*discordtest.Server, *Client, interaction) {
	tb.Helper()
	s := discordtest.New(tb, discordtest.Options{})
	return s, mustCall(tb, s), invoked(s, s.Invoke(discordtest.Interaction{Command: "hint"}))
}

// interaction is what a call needs to know of one.
type interaction struct{ id, token string }

func invoked(s *discordtest.Server, c *discordtest.Call) interaction {
	return interaction{c.ID(), c.Token()}
}

type object = map[string]any

var (
	hi       = object{"flags": 1 << 15, "components": []object{{"type": 10, "content": "hi"}}, "allowed_mentions": object{"parse": []string{}}}
	deferred = object{"type": 5, "data": object{"flags": 64}}
)

// mustCall returns a client for a fake Discord.
func mustCall(tb testing.TB, s *discordtest.Server) *Client {
	tb.Helper()
	return New(Options{Token: s.Token(), BaseURL: mustURL(tb, s.URL()), Log: slog.New(slog.DiscardHandler)})
}

func mustURL(tb testing.TB, text string) *url.URL {
	tb.Helper()
	u, err := url.Parse(text)
	must(tb, err)
	return u
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func mustMessage(tb testing.TB, c *discordtest.Call) discordtest.Answer {
	tb.Helper()
	a, err := c.Message(discordtest.Context(tb))
	must(tb, err)
	return a
}

// respond sends a first response, as long as Discord accepts one.
func respond(ctx context.Context, c *Client, i interaction, body any) error {
	_, err := c.Respond(ctx, i.id, i.token, time.Now().Add(3*time.Second), false, body, false)
	return err
}

// TestFirstResponseIsSentAgain has first responses fail once: without any effect, or
// after Discord accepted them.
func TestFirstResponseIsSentAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fail  func(*discordtest.Server)
		tries int
	}{
		"500":        {func(s *discordtest.Server) { s.FailNext("POST", "", 500, 1) }, 2},
		"429":        {func(s *discordtest.Server) { s.FailNext("POST", "", 429, 1) }, 2},
		"cut, done":  {func(s *discordtest.Server) { s.Break("POST", "", discordtest.Breakage{Done: true, Cut: true}, 1) }, 2},
		"503s, done": {func(s *discordtest.Server) { s.Break("POST", "", discordtest.Breakage{Done: true, Status: 503}, 3) }, 4},
		"500, 503 done": {func(s *discordtest.Server) {
			s.FailNext("POST", "", 500, 1)
			s.Break("POST", "", discordtest.Breakage{Done: true, Status: 503}, 1)
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			call := s.Invoke(discordtest.Interaction{Command: "hint"})
			i := invoked(s, call)
			api := mustCall(t, s)
			test.fail(s)
			must(t, respond(t.Context(), api, i, object{"type": 4, "data": hi}))
			if a := mustMessage(t, call); a.Content != "hi" {
				t.Errorf("got %q", a.Content)
			}
			if n := len(s.Requests()); n != test.tries {
				t.Errorf("%d tries, want %d", n, test.tries)
			}
		})
	}
}

// TestRefusedResponseIsSentOnce has another delivery of the interaction answer it before.
func TestRefusedResponseIsSentOnce(t *testing.T) {
	t.Parallel()
	s, api, i := mustAsk(t)
	must(t, respond(t.Context(), api, i, deferred))
	err := respond(t.Context(), api, i, deferred)
	if !IsRefused(err) || !isAlreadyAnswered(err) || len(s.Requests()) != 2 {
		t.Errorf("got %v after %d requests", err, len(s.Requests()))
	}
	mustHide(t, err, i, s.URL())
	s.Violations() // the second one was one
}

// roundTripper is an HTTP client without a network.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// httpResponse is a response of Discord.
func httpResponse(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// TestFirstResponseInTime sends a first response that Discord takes only some time after
// the interaction, or never. It is tried until three seconds after the interaction, and
// not later.
func TestFirstResponseInTime(t *testing.T) {
	limited := func(after string) func() (*http.Response, error) {
		return func() (*http.Response, error) {
			return httpResponse(429, `{"message":"You are being rate limited.","retry_after":`+after+`}`), nil
		}
	}
	failing := func(status int) func() (*http.Response, error) {
		return func() (*http.Response, error) { return httpResponse(status, `{}`), nil }
	}
	cut := func() (*http.Response, error) { return nil, io.ErrUnexpectedEOF }
	for name, test := range map[string]struct {
		fail    func() (*http.Response, error)
		until   time.Duration // after the interaction
		handler time.Duration // how long the handler takes
		ok      bool
		tries   int // at least; 0 for any
		most    int
	}{
		"500 for a moment":             {failing(500), 500 * time.Millisecond, 0, true, 2, 4},
		"500 for long":                 {failing(500), time.Hour, 0, false, 4, 5},
		"cut for long":                 {cut, time.Hour, 0, false, 4, 5},
		"500 when it is too late":      {failing(500), time.Hour, 2950 * time.Millisecond, false, 1, 1},
		"limited, in time":             {limited("2.2"), 2 * time.Second, 0, true, 2, 2},
		"limited for longer":           {limited("3.1"), 3 * time.Second, 0, false, 1, 1},
		"limited, slow handler":        {limited("1.6"), time.Hour, 1500 * time.Millisecond, false, 1, 1},
		"limited, without a time":      {failing(429), 300 * time.Millisecond, 0, true, 2, 5},
		"limited, with a body of HTML": {func() (*http.Response, error) { return httpResponse(429, "<html>"), nil }, 300 * time.Millisecond, 0, true, 2, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := time.Now()
				tries := 0
				c := New(Options{Token: "test-token-of-the-bot", Log: slog.New(slog.DiscardHandler), Transport: roundTripper(func(*http.Request) (*http.Response, error) {
					tries++
					if at := time.Since(asked); at > 3*time.Second {
						t.Errorf("a try after %v", at)
					} else if at < test.until {
						return test.fail()
					}
					return httpResponse(204, ""), nil
				})})
				time.Sleep(test.handler)
				_, err := c.Respond(t.Context(), "7", "interaction-token-7", asked.Add(3*time.Second), false, deferred, false)
				if (err == nil) != test.ok || tries < test.tries || tries > test.most {
					t.Errorf("got %v after %d tries, want success: %t, %d to %d tries", err, tries, test.ok, test.tries, test.most)
				}
			})
		})
	}
}

// mustHide wants an error without the request's address, and without the token in
// it.
func mustHide(tb testing.TB, err error, i interaction, base string) {
	tb.Helper()
	for _, text := range []string{err.Error(), fmt.Sprintf("%v", err), fmt.Sprintf("%+v", err)} {
		if strings.Contains(text, i.token) || strings.Contains(text, base) || strings.Contains(text, "/api/") || strings.Contains(text, "discord.com") {
			tb.Errorf("the error says too much: %s", text)
		}
	}
}

func TestErrorsHideTheAddress(t *testing.T) {
	t.Parallel()
	s, api, i := mustAsk(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	mustHide(t, respond(ended, api, i, deferred), i, s.URL())
	invalid := interaction{i.id, "interaction-token-\x7f"}
	mustHide(t, respond(t.Context(), api, invalid, deferred), invalid, s.URL())
	s.Close()
	mustHide(t, respond(t.Context(), api, i, deferred), i, s.URL())
}

func TestRetry(t *testing.T) {
	refusal := func(status int) error { return &Error{Status: status} }
	limited := func(after time.Duration) error { return &Error{Status: 429, RetryAfter: after.Seconds()} }
	for name, test := range map[string]struct {
		err         error
		calls       int
		least, most time.Duration
	}{
		"works":           {nil, 1, 0, 0},
		"keeps failing":   {refusal(503), maxTries, 3750 * time.Millisecond, 5625 * time.Millisecond},
		"keeps being cut": {errors.New("cut"), maxTries, 3750 * time.Millisecond, 5625 * time.Millisecond},
		"400":             {refusal(400), 1, 0, 0},
		"401":             {refusal(401), 1, 0, 0},
		"404":             {refusal(404), 1, 0, 0},
		"limited":         {limited(time.Second), maxTries, 4 * time.Second, 6 * time.Second},
		"limited for long": {
			limited(time.Hour), 1, 20 * time.Second, 20 * time.Second, // the context's
		},
		"cancelled": {fmt.Errorf("Post: %w", context.Canceled), 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				calls := 0
				began := time.Now()
				r := tries{wait: minRetry}
				for again := true; again; again = r.again(ctx, test.err) {
					calls++
				}
				if took := time.Since(began); calls != test.calls || took < test.least || took > test.most {
					t.Errorf("%d calls in %v, want %d in %v to %v", calls, took, test.calls, test.least, test.most)
				}
			})
		})
	}
}

// TestCall: where a request goes, and what it says.
func TestCall(t *testing.T) {
	for base, want := range map[string]string{
		"": DefaultBaseURL, "http://proxy:80": "http://proxy:80/", "http://proxy/": "http://proxy/", "http://proxy/discord": "http://proxy/discord/",
	} {
		o := Options{Token: "secret", Log: slog.New(slog.DiscardHandler), Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if got := r.URL.String(); got != want+"api/v9/channels/1/messages/2" {
				t.Errorf("with %q a call goes to %s", base, got)
			}
			if h := r.Header; h.Get("Authorization") != "Bot secret" || h.Get("Content-Type") != "application/json" || !strings.HasPrefix(h.Get("User-Agent"), "DiscordBot (") {
				t.Errorf("%v", h)
			}
			return httpResponse(403, `{"code":50013,"message":"Missing Permissions"}`), nil
		})}
		if base != "" {
			o.BaseURL = mustURL(t, base)
		}
		err := New(o).EditByBot(t.Context(), "1", "2", hi)
		if !IsStatus(err, 403) || !isCode(err, 50013) || Refusal(err) != "Missing Permissions" {
			t.Errorf("got %v", err)
		}
	}
}

// TestRefusal: too many calls are no refusal for good, also where Discord says so by a code alone.
func TestRefusal(t *testing.T) {
	for code, want := range map[int]string{40003: "", 30046: "", 50007: "no", 50278: "no"} {
		if got := Refusal(&Error{Status: 403, Code: code, Message: "no"}); got != want {
			t.Errorf("%d: %q, want %q", code, got, want)
		}
	}
}
