package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// testLine is a line whose other side is a function of the test.
type testLine struct {
	in     chan []byte   // to the bot
	out    chan []byte   // from the bot
	closed chan struct{} // by either side

	mu   sync.Mutex // protects the fields below
	err  error      // what read returns at the end
	code int        // with which the bot closed it
}

func (l *testLine) ReadMessage() (int, []byte, error) {
	select {
	case b := <-l.in:
		return websocket.TextMessage, b, nil
	case <-l.closed:
		l.mu.Lock()
		defer l.mu.Unlock()
		return 0, nil, l.err
	}
}

func (l *testLine) write(b []byte) error {
	select {
	case l.out <- b:
		return nil
	case <-l.closed:
		return io.ErrClosedPipe
	}
}

func (l *testLine) close(code int) { l.end(io.ErrClosedPipe, code) }

func (l *testLine) end(err error, code int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err, l.code = err, code
		close(l.closed)
	}
}

// say sends the bot a frame.
func (l *testLine) say(format string, args ...any) {
	select {
	case l.in <- fmt.Appendf(nil, format, args...):
	case <-l.closed:
	}
}

// hear returns the opcode of the bot's next frame and its data; -1 at the end.
func (l *testLine) hear() (op int, data string) {
	select {
	case b := <-l.out:
		var f struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		if err := json.Unmarshal(b, &f); err != nil {
			return -2, string(b)
		}
		return f.Op, string(f.Data)
	case <-l.closed:
		return -1, ""
	}
}

// testGateway is a gateway that runs the bot's shards without a network.
type testGateway struct {
	*gateway
	// serve is the other side of each line.
	serve func(n int, l *testLine)
	// limits is what Discord says.
	limits func() limits
	// fail is the error of dialling for the n-th time, if any.
	fail  func(n int) error
	began time.Time

	mu           sync.Mutex // protects the fields below
	dialled      []time.Duration
	addresses    []string
	identified   []identified
	interactions int
	changes      []string
}

// identified is a session that a shard began.
type identified struct {
	shard int
	at    time.Duration
}

// Take implements [Front].
func (g *testGateway) Take(interaction.Interaction) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.interactions++
}

// Server implements [Front].
func (g *testGateway) Server(id string, in bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes = append(g.changes, fmt.Sprint("server ", id, " ", in))
}

// startLimits are limits with one shard.
func startLimits(total, remaining int, reset time.Duration, shards int) limits {
	var l limits
	text := fmt.Sprintf(`{"url":"wss://gateway.test","shards":%d,"session_start_limit":{"total":%d,"remaining":%d,"reset_after":%d,"max_concurrency":1}}`,
		shards, total, remaining, reset.Milliseconds())
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		panic(err)
	}
	return l
}

// newTestGateway must be called in a synctest bubble.
func newTestGateway(tb testing.TB, serve func(n int, l *testLine)) *testGateway {
	g := &testGateway{serve: serve, began: time.Now()}
	g.limits = func() limits { return startLimits(1000, 1000, 24*time.Hour, 1) }
	g.fail = func(int) error { return nil }
	log := discordtest.NewLog(tb).Logger
	g.gateway = &gateway{
		Options: Options{
			Token:    "test-token-of-the-bot",
			Front:    g,
			Observer: g,
			Log:      log,
			Timings:  DefaultTimings,
		},
		starts: newSessionStarts(func(context.Context) (limits, error) { return g.limits(), nil }, DefaultTimings.StartInterval),
	}
	g.dial = func(_ context.Context, address string) (line, error) {
		g.mu.Lock()
		n := len(g.dialled)
		g.dialled = append(g.dialled, time.Since(g.began))
		g.addresses = append(g.addresses, address)
		g.mu.Unlock()
		if err := g.fail(n); err != nil {
			return nil, err
		}
		l := &testLine{in: make(chan []byte), out: make(chan []byte), closed: make(chan struct{})}
		go g.serve(n, l)
		return l, nil
	}
	return g
}

func (g *testGateway) GatewayChanged(shard int, connected bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes = append(g.changes, fmt.Sprintf("%d %t", shard, connected))
}

func (g *testGateway) Identified(shard, _ int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.identified = append(g.identified, identified{shard, time.Since(g.began)})
}

// runFor runs the gateway for a time, and returns the error.
func (g *testGateway) runFor(t *testing.T, d time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	err := g.run(ctx)
	synctest.Wait()
	return err
}

// begin greets the bot and makes its session ready or resumed. It returns the opcode
// that the bot began with.
func (l *testLine) begin() int {
	l.say(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	op, _ := l.hear()
	switch op {
	case opIdentify:
		l.say(`{"op":0,"s":1,"t":"READY","d":{"session_id":"s","resume_gateway_url":"wss://resume.test","user":{"id":"1"},"application":{"id":"1"},"guilds":[]}}`)
	case opResume:
		l.say(`{"op":0,"s":2,"t":"RESUMED","d":{}}`)
	}
	return op
}

// listen acknowledges heartbeats until the line ends.
func (l *testLine) listen() {
	for {
		switch op, _ := l.hear(); op {
		case -1:
			return
		case opHeartbeat:
			l.say(`{"op":11}`)
		}
	}
}

// cutAfter cuts the line after a time, and reports whether it had not ended before.
func (l *testLine) cutAfter(d time.Duration) bool {
	select {
	case <-time.After(d):
		l.end(io.ErrUnexpectedEOF, 0)
		return true
	case <-l.closed:
		return false
	}
}

// ending is how a line ends: after READY or RESUMED or before, what is said then, and the code with which Discord
// closes it. With 0 it is silent from then on.
type ending struct {
	ready bool
	says  string
	code  int
}

// TestEndings has lines end in every way: the bot resumes its session, begins another one or gives up for good.
func TestEndings(t *testing.T) {
	type test struct {
		lines []ending
		ops   []int // with which the bot begins on each line
		err   error
	}
	refused := ending{code: 4014}
	tests := map[string]test{
		"closed":               {[]ending{{ready: true, code: 4000}, refused}, []int{opIdentify, opResume}, finalCodes[4014]},
		"asked to reconnect":   {[]ending{{true, `{"op":7}`, 0}, refused}, []int{opIdentify, opResume}, finalCodes[4014]},
		"may be resumed":       {[]ending{{true, `{"op":9,"d":true}`, 0}, refused}, []int{opIdentify, opResume}, finalCodes[4014]},
		"invalid":              {[]ending{{true, `{"op":9,"d":false}`, 0}, refused}, []int{opIdentify, opIdentify}, finalCodes[4014]},
		"invalid when resumed": {[]ending{{ready: true, code: 4000}, {says: `{"op":9,"d":false}`}, refused}, []int{opIdentify, opResume, opIdentify}, finalCodes[4014]},
		"unknown when resumed": {[]ending{{ready: true, code: 4000}, {code: 4007}, {code: 4004}}, []int{opIdentify, opResume, opIdentify}, calls.ErrToken},
		"lasted too long":      {[]ending{{ready: true, code: 4009}, refused}, []int{opIdentify, opIdentify}, finalCodes[4014]},
		"cut when resumed":     {[]ending{{ready: true, code: 4000}, {code: 1006}, refused}, []int{opIdentify, opResume, opResume}, finalCodes[4014]},
		"never ready":          {[]ending{{}, refused}, []int{opIdentify, opIdentify}, finalCodes[4014]},
		"never resumed, four times": {[]ending{{ready: true, code: 4000}, {}, {}, {}, {}, refused},
			[]int{opIdentify, opResume, opResume, opResume, opResume, opIdentify}, finalCodes[4014]},
		"never resumed": {[]ending{{ready: true, code: 4000}, {}, refused}, []int{opIdentify, opResume, opResume}, finalCodes[4014]},
	}
	for code, err := range finalCodes {
		tests[fmt.Sprint("refused with ", code)] = test{[]ending{{code: code}}, []int{opIdentify}, err}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex // protects ops
				var ops []int
				g := newTestGateway(t, func(n int, l *testLine) {
					end := test.lines[min(n, len(test.lines)-1)]
					op := 0
					if end.ready {
						op = l.begin()
					} else {
						l.say(`{"op":10,"d":{"heartbeat_interval":41250}}`)
						op, _ = l.hear()
					}
					mu.Lock()
					ops = append(ops, op)
					mu.Unlock()
					go l.listen()
					if end.says != "" {
						l.say("%s", end.says)
					}
					if end.code != 0 {
						l.end(&websocket.CloseError{Code: end.code}, 0)
					}
				})
				if err := g.runFor(t, time.Hour); !errors.Is(err, test.err) || !slices.Equal(ops, test.ops) {
					t.Errorf("got %v after %v, want %v after %v", err, ops, test.err, test.ops)
				}
			})
		})
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// TestCuts cuts the line again and again, some time after each READY and RESUMED. The bot resumes at once, but at most once a
// second, and begins no other session.
func TestCuts(t *testing.T) {
	for lasts, want := range map[time.Duration]time.Duration{500 * time.Millisecond: time.Second, 90 * time.Second: 90 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			g := newTestGateway(t, func(_ int, l *testLine) {
				l.begin()
				go l.listen()
				l.cutAfter(lasts)
			})
			must(t, g.runFor(t, 20*want))
			for n, at := range g.dialled {
				if at != time.Duration(n)*want {
					t.Errorf("lines that last %v: connection %d came at %v", lasts, n, at)
				}
			}
			if len(g.dialled) < 20 || len(g.identified) != 1 {
				t.Errorf("lines that last %v: %d connections and %d sessions", lasts, len(g.dialled), len(g.identified))
			}
		})
	}
}

// TestBackoff has every connection fail for an hour: the waits grow up to half a
// minute, and start again after a success.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGateway(t, func(n int, l *testLine) { l.begin(); l.listen() })
		g.fail = func(n int) error {
			if n < 20 {
				return errors.New("no route to host")
			}
			return nil
		}
		must(t, g.runFor(t, time.Hour))
		for n := range 20 {
			gap := g.dialled[n+1] - g.dialled[n]
			most := min(time.Second<<n, 30*time.Second)
			if gap < most/2 || gap > most {
				t.Errorf("wait %d is %v, want %v to %v", n, gap, most/2, most)
			}
		}
		if len(g.dialled) != 21 || len(g.identified) != 1 {
			t.Errorf("dialled %d times and identified %d times, want 21 and 1", len(g.dialled), len(g.identified))
		}
	})
}

// TestNoAck acknowledges no heartbeat: the line is given up at the second, without a
// close code, and the session resumed.
func TestNoAck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var codes []int
		g := newTestGateway(t, func(n int, l *testLine) {
			l.begin()
			if n > 0 {
				l.listen()
				return
			}
			for op := 0; op != -1; op, _ = l.hear() {
			}
			codes = append(codes, l.code)
		})
		must(t, g.runFor(t, 3*time.Minute))
		if len(g.dialled) != 2 || g.dialled[1] < 41250*time.Millisecond || g.dialled[1] > 82500*time.Millisecond {
			t.Errorf("dialled at %v, want a second time after one to two heartbeats", g.dialled)
		}
		if !slices.Equal(codes, []int{0}) || len(g.identified) != 1 {
			t.Errorf("closed with %v, identified %d times", codes, len(g.identified))
		}
	})
}

// TestEndOfGateway ends a connected bot: Discord gets close code 1000.
func TestEndOfGateway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		code := 0
		g := newTestGateway(t, func(_ int, l *testLine) {
			l.begin()
			l.listen()
			code = l.code
		})
		must(t, g.runFor(t, time.Minute))
		synctest.Wait()
		if code != websocket.CloseNormalClosure {
			t.Errorf("closed with %d, want 1000", code)
		}
		if got, want := strings.Join(g.changes, ", "), "0 false, 0 true, 0 false"; got != want {
			t.Errorf("observed %s, want %s", got, want)
		}
	})
}

// TestResumeAddress resumes at the address that READY named, and at the usual one if
// that cannot be reached.
func TestResumeAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGateway(t, func(n int, l *testLine) {
			l.begin()
			if n == 0 {
				l.end(io.ErrUnexpectedEOF, 0)
			}
			l.listen()
		})
		g.fail = func(n int) error {
			if n == 1 {
				return errors.New("no such host")
			}
			return nil
		}
		must(t, g.runFor(t, time.Minute))
		want := []string{"wss://gateway.test/?v=9&encoding=json", "wss://resume.test/?v=9&encoding=json", "wss://gateway.test/?v=9&encoding=json"}
		if !slices.Equal(g.addresses, want) {
			t.Errorf("dialled %v, want %v", g.addresses, want)
		}
		if len(g.identified) != 1 {
			t.Errorf("identified %d times, want once", len(g.identified))
		}
	})
}

// TestServers: a server that the bot joins or leaves is handed over, and one that an outage hides is not.
func TestServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGateway(t, func(_ int, l *testLine) {
			l.begin()
			for _, f := range []string{
				`"GUILD_CREATE","d":{"id":"1","unavailable":false}`, `"GUILD_DELETE","d":{"id":"2","unavailable":true}`, `"GUILD_CREATE","d":{"id":"3","unavailable":true}`,
				`"GUILD_DELETE","d":{"id":"4"}`, `"GUILD_DELETE","d":{"id":"5","unavailable":false}`, `"GUILD_DELETE","d":{"id":6}`,
			} {
				l.say(`{"op":0,"s":3,"t":%s}`, f)
			}
			l.listen()
		})
		must(t, g.runFor(t, time.Minute))
		got := slices.DeleteFunc(g.changes, func(c string) bool { return !strings.HasPrefix(c, "server ") })
		if want := []string{"server 1 true", "server 4 false", "server 5 false"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
