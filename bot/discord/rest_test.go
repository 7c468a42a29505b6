package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// mustAsk sends an interaction that nobody answers, and returns it with a REST
// client to answer it.
func mustAsk(tb testing.TB) (*discordtest.Server, *rest, interaction) {
	tb.Helper()
	s := discordtest.New(tb, discordtest.Options{})
	call := s.Invoke(discordtest.Interaction{Command: "hint"})
	return s, mustRest(tb, s.Token(), s.URL()), interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID()}
}

func TestEditsAreRetried(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*discordtest.Server){
		"500": func(s *discordtest.Server) { s.FailNext("PATCH", "", 500, 2) },
		"502": func(s *discordtest.Server) { s.FailNext("PATCH", "", 502, 2) },
		"503": func(s *discordtest.Server) { s.FailNext("PATCH", "", 503, 2) },
		"504": func(s *discordtest.Server) { s.FailNext("PATCH", "", 504, 2) },
		"429": func(s *discordtest.Server) { s.FailNext("PATCH", "", 429, 2) },
		"cut": func(s *discordtest.Server) { s.LoseNext("PATCH", "", 2) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, api, i := mustAsk(t)
			must(t, api.respond(t.Context(), i, deferredMessage(bot.Asker)))
			fail(s)
			must(t, api.edit(t.Context(), i, newMessage(public("hi"), nil)))
			if n := len(s.Requests()); n != 4 {
				t.Errorf("%d requests, want the deferred response and three edits", n)
			}
		})
	}
}

// TestFirstResponseIsSentAgain has first responses fail once: without any effect, or
// after Discord accepted them.
func TestFirstResponseIsSentAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fail  func(*discordtest.Server)
		tries int
	}{
		"500":           {func(s *discordtest.Server) { s.FailNext("POST", "", 500, 1) }, 2},
		"502":           {func(s *discordtest.Server) { s.FailNext("POST", "", 502, 1) }, 2},
		"429":           {func(s *discordtest.Server) { s.FailNext("POST", "", 429, 1) }, 2},
		"cut, done":     {func(s *discordtest.Server) { s.LoseNext("POST", "", 1) }, 2},
		"500, done":     {func(s *discordtest.Server) { s.FailAfterNext("POST", "", 500, 1) }, 2},
		"502, done":     {func(s *discordtest.Server) { s.FailAfterNext("POST", "", 502, 1) }, 2},
		"503s, done":    {func(s *discordtest.Server) { s.FailAfterNext("POST", "", 503, 3) }, 4},
		"500, 503 done": {func(s *discordtest.Server) { s.FailNext("POST", "", 500, 1); s.FailAfterNext("POST", "", 503, 1) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, inTwoServers)
			call := s.Invoke(discordtest.Interaction{Command: "hint"})
			i := interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID()}
			api := mustRest(t, s.Token(), s.URL())
			test.fail(s)
			must(t, api.respond(t.Context(), i, response{typeMessage, newMessage(public("hi"), nil)}))
			if a := mustMessage(t, call); a.Content != "hi" {
				t.Errorf("got %q", a.Content)
			}
			if n := len(s.Requests()); n != test.tries {
				t.Errorf("%d tries, want %d", n, test.tries)
			}
		})
	}
}

// TestRefusedResponseIsSentOnce refuses first responses, or has another delivery of the
// interaction answer it before.
func TestRefusedResponseIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble   func(*testing.T, *discordtest.Server, *rest, interaction)
		tries     int
		violation string
	}{
		"unknown": {func(_ *testing.T, s *discordtest.Server, _ *rest, _ interaction) { s.FailNext("POST", "", 404, 1) }, 1, ""},
		"answered already": {func(t *testing.T, _ *discordtest.Server, api *rest, i interaction) {
			must(t, api.respond(t.Context(), i, deferredMessage(bot.Asker)))
		}, 2, "40060"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, api, i := mustAsk(t)
			test.trouble(t, s, api, i)
			err := api.respond(t.Context(), i, deferredMessage(bot.Asker))
			if err == nil || !isRefused(err) {
				t.Fatalf("got %v, want a refusal", err)
			}
			mustHide(t, err, i, s.URL())
			if n := len(s.Requests()); n != test.tries {
				t.Errorf("%d tries, want %d", n, test.tries)
			}
			if v := strings.Join(s.Violations(), " "); !strings.Contains(v, test.violation) {
				t.Errorf("violations: got %s, want %s", v, test.violation)
			}
		})
	}
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
		"500 after a slow handler":     {failing(500), 1800 * time.Millisecond, 1500 * time.Millisecond, true, 2, 4},
		"500 for long":                 {failing(500), time.Hour, 0, false, 4, 5},
		"502 for long":                 {failing(502), time.Hour, 0, false, 4, 5},
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
				session, err := newDiscordgo("test-token-of-the-bot", &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
					tries++
					if at := time.Since(asked); at > 3*time.Second {
						t.Errorf("a try after %v", at)
					} else if at < test.until {
						return test.fail()
					}
					return httpResponse(204, ""), nil
				})})
				must(t, err)
				time.Sleep(test.handler)
				i := interaction{ID: "7", Token: "interaction-token-7", received: asked}
				err = (&rest{session: session, timings: defaultTimings}).respond(t.Context(), i, deferredMessage(bot.Asker))
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
		if strings.Contains(text, i.Token) || strings.Contains(text, base) || strings.Contains(text, "/api/") || strings.Contains(text, "discord.com") {
			tb.Errorf("the error says too much: %s", text)
		}
	}
}

func TestErrorsHideTheAddress(t *testing.T) {
	t.Parallel()
	s, api, i := mustAsk(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	mustHide(t, api.respond(ended, i, deferredMessage(bot.Asker)), i, s.URL())
	i.Token = "interaction-token-\x7f" // makes an invalid address
	mustHide(t, api.respond(t.Context(), i, deferredMessage(bot.Asker)), i, s.URL())
	s.Close()
	mustHide(t, api.respond(t.Context(), i, deferredMessage(bot.Asker)), i, s.URL())
}

// TestRefusedEditIsNotRetried edits a response that does not exist.
func TestRefusedEditIsNotRetried(t *testing.T) {
	t.Parallel()
	s, api, i := mustAsk(t)
	err := api.edit(t.Context(), i, newMessage(public("hi"), nil))
	var refused *discordgo.RESTError
	if !errors.As(err, &refused) || refused.Response.StatusCode != http.StatusNotFound {
		t.Fatalf("got %v, want 404", err)
	}
	mustHide(t, err, i, s.URL())
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests, want one", n)
	}
	s.Violations() // the edit was one
}

// TestFollowUpsAreRetried follows up a deferred update.
func TestFollowUpsAreRetried(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*discordtest.Server){
		"500": func(s *discordtest.Server) { s.FailNext("POST", "/webhooks/", 500, 2) },
		"429": func(s *discordtest.Server) { s.FailNext("POST", "/webhooks/", 429, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			api := mustRest(t, s.Token(), s.URL())
			call := s.Invoke(discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "hint"})
			i := interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID()}
			must(t, api.respond(t.Context(), i, response{Type: typeDeferredUpdate}))
			fail(s)
			_, err := api.followUp(t.Context(), i, newMessage(ephemeral("hi"), nil))
			must(t, err)
			if a := mustMessage(t, call); a.Content != "hi" || !a.Ephemeral || len(call.FollowUps()) != 1 {
				t.Errorf("got %+v", a)
			}
		})
	}
}

// TestEditsDoNotWait makes two edits at the same time, one of which is slow.
func TestEditsDoNotWait(t *testing.T) {
	t.Parallel()
	s, api, i := mustAsk(t)
	other := s.Invoke(discordtest.Interaction{Command: "hint"})
	j := interaction{ID: other.ID(), Token: other.Token(), AppID: s.AppID()}
	must(t, api.respond(t.Context(), i, deferredMessage(bot.Asker)))
	must(t, api.respond(t.Context(), j, deferredMessage(bot.Asker)))
	release := s.Hold("PATCH", i.Token)
	defer release()
	held := make(chan error, 1)
	go func() { held <- api.edit(context.Background(), i, newMessage(public("hi"), nil)) }()
	mustSee(t, s, func(r discordtest.Request) bool { return r.Method == "PATCH" }, 1)
	must(t, api.edit(t.Context(), j, newMessage(public("hi"), nil)))
	release()
	must(t, <-held)
}

func TestRetry(t *testing.T) {
	refusal := func(status int) error {
		return &discordgo.RESTError{Request: &http.Request{}, Response: &http.Response{StatusCode: status}}
	}
	limited := func(after time.Duration) error {
		return rateLimited{&discordgo.RateLimitError{RateLimit: &discordgo.RateLimit{TooManyRequests: &discordgo.TooManyRequests{RetryAfter: after}}}}
	}
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
				err := retry(ctx, func() error { calls++; return test.err })
				if took := time.Since(began); calls != test.calls || took < test.least || took > test.most {
					t.Errorf("%d calls in %v, want %d in %v to %v", calls, took, test.calls, test.least, test.most)
				}
				if !errors.Is(err, test.err) {
					t.Errorf("got %v, want %v", err, test.err)
				}
			})
		})
	}
}

// TestTransport redirects requests for Discord, and no others.
func TestTransport(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Method + " " + r.Host + r.RequestURI
	}))
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, test := range []struct{ base, address, want string }{
		{s.URL, "https://discord.com/api/v9/gateway", "/api/v9/gateway"},
		{s.URL + "/", "https://discord.com/api/v9/gateway?a=b", "/api/v9/gateway?a=b"},
		{s.URL + "/proxy", "https://discord.com/api/v9/gateway", "/proxy/api/v9/gateway"},
		{s.URL + "/proxy/", "https://discord.com/api/v9/a%2Fb", "/proxy/api/v9/a/b"},
		{"https://nowhere.invalid/", s.URL + "/elsewhere", "/elsewhere"},
	} {
		client := &http.Client{Transport: newTransport(mustURL(t, test.base))}
		t.Cleanup(client.CloseIdleConnections)
		response, err := client.Get(test.address)
		must(t, err)
		response.Body.Close()
		if got, want := <-seen, "GET "+host+test.want; got != want {
			t.Errorf("%s at %s: got %s, want %s", test.address, test.base, got, want)
		}
	}
	for _, base := range []*url.URL{nil, mustURL(t, DefaultBaseURL)} {
		if _, rewrites := newTransport(base).(*transport); rewrites {
			t.Errorf("%v is rewritten", base)
		}
	}
}
