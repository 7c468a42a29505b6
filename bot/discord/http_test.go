package discord

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/interaction"
)

// overHTTP is for mustRun: it has the bot take interactions by HTTP from the fake Discord.
func overHTTP(tb testing.TB, s *discordtest.Server) func(*setup) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	key, err := endpoint.ParsePublicKey(s.PublicKey())
	must(tb, err)
	return func(o *setup) {
		o.HTTP = &endpoint.Options{Listener: l, Path: "/interactions", PublicKey: key}
		o.timings.http.Linger = 0
		o.timings.http.Settle = func(ctx context.Context, id string, _ time.Time) error { return s.WaitAnswered(ctx, id) }
	}
}

// mustHTTP starts Run and waits until Discord posts interactions to the bot.
func mustHTTP(tb testing.TB, s *discordtest.Server, change ...func(*setup)) *running {
	tb.Helper()
	var url string
	change = append([]func(*setup){overHTTP(tb, s), func(o *setup) { url = endpointOf(o) }}, change...)
	r := mustRun(tb, s, mustStore(tb), change...)
	must(tb, s.SetEndpoint(discordtest.Context(tb), url))
	return r
}

func endpointOf(o *setup) string { return "http://" + o.HTTP.Listener.Addr().String() + o.HTTP.Path }

func TestHTTP(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	r := mustHTTP(t, s)
	r.log.MustSay(t, "the registered commands are not those of this version")
	a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
	if !strings.Contains(a.Content, "Find the five-letter word") {
		t.Errorf("got %q", a.Content)
	}
	if identified, _ := s.Sessions(); identified != 0 || s.Registrations() != 0 {
		t.Errorf("%d sessions, %d registrations, want none", identified, s.Registrations())
	}
}

// slowly is for mustRun: it gives the bot one command, which replies when release is called, after
// its response was deferred.
func slowly(reply bot.Reply) (change func(*setup), release func()) {
	ready := make(chan struct{})
	return func(o *setup) {
		o.timings.deferAfter = time.Millisecond
		o.Bot = &bot.Bot{Log: o.Log, Table: bot.Table{Commands: []bot.Command{{
			Name: "slow", Help: "Slow.", Audience: bot.Everyone,
			Run: func(context.Context, bot.Request) (bot.Reply, error) { <-ready; return reply, nil },
		}}}}
	}, func() { close(ready) }
}

// TestHTTPStops: what has arrived is answered by its response though the bot is stopping.
func TestHTTPStops(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	change, release := slowly(public("done"))
	began := make(chan struct{}, 1)
	r := mustHTTP(t, s, change, func(o *setup) {
		o.started = func(f *front) {
			runAround(f, func(run func() (bot.Reply, error)) (bot.Reply, error) { began <- struct{}{}; return run() })
		}
	})
	call := s.Invoke(discordtest.Interaction{Command: "slow", Guild: server})
	<-began
	r.cancel()
	release()
	if a := mustMessage(t, call); a.Content != "done" {
		t.Errorf("got %q", a.Content)
	}
	must(t, r.mustEnd(t))
}

// closing is a listener that says when one of its connections is closed on our side.
type closing struct {
	net.Listener
	closed chan struct{}
}

type closingConn struct {
	net.Conn
	l closing
}

func (l closing) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return closingConn{c, l}, err
}

func (c closingConn) Close() error {
	select {
	case c.l.closed <- struct{}{}:
	default:
	}
	return c.Conn.Close()
}

// TestCutAfterCommit: a connection that is cut when the guess is stored, but not answered. The
// guess counts once. The answer is sent as a callback; when Discord delivers the interaction again,
// it has the same answer.
func TestCutAfterCommit(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]bool{"the callback is taken": true, "the callback is refused": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, inTwoServers)
			committed, closed := make(chan struct{}), make(chan struct{}, 1)
			var hold atomic.Bool
			r := mustHTTP(t, s, func(o *setup) {
				o.HTTP.Listener = closing{o.HTTP.Listener, closed}
				o.started = func(f *front) {
					runAround(f, func(run func() (bot.Reply, error)) (bot.Reply, error) {
						reply, err := run()
						if hold.Swap(false) {
							for len(closed) > 0 { // of connections before
								<-closed
							}
							close(committed)
							<-closed
						}
						return reply, err
					})
				}
			})
			mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
			hold.Store(true)
			if !takes {
				s.FailNext(http.MethodPost, "/callback", http.StatusNotFound, 1)
			}
			guess := guessOf("slate")
			cut := make(chan struct{})
			guess.Guild, guess.Cut = server, cut
			call := s.Invoke(guess)
			<-committed
			close(cut)
			if takes {
				if a, err := call.First(discordtest.Context(t)); err != nil || !strings.Contains(a.Content, "SLATE") {
					t.Errorf("got %q, %v", a.Content, err)
				}
			} else {
				r.log.MustSay(t, "could not deliver an answer")
				if a := mustMessage(t, s.Invoke(discordtest.Interaction{ID: call.ID()})); !strings.Contains(a.Content, "SLATE") {
					t.Errorf("delivered again: %q", a.Content)
				}
			}
			if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board", Guild: server}); !strings.Contains(a.Content, "5 guesses left") {
				t.Errorf("the board is %q", a.Content)
			}
		})
	}
}

// TestHTTPDeliveredAtOnce: the same guess, posted several times at once, counts once, and each
// request is answered.
func TestHTTPDeliveredAtOnce(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	var url string
	mustHTTP(t, s, func(o *setup) { url = endpointOf(o) })
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Options: map[string]any{"mode": "solo"}})
	body := s.Event(discordtest.Interaction{Command: "guess", Options: map[string]any{"mode": "solo", "word": "brick"}})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			answer, err := http.DefaultClient.Do(s.NewDelivery(t.Context(), url, body))
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			var r interaction.Response
			if err := json.NewDecoder(answer.Body).Decode(&r); err != nil || answer.StatusCode != 200 {
				t.Errorf("status %d, %v", answer.StatusCode, err)
			}
		})
	}
	all.Wait()
	if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board", Options: map[string]any{"mode": "solo"}}); !strings.Contains(a.Content, "5 guesses left") {
		t.Errorf("the board is %q", a.Content)
	}
}

// TestWrongPublicKey: with another application's key, every interaction would be refused.
func TestWrongPublicKey(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustRun(t, s, mustStore(t), overHTTP(t, s), func(o *setup) { o.HTTP.PublicKey = make(ed25519.PublicKey, ed25519.PublicKeySize) })
	if err := r.mustEnd(t); !errors.Is(err, application.ErrPublicKey) {
		t.Errorf("got %v", err)
	}
}

// TestTwoProcesses: a match of one channel is served by two processes in turn. There is always one
// board, and the old ones are deleted, whichever process has posted them.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	store := mustStore(t)
	var urls [2]string
	var fronts [2]*front
	for n := range urls {
		mustRun(t, s, store, overHTTP(t, s), func(o *setup) {
			o.Boards, o.Work = store, store
			o.started = func(f *front) { fronts[n] = f }
			urls[n] = endpointOf(o)
		})
	}
	var boards []string
	guesses := []string{"", "slate", "brick", "fuzzy", "mummy", "civic"}
	for n, word := range guesses {
		must(t, s.SetEndpoint(discordtest.Context(t), urls[n%2]))
		i := discordtest.Interaction{Command: "wordle start"}
		if word != "" {
			i = guessOf(word)
		}
		i.Guild, i.Permissions = server, discordtest.ViewChannel
		boards = append(boards, mustAnswer(t, s, i).MessageID)
		(&runner{t: t, front: fronts[n%2]}).settle()
	}
	for n, id := range boards {
		if a, ok := s.Shown(id); ok != (n == len(boards)-1) {
			t.Errorf("message %d is %q", n, a.Content)
		}
	}
}
