package discord

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

// overHTTP is for mustRun: it has the bot take interactions by HTTP from the fake Discord.
func overHTTP(tb testing.TB, s *discordtest.Server) func(*setup) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	key, err := ParsePublicKey(s.PublicKey())
	must(tb, err)
	return func(o *setup) {
		o.HTTP = &HTTP{Listener: l, Path: "/interactions", PublicKey: key}
		o.timings.http.testOnlyArrived, o.timings.http.linger = s.WaitAnswered, 0
	}
}

// mustHTTP starts Run and waits until Discord posts interactions to the bot.
func mustHTTP(tb testing.TB, s *discordtest.Server, change ...func(*setup)) *running {
	tb.Helper()
	var url string
	change = append([]func(*setup){overHTTP(tb, s), func(o *setup) { url = endpointOf(o) }}, change...)
	r := mustRun(tb, s, mustStore(tb), change...)
	must(tb, s.SetEndpoint(testContext(tb), url))
	return r
}

func endpointOf(o *setup) string { return "http://" + o.HTTP.Listener.Addr().String() + o.HTTP.Path }

func TestHTTP(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	r := mustHTTP(t, s)
	r.log.MustSay(t, "the registered commands are not those of this version")
	a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
	if !strings.Contains(a.Content, "A new game") {
		t.Errorf("got %q", a.Content)
	}
	if identified, _ := s.Sessions(); identified != 0 || s.Registrations() != 0 {
		t.Errorf("%d sessions, %d registrations, want none", identified, s.Registrations())
	}
}

// TestHTTPRefusals: what reaches the front, and what the rest is answered with.
func TestHTTPRefusals(t *testing.T) {
	synctest.Test(t, testHTTPRefusals) // a request is as old as it says, on however slow a machine
}

func testHTTPRefusals(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	must(t, err)
	_, other, err := ed25519.GenerateKey(nil)
	must(t, err)
	log := discordtest.NewLog(t)
	taken := 0
	take := func(i interaction) {
		taken++
		i.exchange.end()
	}
	e := newEndpoint(HTTP{Path: "/interactions", PublicKey: public}, take, defaultHTTPTimings, unobserved{}, log.Logger)
	const ping, command = `{"id":"1","type":1}`, `{"id":"7","token":"x","type":2,"user":{"id":"9"},"data":{"name":"guess"}}`
	signed := func(key ed25519.PrivateKey, at time.Time, body string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/interactions", strings.NewReader(body))
		timestamp := fmt.Sprint(at.Unix())
		r.Header.Set("X-Signature-Timestamp", timestamp)
		r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, []byte(timestamp+body))))
		return r
	}
	right := func(body string) *http.Request { return signed(private, time.Now(), body) }
	changed := func(r *http.Request, change func(*http.Request)) *http.Request { change(r); return r }
	header := func(name, value string) *http.Request {
		return changed(right(command), func(r *http.Request) { r.Header.Set(name, value) })
	}
	for name, test := range map[string]struct {
		r      *http.Request
		status int
		taken  int
	}{
		"an interaction":         {right(command), 503, 1}, // its work ends without an answer
		"a ping":                 {right(ping), 200, 0},
		"the wrong key":          {signed(other, time.Now(), command), 401, 0},
		"an old request":         {signed(private, time.Now().Add(-6*time.Minute), command), 401, 0},
		"one from the future":    {signed(private, time.Now().Add(6*time.Minute), command), 401, 0},
		"a clock that is off":    {signed(private, time.Now().Add(-4*time.Minute), command), 503, 1},
		"another timestamp":      {header("X-Signature-Timestamp", fmt.Sprint(time.Now().Unix()-1)), 401, 0},
		"no timestamp":           {header("X-Signature-Timestamp", ""), 401, 0},
		"no number":              {header("X-Signature-Timestamp", "now"), 401, 0},
		"a long timestamp":       {header("X-Signature-Timestamp", strings.Repeat("1", 1000)), 401, 0},
		"no signature":           {header("X-Signature-Ed25519", ""), 401, 0},
		"a short signature":      {header("X-Signature-Ed25519", "00"), 401, 0},
		"no hexadecimal digits":  {header("X-Signature-Ed25519", strings.Repeat("x", 128)), 401, 0},
		"another body":           {changed(right(command), func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(ping)) }), 401, 0},
		"no JSON":                {right("hello"), 400, 0},
		"no body":                {right(""), 400, 0},
		"null":                   {right("null"), 400, 0},
		"no interaction":         {right(`{"type":2}`), 400, 0},
		"too large":              {right(strings.Repeat(" ", maxInteraction+1)), 413, 0},
		"too large, length said": {changed(right("x"), func(r *http.Request) { r.ContentLength = maxInteraction + 1 }), 413, 0},
		"too large, not said": {changed(right(strings.Repeat(" ", maxInteraction+1)), func(r *http.Request) {
			r.ContentLength = -1
		}), 413, 0},
		"large":        {right(command + strings.Repeat(" ", maxInteraction-len(command))), 503, 1},
		"a large ping": {right(ping + strings.Repeat(" ", maxInteraction-len(ping))), 200, 0},
		"a GET":        {httptest.NewRequest(http.MethodGet, "/interactions", nil), 405, 0},
		"another path": {changed(right(command), func(r *http.Request) { r.URL.Path = "/" }), 404, 0},
	} {
		taken = 0
		w := httptest.NewRecorder()
		e.ServeHTTP(w, test.r)
		if w.Code != test.status || taken != test.taken {
			t.Errorf("%s: status %d, taken %d, want %d, %d", name, w.Code, taken, test.status, test.taken)
		}
		if test.status == 200 && w.Body.String() != `{"type":1}` {
			t.Errorf("%s: got %s", name, w.Body)
		}
		if left := e.large.Load(); left != 0 {
			t.Fatalf("%s: %d bytes are still counted", name, left)
		}
	}
	if !strings.Contains(log.String(), "set the clock over the network") {
		t.Error("the wrong time is not logged")
	}
}

// TestLargeBodies: all large bodies together have a limit, which small ones need not care about.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	e := newEndpoint(HTTP{}, nil, defaultHTTPTimings, unobserved{}, nil)
	e.large.Store(largeBodies)
	read := func(n int) int {
		w := httptest.NewRecorder()
		_, status := e.read(w, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, n))))
		return status
	}
	for n, want := range map[int]int{0: 0, smallInteraction: 0, 2 * smallInteraction: http.StatusServiceUnavailable} {
		if got := read(n); got != want {
			t.Errorf("%d bytes: status %d, want %d", n, got, want)
		}
	}
	if got := e.large.Load(); got != largeBodies {
		t.Errorf("%d are counted, want %d", got, largeBodies)
	}
}

// TestStoppingConnections: a process that stops still answers on a connection that a balancer has
// kept, and asks the balancer to close it: the process itself might close it while a request is on
// its way.
func TestStoppingConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	timings := patient(defaultTimings).http
	timings.linger = 10 * time.Minute
	e := newEndpoint(HTTP{Listener: l, Path: "/interactions"}, nil, timings, unobserved{}, discordtest.NewLog(t).Logger)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.run(ctx) }()
	dial := func() (ask func() (closes bool)) {
		c, err := net.Dial("tcp", l.Addr().String())
		must(t, err)
		t.Cleanup(func() { _ = c.Close() }) // the other side may have closed it
		in := bufio.NewReader(c)
		return func() bool {
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			must(t, err)
			resp, err := http.ReadResponse(in, nil)
			must(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			must(t, err)
			return resp.Close
		}
	}
	kept := dial()
	if kept() {
		t.Error("a connection is closed before the end")
	}
	stop()
	for !dial()() { // until it stops
	}
	if !kept() {
		t.Error("it is not asked to close the connection")
	}
	must(t, l.Close())
	<-ended // with the error that the listener was closed
}

// FuzzEndpoint: whatever is posted is refused or taken, and taken only with a right signature.
func FuzzEndpoint(f *testing.F) {
	public, private, err := ed25519.GenerateKey(nil)
	must(f, err)
	f.Add("", "", []byte(`{"type":1}`), true)
	f.Add(strings.Repeat("0", 128), "1700000000", []byte(`{"id":"7","token":"x","type":2,"user":{"id":"9"}}`), false)
	f.Add("", "", []byte("null"), true)
	f.Fuzz(func(t *testing.T, sum, timestamp string, body []byte, sign bool) {
		taken := false
		e := newEndpoint(HTTP{Path: "/", PublicKey: public}, func(i interaction) {
			taken = true
			i.exchange.end()
		}, defaultHTTPTimings, unobserved{}, discordtest.NewLog(t).Logger)
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		if sign {
			timestamp = fmt.Sprint(time.Now().Unix())
			sum = hex.EncodeToString(ed25519.Sign(private, append([]byte(timestamp), body...)))
		}
		r.Header = http.Header{"X-Signature-Ed25519": {sum}, "X-Signature-Timestamp": {timestamp}}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		switch {
		case !sign && (taken || w.Code != 401 && w.Code != 413):
			t.Errorf("status %d, taken %v", w.Code, taken)
		case sign && w.Code != 200 && w.Code != 400 && w.Code != 413 && w.Code != 503:
			t.Errorf("status %d", w.Code)
		}
	})
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

// TestHTTPDeferred: what takes longer is deferred by the response, and edited after that.
func TestHTTPDeferred(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	change, release := slowly(public("late"))
	mustHTTP(t, s, change)
	call := s.Invoke(discordtest.Interaction{Command: "slow", Guild: server})
	if first, err := call.First(testContext(t)); err != nil || first.Type != typeDeferredMessage {
		t.Errorf("first %+v, %v", first, err)
	}
	release()
	if a := mustMessage(t, call); a.Content != "late" || len(call.Edits()) != 1 {
		t.Errorf("got %q and %d edits", a.Content, len(call.Edits()))
	}
}

// TestArrived: an edit waits until Discord surely has the response, and one that is not the
// edit of an HTTP response waits for nothing.
func TestArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange("7", defaultHTTPTimings)
		w := slowWriter{httptest.NewRecorder(), make(chan struct{})}
		left := make(chan error)
		go func() { left <- x.respond(t.Context(), response{Type: typeDeferredMessage}) }()
		go x.serve(w, httptest.NewRequest(http.MethodPost, "/", nil))
		synctest.Wait()
		select {
		case <-left:
			t.Error("it says that the response has left while that is being written")
		default:
		}
		close(w.release)
		must(t, <-left)
		if !w.Flushed || w.Code != 200 || w.Body.String() != `{"type":5}` {
			t.Errorf("flushed %v, status %d, %s", w.Flushed, w.Code, w.Body)
		}
		began := time.Now()
		must(t, x.arrived(t.Context()))
		if waited := time.Since(began); waited != defaultHTTPTimings.settle {
			t.Errorf("waited %v, want %v", waited, defaultHTTPTimings.settle)
		}
		for _, x := range []*exchange{nil, newExchange("7", defaultHTTPTimings)} {
			must(t, x.arrived(t.Context()))
		}
		if waited := time.Since(began); waited != defaultHTTPTimings.settle {
			t.Errorf("waited %v for nothing", waited)
		}
		if err := x.respond(t.Context(), response{Type: typeMessage}); !errors.Is(err, errCut) {
			t.Errorf("a second response: %v", err)
		}
	})
}

// slowWriter is a connection on which nothing leaves before it is released.
type slowWriter struct {
	*httptest.ResponseRecorder
	release chan struct{}
}

func (w slowWriter) Flush() {
	<-w.release
	w.ResponseRecorder.Flush()
}

// TestHTTPStops: what has arrived is answered by its response though the bot is stopping.
func TestHTTPStops(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	change, release := slowly(public("done"))
	began := make(chan struct{}, 1)
	r := mustHTTP(t, s, change, func(o *setup) {
		o.timings.testOnlyStarted = func(f *front) {
			run := f.run
			f.run = func(ctx context.Context, r bot.Request) bot.Reply { began <- struct{}{}; return run(ctx, r) }
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
				o.timings.testOnlyStarted = func(f *front) {
					run := f.run
					f.run = func(ctx context.Context, r bot.Request) bot.Reply {
						reply := run(ctx, r)
						if hold.Swap(false) {
							for len(closed) > 0 { // of connections before
								<-closed
							}
							close(committed)
							<-closed
						}
						return reply
					}
				}
			})
			mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
			cut := s.CutNextDelivery()
			hold.Store(true)
			if !takes {
				s.FailNext(http.MethodPost, "/callback", http.StatusNotFound, 1)
			}
			guess := guessOf("slate")
			guess.Guild = server
			call := s.Invoke(guess)
			<-committed
			cut()
			if takes {
				if a, err := call.First(testContext(t)); err != nil || !strings.Contains(a.Content, "SLATE") {
					t.Errorf("got %q, %v", a.Content, err)
				}
			} else {
				r.log.MustSay(t, "could not deliver an answer")
				if a := mustMessage(t, s.Invoke(discordtest.Interaction{ID: call.ID()})); !strings.Contains(a.Content, "SLATE") {
					t.Errorf("delivered again: %q", a.Content)
				}
			}
			if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board", Guild: server}); !strings.Contains(a.Content, "5 attempts left") {
				t.Errorf("the board is %q", a.Content)
			}
		})
	}
}

// TestCutBeforeCommit: of a request that is cut in the middle, nothing is done.
func TestCutBeforeCommit(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	var address string
	mustHTTP(t, s, func(o *setup) { address = o.HTTP.Listener.Addr().String() })
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
	guess := guessOf("slate")
	guess.Guild = server
	body := s.Event(guess)
	timestamp, signature := s.Sign(time.Now(), body)
	for _, part := range []int{0, len(body) / 2, len(body) - 1} {
		conn, err := net.Dial("tcp", address)
		must(t, err)
		_, err = fmt.Fprintf(conn, "POST /interactions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nX-Signature-Timestamp: %s\r\nX-Signature-Ed25519: %s\r\n\r\n%s",
			len(body), timestamp, signature, body[:part])
		must(t, err)
		must(t, conn.Close())
	}
	if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board", Guild: server}); !strings.Contains(a.Content, "6 attempts left") {
		t.Errorf("the board is %q", a.Content)
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
			var r response
			if err := json.NewDecoder(answer.Body).Decode(&r); err != nil || answer.StatusCode != 200 {
				t.Errorf("status %d, %v", answer.StatusCode, err)
			}
		})
	}
	all.Wait()
	if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board", Options: map[string]any{"mode": "solo"}}); !strings.Contains(a.Content, "5 attempts left") {
		t.Errorf("the board is %q", a.Content)
	}
}

// TestHalfOpenConnections: half-open connections, more than there may be, take no place from
// those who play.
func TestHalfOpenConnections(t *testing.T) {
	t.Parallel()
	const most = 32
	s := discordtest.New(t, inTwoServers)
	var address string
	mustHTTP(t, s, func(o *setup) {
		address = o.HTTP.Listener.Addr().String()
		o.timings.http.conns = most
	})
	for n := range 10 * most {
		conn, err := net.Dial("tcp", address)
		must(t, err)
		defer conn.Close()
		if n%2 == 0 {
			_, err = io.WriteString(conn, "POST /interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nX-Signature-Timestamp: 1\r\nX-Signature-Ed25519: "+strings.Repeat("0", 128)+"\r\n\r\n{")
		} else {
			_, err = io.WriteString(conn, "POST /interactions HTTP/1.1\r\nHost")
		}
		if err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
			t.Error(err)
		}
		if n%most == 0 {
			mustAnswer(t, s, discordtest.Interaction{Command: "wordle board"})
		}
	}
}

// TestFloodOfSignatures: those who play are answered while others post wrong signatures, all of
// which are refused.
func TestFloodOfSignatures(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	var url string
	mustHTTP(t, s, func(o *setup) { url = endpointOf(o) })
	_, wrong, err := ed25519.GenerateKey(nil)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	body := s.Event(discordtest.Interaction{Command: "wordle stop"})
	var flood sync.WaitGroup
	var refused atomic.Int64
	for range 8 {
		flood.Go(func() {
			for ctx.Err() == nil {
				r := s.NewDelivery(ctx, url, body)
				r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(wrong, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...))))
				answer, err := client.Do(r)
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				answer.Body.Close()
				if answer.StatusCode != http.StatusUnauthorized {
					t.Errorf("status %d", answer.StatusCode)
				}
				refused.Add(1)
			}
		})
	}
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	for _, word := range []string{"slate", "brick", "fuzzy"} {
		before := refused.Load()
		if a := mustAnswer(t, s, guessOf(word)); !strings.Contains(a.Content, strings.ToUpper(word)) {
			t.Errorf("got %q", a.Content)
		}
		for refused.Load() < before+8 && ctx.Err() == nil && !t.Failed() { // the flood goes on
			time.Sleep(time.Millisecond)
		}
	}
	stop()
	flood.Wait()
}

// TestServerRemoved: with the gateway kept, the bot learns that a server has removed it, and
// interactions still come by HTTP.
func TestServerRemoved(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	store := mustStore(t)
	must(t, store.SetCommandGuilds(t.Context(), []game.GuildID{"1600000000000000009", server}))
	var url string
	r := mustRun(t, s, store, overHTTP(t, s), func(o *setup) {
		o.HTTP.Gateway = true
		url = endpointOf(o)
	})
	must(t, s.SetEndpoint(testContext(t), url))
	must(t, s.WaitReady(testContext(t), 1))
	s.Dispatch("GUILD_DELETE", json.RawMessage(`{"id":"1600000000000000001","unavailable":true}`))
	s.Dispatch("GUILD_DELETE", json.RawMessage(`{"id":[]}`))
	s.Dispatch("GUILD_DELETE", json.RawMessage(`{"id":"1600000000000000009"}`))
	r.log.MustSay(t, "a server has removed the bot")
	mustAnswer(t, s, discordtest.Interaction{Command: "pokle rules"})
	r.cancel()
	must(t, r.mustEnd(t))
	if left, err := store.CommandGuilds(t.Context()); err != nil || len(left) != 1 || left[0] != server {
		t.Errorf("left %v, %v, want %s", left, err, server)
	}
}

// TestWrongPublicKey: with another application's key, every interaction would be refused.
func TestWrongPublicKey(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustRun(t, s, mustStore(t), overHTTP(t, s), func(o *setup) { o.HTTP.PublicKey = make(ed25519.PublicKey, ed25519.PublicKeySize) })
	if err := r.mustEnd(t); !errors.Is(err, ErrPublicKey) {
		t.Errorf("got %v", err)
	}
}

// TestConnLimit: there are never more connections than the limit; those of strangers are closed
// first, then idle ones.
func TestConnLimit(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	limit := newConnLimit(l, 3)
	accept := func() *limitedConn {
		t.Helper()
		client, err := net.Dial("tcp", l.Addr().String())
		must(t, err)
		t.Cleanup(func() { _ = client.Close() })
		conn, err := limit.Accept()
		must(t, err)
		return conn.(*limitedConn)
	}
	signed := func(c *limitedConn) { trust(limit.context(t.Context(), c)) }
	isClosed := func(c *limitedConn) bool { limit.mu.Lock(); defer limit.mu.Unlock(); return c.closed }
	a, b, c := accept(), accept(), accept()
	signed(a)
	d := accept()
	if !isClosed(b) || isClosed(a) || isClosed(c) {
		t.Error("not the first stranger was closed")
	}
	signed(c)
	limit.changed(a, http.StateIdle)
	limit.changed(d, http.StateIdle)
	e := accept()
	if !isClosed(d) || isClosed(a) || isClosed(c) {
		t.Error("not the stranger was closed")
	}
	signed(e)
	f := accept()
	if !isClosed(a) || isClosed(c) || isClosed(e) {
		t.Error("not the idle one was closed")
	}
	signed(f)
	must(t, c.Close())
	g := accept()
	if isClosed(e) || isClosed(f) || isClosed(g) || limit.count != 3 {
		t.Errorf("%d are counted", limit.count)
	}
	must(t, g.Close())
	if err := g.Close(); err == nil || limit.count != 2 {
		t.Errorf("closed twice: %v, %d are counted", err, limit.count)
	}
}

// TestTwoProcesses: a match of one channel is served by two processes in turn. There is always one
// board, and the old ones point to it, whichever process has posted them.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	store := mustStore(t)
	var urls [2]string
	var fronts [2]*front
	for n := range urls {
		mustRun(t, s, store, overHTTP(t, s), func(o *setup) {
			o.Boards, o.SharedBoards = store, true
			o.timings.testOnlyStarted = func(f *front) { fronts[n] = f }
			urls[n] = endpointOf(o)
		})
	}
	var boards []string
	guesses := []string{"", "slate", "brick", "fuzzy", "mummy", "civic"}
	for n, word := range guesses {
		must(t, s.SetEndpoint(testContext(t), urls[n%2]))
		i := discordtest.Interaction{Command: "wordle start"}
		if word != "" {
			i = guessOf(word)
		}
		i.Guild, i.Permissions = server, discordtest.ViewChannel
		boards = append(boards, mustAnswer(t, s, i).MessageID)
		(&runner{t: t, front: fronts[n%2]}).settle()
	}
	for n, id := range boards {
		a, _ := s.Shown(id)
		if pointer := strings.HasPrefix(a.Content, "The board is further down"); pointer != (n < len(boards)-1) {
			t.Errorf("message %d is %q", n, a.Content)
		}
	}
}
