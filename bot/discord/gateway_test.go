package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"fivefold/bot/discord/discordtest"
)

// TestComesBack breaks the connection in every way that waiting mends.
func TestComesBack(t *testing.T) {
	t.Parallel()
	closing := func(code int) func(*discordtest.Server) {
		return func(s *discordtest.Server) { s.CloseGateway(code, "for the test") }
	}
	for name, test := range map[string]struct {
		breaks              func(*discordtest.Server)
		identified, resumed int
	}{
		"closed with 4000":           {closing(4000), 1, 1},
		"closed with 4008":           {closing(4008), 1, 1},
		"closed with 1012":           {closing(1012), 1, 1},
		"line cut":                   {(*discordtest.Server).CutGateway, 1, 1},
		"asked to reconnect":         {(*discordtest.Server).SendReconnect, 1, 1},
		"session invalid":            {func(s *discordtest.Server) { s.InvalidateSessions(false) }, 2, 0},
		"closed with 1001":           {closing(1001), 2, 0},
		"closed with 4007":           {closing(4007), 2, 0},
		"closed with 4009":           {closing(4009), 2, 0},
		"and cannot be dialled":      {undialled, 1, 1},
		"and no gateway is found":    {unfound, 1, 1},
		"and the resume is unheard":  {unheard, 2, 0},
		"and asked again, at once":   {func(s *discordtest.Server) { s.ReconnectFirst(1); s.CutGateway() }, 2, 0},
		"and twice asked, at once":   {func(s *discordtest.Server) { s.ReconnectFirst(2); s.CutGateway() }, 2, 0},
		"and is greeted with nobody": {nobody, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			r := mustReady(t, s, impatiently)
			test.breaks(s)
			if strings.HasPrefix(name, "and is") || strings.HasPrefix(name, "and the") {
				r.log.mustSay(t, errStuck.Error())
				s.MuteReady(false)
				s.MuteHello(false)
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

// impatiently shortens how long connecting may take.
func impatiently(_ *Options, l *limits) { l.open = 1500 * time.Millisecond }

func undialled(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 2)
	s.CutGateway()
}

func unfound(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 1) // after which the address is asked for anew
	s.FailNext("GET", "/gateway", 502, 2)
	s.CutGateway()
}

func unheard(s *discordtest.Server) { s.MuteReady(true); s.CutGateway() }

func nobody(s *discordtest.Server) { s.MuteHello(true); s.CutGateway() }

// TestFirstConnection starts a bot while Discord has troubles.
func TestFirstConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble func(*discordtest.Server)
		log     string
		over    func(*discordtest.Server)
	}{
		"no HELLO":        {func(s *discordtest.Server) { s.MuteHello(true) }, errStuck.Error(), func(s *discordtest.Server) { s.MuteHello(false) }},
		"no READY":        {func(s *discordtest.Server) { s.MuteReady(true) }, errStuck.Error(), func(s *discordtest.Server) { s.MuteReady(false) }},
		"opcode 7 first":  {func(s *discordtest.Server) { s.ReconnectFirst(2) }, errStuck.Error(), nil},
		"no gateway, 500": {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 500, 3) }, "HTTP 500", nil},
		"no gateway, 502": {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 502, 3) }, "HTTP 502", nil},
		"no gateway, 429": {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 429, 2) }, "rate limited", nil},
		"gateway, cut":    {func(s *discordtest.Server) { s.LoseNext("GET", "/gateway", 2) }, "EOF", nil},
		"refused dialling": {
			func(s *discordtest.Server) { s.FailNext("GET", "/socket/", 503, 2) }, "bad handshake", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			test.trouble(s)
			r := mustRun(t, s, mustStore(t), impatiently)
			r.log.mustSay(t, test.log)
			if test.over != nil {
				test.over(s)
			}
			must(t, s.WaitReady(testContext(t), 1))
			mustAnswer(t, s, guessOf("slate"))
			if identified, _ := s.Sessions(); identified != 1 {
				t.Errorf("identified %d times, want once", identified)
			}
		})
	}
}

// TestNoPulse leaves heartbeats unanswered: on a line that is silent, which the
// deadline of its reads notices, and on one that is not, which the watchdog does.
func TestNoPulse(t *testing.T) {
	t.Parallel()
	for name, chatty := range map[string]bool{"silent": false, "chatty": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{Heartbeat: time.Second})
			mustReady(t, s, func(_ *Options, l *limits) {
				l.idle = 2500 * time.Millisecond // discordgo itself gives up after 5 s
				l.look = 400 * time.Millisecond
			})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if chatty {
				go func() {
					for ctx.Err() == nil {
						s.Dispatch("TYPING_START", json.RawMessage(`{}`))
						time.Sleep(200 * time.Millisecond)
					}
				}()
			}
			s.MuteAcks(true)
			must(t, s.WaitReady(testContext(t), 2))
			s.MuteAcks(false)
			if identified, resumed := s.Sessions(); identified != 1 || resumed != 1 {
				t.Errorf("identified %d, resumed %d times, want 1 and 1", identified, resumed)
			}
			if codes := s.ClientCloses(); !slices.Equal(codes, []int{1006}) {
				t.Errorf("closed with %v, want a cut, which keeps the session", codes)
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

// TestEnd ends the bot while it thinks about one interaction, and while another
// answer is under way.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	asked, think := make(chan struct{}), make(chan struct{})
	r := mustReady(t, s, func(o *Options, _ *limits) {
		games := gamesOf(o.Bot)
		games.Store = troubled{games.Store, func() error { close(asked); <-think; return nil }}
	})
	release := s.Hold("POST", "/callback")
	underWay := s.Invoke(discordtest.Interaction{Command: "wordle help"})
	mustMessage(t, underWay)
	thought := s.Invoke(guessOf("slate"))
	<-asked

	began := time.Now()
	r.cancel()
	must(t, s.WaitConnected(testContext(t), 0))
	select {
	case err := <-r.done:
		t.Fatalf("Run returned %v before the answers were out", err)
	case <-time.After(1500 * time.Millisecond): // discordgo takes one second to close
	}
	close(think)
	release()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("ending took %v", took)
	}
	if a := mustMessage(t, thought); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
	if codes := s.ClientCloses(); !slices.Equal(codes, []int{1000}) {
		t.Errorf("closed with %v, want 1000", codes)
	}
	if strings.Contains(r.log.String(), "not delivered") {
		t.Error("an answer was not delivered")
	}
}

// TestEndByAnyCause ends the context in the ways a program does; that a signal
// came is no failure.
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
			log := newDiary(t).Logger
			done := make(chan error, 1)
			go func() {
				done <- Run(ctx, Options{Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: mustBot(t, mustStore(t), hiddenWord, log), Log: log})
			}()
			_ = s.WaitReady(ctx, 1) // the deadline may come first
			cancel()
			if err := <-done; err != nil {
				t.Errorf("got %v, want nil", err)
			}
		})
	}
}

// TestEndWhileConnecting ends a bot that hangs in connecting. It waits for no
// lock of discordgo's, and nothing connects afterwards.
func TestEndWhileConnecting(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	release := s.Hold("GET", "/gateway")
	defer release()
	r := mustRun(t, s, mustStore(t))
	must(t, s.WaitRequests(testContext(t), 1))
	began := time.Now()
	r.cancel()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("ending took %v", took)
	}
}

// TestSilentLine wants a read to fail on a line that says nothing, and the
// connection to be closed with it.
func TestSilentLine(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	s.MuteHello(true)
	l := &line{idle: 500 * time.Millisecond}
	ws, _, err := l.dialer().Dial("ws"+strings.TrimPrefix(s.URL(), "http")+"socket/?v=9&encoding=json", nil)
	must(t, err)
	defer ws.Close()
	var timeout net.Error
	if _, _, err := ws.ReadMessage(); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("reading: got %v, want a timeout", err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("writing: got %v, want %v", err, net.ErrClosed)
	}
}

// TestLineThatEnded wants no connection of a line that was given up: a session
// that hangs in discordgo may go on connecting.
func TestLineThatEnded(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	l := &line{idle: time.Minute}
	address := "ws" + strings.TrimPrefix(s.URL(), "http") + "socket/?v=9&encoding=json"
	ws, _, err := l.dialer().Dial(address, nil)
	must(t, err)
	defer ws.Close()
	l.end()
	if _, _, err := ws.ReadMessage(); err == nil {
		if _, _, err = ws.ReadMessage(); err == nil {
			t.Error("the connection goes on")
		}
	}
	if _, _, err := l.dialer().Dial(address, nil); !errors.Is(err, errEnded) {
		t.Errorf("dialling again: got %v, want %v", err, errEnded)
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustRun(t, s, mustStore(t), func(o *Options, _ *limits) { o.Token = "test-token-that-is-wrong" })
	if err := r.mustEnd(t); !errors.Is(err, ErrToken) {
		t.Errorf("got %v, want ErrToken", err)
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
			if err := g.run(t, 10*time.Second); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
			if ops := g.began(); !slices.Equal(ops, []int{2}) {
				t.Errorf("the client sent %v, want one IDENTIFY", ops)
			}
		})
	}
}

// TestFinalWhileResuming has a session end, and its resumption be refused for
// good, but only after discordgo believes that it is connected.
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
	if err := g.run(t, 10*time.Second); !errors.Is(err, finalCodes[4014]) {
		t.Errorf("got %v, want %v", err, finalCodes[4014])
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the client began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// TestRefusedResume has the gateway close the resumption of a session that it
// does not know any more.
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
	if err := g.run(t, 10*time.Second); !errors.Is(err, ErrToken) {
		t.Errorf("got %v, want ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the client began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// TestCutWhileResuming cuts the line before a resumption; the session is kept.
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
	if err := g.run(t, 10*time.Second); !errors.Is(err, ErrToken) {
		t.Errorf("got %v, want ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6}) {
		t.Errorf("the client began with %v, want IDENTIFY, RESUME", ops)
	}
}

// TestNeverReady has the gateway say of a resumed session that it is invalid,
// and then nothing: discordgo believes that it is connected.
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
	if err := g.run(t, 1500*time.Millisecond); !errors.Is(err, ErrToken) {
		t.Errorf("got %v, want ErrToken", err)
	}
	if ops := g.began(); !slices.Equal(ops, []int{2, 6, 2}) {
		t.Errorf("the client began with %v, want IDENTIFY, RESUME, IDENTIFY", ops)
	}
}

// scripted is a gateway that plays one scene a connection, the last one again
// and again. It is for what the fake Discord cannot do.
type scripted struct {
	http   *httptest.Server
	scenes []func(client)

	mu    sync.Mutex // protects the fields below
	count int
	first []int // the opcode that each greeted client began with
}

// client is a connection to a scripted gateway.
type client struct {
	g  *scripted
	ws *websocket.Conn
}

func newScripted(t *testing.T, scenes ...func(client)) *scripted {
	g := &scripted{scenes: scenes}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v9/gateway", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"url":"ws://%s/socket/"}`, r.Host)
	})
	mux.HandleFunc("/socket/", func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return // Upgrade has answered
		}
		defer ws.Close()
		g.mu.Lock()
		scene := g.scenes[min(g.count, len(g.scenes)-1)]
		g.count++
		g.mu.Unlock()
		scene(client{g, ws})
	})
	mux.HandleFunc("/api/v9/applications/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	g.http = httptest.NewServer(mux)
	t.Cleanup(func() {
		g.http.CloseClientConnections()
		g.http.Close()
	})
	return g
}

// run serves the gateway until that ends for good. Connecting may take so long.
func (g *scripted) run(t *testing.T, open time.Duration) error {
	t.Helper()
	log := newDiary(t).Logger
	l := defaultLimits
	l.firstWait, l.open = 20*time.Millisecond, open
	l.look = 400 * time.Millisecond // four looks are more than the second for which discordgo closes
	return run(testContext(t), Options{
		Token: "test-token-of-the-bot", BaseURL: mustURL(t, g.http.URL), Log: log, Bot: mustBot(t, mustStore(t), hiddenWord, log),
	}, l)
}

func (g *scripted) began() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.first)
}

// The client may be gone at any time: what is sent then is lost, as it should be.

func (c client) send(text string) { _ = c.ws.WriteMessage(websocket.TextMessage, []byte(text)) }

// hello greets the client and waits for what it says first.
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
