package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

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
	g.http = httptest.NewServer(mux)
	t.Cleanup(func() {
		g.http.CloseClientConnections()
		g.http.Close()
	})
	return g
}

// run serves a bot by this gateway and returns what Run returns.
func (g *scripted) run(t *testing.T) error {
	t.Helper()
	log := discordtest.NewLog(t).Logger
	base, err := url.Parse(g.http.URL)
	must(t, err)
	client, err := calls.New(calls.Options{Token: "test-token-of-the-bot", BaseURL: base, Log: log})
	must(t, err)
	timings := DefaultTimings
	timings.MinBackoff, timings.Spacing, timings.StartInterval, timings.MinStartGap = time.Millisecond, time.Millisecond, time.Millisecond, time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	return Run(ctx, Options{
		Token: "test-token-of-the-bot", Calls: client, Log: log, Timings: timings, Observer: newTestGateway(t, nil),
		OnInteraction: func([]byte) {}, OnReady: func(int, string) {},
	})
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

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
