package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

// TestReconnects breaks the connection in every way after which reconnecting helps.
func TestReconnects(t *testing.T) {
	t.Parallel()
	closing := func(code int) func(*discordtest.Server) {
		return func(s *discordtest.Server) { s.CloseGateway(code, "for the test") }
	}
	for name, test := range map[string]struct {
		breaks              func(*discordtest.Server)
		identified, resumed int
		silent              bool // Discord is, until the bot gives up waiting
	}{
		"closed with 4000":           {closing(4000), 1, 1, false},
		"closed with 4008":           {closing(4008), 1, 1, false},
		"closed with 1012":           {closing(1012), 1, 1, false},
		"connection cut":             {(*discordtest.Server).CutGateway, 1, 1, false},
		"asked to reconnect":         {(*discordtest.Server).SendReconnect, 1, 1, false},
		"session invalid":            {func(s *discordtest.Server) { s.InvalidateSessions(false) }, 2, 0, false},
		"closed with 1001":           {closing(1001), 2, 0, false},
		"closed with 4007":           {closing(4007), 2, 0, false},
		"closed with 4009":           {closing(4009), 2, 0, false},
		"and cannot be dialled":      {undialled, 1, 1, false},
		"and no gateway is found":    {unfound, 1, 1, false},
		"and the resume is unheard":  {unheard, 1, 1, true},
		"and asked again, at once":   {func(s *discordtest.Server) { s.ReconnectFirst(1); s.CutGateway() }, 1, 1, false},
		"and twice asked, at once":   {func(s *discordtest.Server) { s.ReconnectFirst(2); s.CutGateway() }, 1, 1, false},
		"and is greeted with nobody": {nobody, 1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			r := mustReady(t, s, func(o *setup) {
				if test.silent {
					o.timings.testOnlyConnect = silent(s, 2)
				}
			})
			test.breaks(s)
			if test.silent {
				r.log.MustSay(t, errSilent.Error())
			}
			must(t, s.WaitReady(testContext(t), 2))
			if identified, resumed := s.Sessions(); identified != test.identified || resumed != test.resumed {
				t.Errorf("identified %d, resumed %d times, want %d and %d", identified, resumed, test.identified, test.resumed)
			}
			if a := mustAnswer(t, s, guessOf("slate")); !strings.Contains(a.Content, "No game") {
				t.Errorf("after it: got %q", a.Content)
			}
			if n := s.Registrations(); n != 1 {
				t.Errorf("commands were registered %d times, want once", n)
			}
		})
	}
}

// silent has the bot give up its n-th connection soon, on which Discord is silent, and none of the
// others, on which it is not.
func silent(s *discordtest.Server, n int32) (connect func() time.Duration) {
	var connections atomic.Int32
	return func() time.Duration {
		switch connections.Add(1) {
		case n:
			return time.Second
		case n + 1:
			s.MuteHello(false)
			s.MuteReady(false)
		}
		return time.Hour
	}
}

func undialled(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 2)
	s.CutGateway()
}

func unfound(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 1) // after which the address is asked for again
	s.FailNext("GET", "/gateway", 502, 2)
	s.CutGateway()
}

func unheard(s *discordtest.Server) { s.MuteReady(true); s.CutGateway() }

func nobody(s *discordtest.Server) { s.MuteHello(true); s.CutGateway() }

// TestFirstConnection starts a bot while Discord has problems.
func TestFirstConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble func(*discordtest.Server)
		log     string
	}{
		"no HELLO":         {func(s *discordtest.Server) { s.MuteHello(true) }, errSilent.Error()},
		"no READY":         {func(s *discordtest.Server) { s.MuteReady(true) }, errSilent.Error()},
		"opcode 7 first":   {func(s *discordtest.Server) { s.ReconnectFirst(2) }, errReconnect.Error()},
		"no gateway, 500":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 500, 3) }, "HTTP 500"},
		"no gateway, 502":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 502, 3) }, "HTTP 502"},
		"no gateway, 429":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 429, 2) }, "rate limited"},
		"gateway, cut":     {func(s *discordtest.Server) { s.LoseNext("GET", "/gateway", 2) }, "EOF"},
		"refused dialling": {func(s *discordtest.Server) { s.FailNext("GET", "/socket/", 503, 2) }, "bad handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			test.trouble(s)
			r := mustRun(t, s, mustStore(t), func(o *setup) {
				if test.log == errSilent.Error() {
					o.timings.testOnlyConnect = silent(s, 1)
				}
			})
			r.log.MustSay(t, test.log)
			must(t, s.WaitReady(testContext(t), 1))
			mustAnswer(t, s, guessOf("slate"))
			if identified, _ := s.Sessions(); identified != 1 {
				t.Errorf("identified %d times, want once", identified)
			}
		})
	}
}

// TestMissingAcks acknowledges no heartbeats, on a silent connection and on a busy one.
func TestMissingAcks(t *testing.T) {
	t.Parallel()
	for name, busy := range map[string]bool{"silent": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			s.HelloWith(`{"op":10,"d":{"heartbeat_interval":1000}}`) // only this connection is given up, on however slow a machine
			mustReady(t, s)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if busy {
				go func() {
					for ctx.Err() == nil {
						s.Dispatch("TYPING_START", json.RawMessage(`{}`))
						time.Sleep(200 * time.Millisecond)
					}
				}()
			}
			s.MuteAcks()
			must(t, s.WaitReady(testContext(t), 2))
			if identified, resumed := s.Sessions(); identified != 1 || resumed != 1 {
				t.Errorf("identified %d, resumed %d times, want 1 and 1", identified, resumed)
			}
			must(t, s.WaitClosed(testContext(t), 1))
			if codes := s.ClientCloses(); !slices.Equal(codes, []int{1006}) {
				t.Errorf("closed with %v, want no close code, which keeps the session", codes)
			}
		})
	}
}

func TestAnsweredAfterResume(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s)
	s.CutGateway()
	call := s.Invoke(guessOf("slate"))
	if a := mustMessage(t, call); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
	if _, resumed := s.Sessions(); resumed != 1 {
		t.Errorf("resumed %d times, want once", resumed)
	}
}

// TestEnd stops the bot while one handler runs and another answer is being sent.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	asked, think := make(chan struct{}), make(chan struct{})
	var once sync.Once // a guess looks into several slots
	r := mustReady(t, s, func(o *setup) {
		games := o.games
		games.Store = troubled{games.Store, func() error { once.Do(func() { close(asked) }); <-think; return nil }}
	})
	release := s.Hold("POST", "/callback")
	underWay := s.Invoke(discordtest.Interaction{Command: "wordle help"})
	mustMessage(t, underWay)
	thought := s.Invoke(guessOf("slate"))
	<-asked

	r.cancel()
	must(t, s.WaitConnected(testContext(t), 0))
	select {
	case err := <-r.done:
		t.Fatalf("Run returned %v before the answers were out", err)
	case <-time.After(1500 * time.Millisecond): // closing the gateway takes up to a second
	}
	close(think)
	release()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	if a := mustMessage(t, thought); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
	must(t, s.WaitClosed(testContext(t), 1))
	if codes := s.ClientCloses(); !slices.Equal(codes, []int{1000}) {
		t.Errorf("closed with %v, want 1000", codes)
	}
	if strings.Contains(r.log.String(), "could not deliver") {
		t.Error("could not deliver an answer")
	}
}

// TestEndByAnyCause ends the context in the ways a program does; a signal is no
// failure.
func TestEndByAnyCause(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"cancelled": context.WithCancel,
		"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 100*time.Millisecond)
		},
		"a cause": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx) // as signal.NotifyContext does
			return ctx, func() { cancel(errors.New("terminated signal received")) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			ctx, cancel := ends(context.Background())
			defer cancel()
			log := discordtest.NewLog(t).Logger
			done := make(chan error, 1)
			go func() {
				done <- Run(ctx, Options{Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: mustBot(t, log), Log: log})
			}()
			_ = s.WaitReady(ctx, 1) // the deadline may come first
			cancel()
			if err := <-done; err != nil {
				t.Errorf("got %v, want nil", err)
			}
		})
	}
}

// TestEndWhileConnecting stops a bot that hangs while connecting.
func TestEndWhileConnecting(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	release := s.Hold("GET", "/gateway")
	defer release()
	r := mustRun(t, s, mustStore(t))
	must(t, s.WaitRequests(testContext(t), 1))
	r.cancel()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustRun(t, s, mustStore(t), func(o *setup) { o.Token = "test-token-that-is-wrong" })
	if err := r.mustEnd(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
}

// TestFinalCodes has the gateway refuse the bot for good.
func TestFinalCodes(t *testing.T) {
	t.Parallel()
	for code, want := range finalCodes {
		t.Run(want.Error(), func(t *testing.T) {
			t.Parallel()
			g := newScripted(t, func(c client) {
				c.hello()
				c.closeWith(code)
			})
			if err := g.run(t); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
			if ops := g.began(); !slices.Equal(ops, []int{2}) {
				t.Errorf("the client sent %v, want one IDENTIFY", ops)
			}
		})
	}
}

// TestFinalWhileResuming has Discord call a resumed session invalid, and then refuse the
// bot for good.
func TestFinalWhileResuming(t *testing.T) {
	t.Parallel()
	g := newScripted(t,
		func(c client) {
			c.hello()
			c.ready()
			c.closeWith(4000)
		},
		func(c client) {
			c.hello()
			c.send(`{"op":9,"d":false}`)
			c.closeWith(4014)
		},
		func(c client) {
			c.hello()
			c.closeWith(4014)
		},
	)
	if err := g.run(t); !errors.Is(err, finalCodes[4014]) {
		t.Errorf("got %v, want %v", err, finalCodes[4014])
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the clients began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// TestRefusedResume has the gateway close the connection when a session that it
// no longer knows is resumed.
func TestRefusedResume(t *testing.T) {
	t.Parallel()
	g := newScripted(t,
		func(c client) {
			c.hello()
			c.ready()
			c.closeWith(4000)
		},
		func(c client) {
			c.hello()
			c.closeWith(4007)
		},
		func(c client) {
			c.hello()
			c.closeWith(4004)
		},
	)
	if err := g.run(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the clients began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// TestCutWhileResuming breaks the connection before a session is resumed; the
// session is kept.
func TestCutWhileResuming(t *testing.T) {
	t.Parallel()
	g := newScripted(t,
		func(c client) {
			c.hello()
			c.ready()
			c.closeWith(4000)
		},
		func(client) {},
		func(c client) {
			c.hello()
			c.closeWith(4004)
		},
	)
	if err := g.run(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6}) {
		t.Errorf("the clients began with %v, want IDENTIFY, RESUME", ops)
	}
}

// TestNeverReady has the gateway call a resumed session invalid and then fall
// silent.
func TestNeverReady(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	g := newScripted(t,
		func(c client) {
			c.hello()
			c.ready()
			c.closeWith(4000)
		},
		func(c client) {
			c.hello()
			c.send(`{"op":9,"d":false}`)
			<-over
		},
		func(c client) {
			c.hello()
			c.closeWith(4004)
		},
	)
	if err := g.run(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the clients began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// scripted is a gateway that runs one function for each connection, the last one
// again and again. It is for what the fake Discord cannot do.
type scripted struct {
	http     *httptest.Server
	handlers []func(client)

	mu    sync.Mutex // protects the fields below
	count int
	first []int // the opcode of each client's first packet after HELLO
}

// client is a connection to a scripted gateway.
type client struct {
	g  *scripted
	ws *websocket.Conn
}

func newScripted(t *testing.T, handlers ...func(client)) *scripted {
	g := &scripted{handlers: handlers}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v9/gateway/bot", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"url":"ws://%s/socket/"}`, r.Host)
	})
	mux.HandleFunc("/socket/", func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return // Upgrade has answered
		}
		defer ws.Close()
		g.mu.Lock()
		handler := g.handlers[min(g.count, len(g.handlers)-1)]
		g.count++
		g.mu.Unlock()
		handler(client{g, ws})
	})
	mux.HandleFunc("/api/v9/applications/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	g.http = httptest.NewServer(mux)
	t.Cleanup(func() {
		g.http.CloseClientConnections()
		g.http.Close()
	})
	return g
}

// run serves this gateway and returns what Run returns.
func (g *scripted) run(t *testing.T) error {
	t.Helper()
	log := discordtest.NewLog(t).Logger
	return run(testContext(t), Options{
		Token: "test-token-of-the-bot", BaseURL: mustURL(t, g.http.URL), Log: log, Bot: mustBot(t, log),
	}, patient(hurried(defaultTimings)))
}

func (g *scripted) began() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.first)
}

// The client may disconnect at any time; what is sent then is lost, as it should be.

func (c client) send(text string) { _ = c.ws.WriteMessage(websocket.TextMessage, []byte(text)) }

// hello sends HELLO and waits for the first packet of the client.
func (c client) hello() {
	c.send(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	var p struct {
		Op int `json:"op"`
	}
	if c.ws.ReadJSON(&p) == nil {
		c.g.mu.Lock()
		defer c.g.mu.Unlock()
		c.g.first = append(c.g.first, p.Op)
	}
}

func (c client) ready() {
	c.send(`{"op":0,"s":1,"t":"READY","d":{"v":9,"session_id":"s","user":{"id":"1","username":"Fivefold"},"application":{"id":"1"},"guilds":[]}}`)
}

// closeWith closes the connection, and waits until the client has noticed.
func (c client) closeWith(code int) {
	_ = c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			return
		}
	}
}
