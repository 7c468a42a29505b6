package endpoint

import (
	"bufio"
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
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
)

// counting is a front and an observer. It takes interactions that have an id, and ends them without an answer.
type counting struct{ taken int }

func (c *counting) Refused(string) {}

func (c *counting) TakePosted(body []byte, x *Exchange) (ping bool, err error) {
	var i struct {
		ID   string `json:"id"`
		Type int    `json:"type"`
	}
	switch err := json.Unmarshal(body, &i); {
	case err != nil:
		return false, err
	case i.ID == "":
		return false, errors.New("no interaction")
	case i.Type == 1:
		return true, nil
	}
	c.taken++
	x.End()
	return false, nil
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
	front := &counting{}
	e := New(Options{Path: "/interactions", PublicKey: public}, front, DefaultTimings, front, log.Logger)
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
		"an interaction":        {right(command), 503, 1}, // its work ends without an answer
		"a ping":                {right(ping), 200, 0},
		"the wrong key":         {signed(other, time.Now(), command), 401, 0},
		"an old request":        {signed(private, time.Now().Add(-6*time.Minute), command), 401, 0},
		"one from the future":   {signed(private, time.Now().Add(6*time.Minute), command), 401, 0},
		"a clock that is off":   {signed(private, time.Now().Add(-4*time.Minute), command), 503, 1},
		"another timestamp":     {header("X-Signature-Timestamp", fmt.Sprint(time.Now().Unix()-1)), 401, 0},
		"no timestamp":          {header("X-Signature-Timestamp", ""), 401, 0},
		"no number":             {header("X-Signature-Timestamp", "now"), 401, 0},
		"a long timestamp":      {header("X-Signature-Timestamp", strings.Repeat("1", 1000)), 401, 0},
		"no signature":          {header("X-Signature-Ed25519", ""), 401, 0},
		"a short signature":     {header("X-Signature-Ed25519", "00"), 401, 0},
		"no hexadecimal digits": {header("X-Signature-Ed25519", strings.Repeat("x", 128)), 401, 0},
		"another body": {changed(right(command), func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(ping)), int64(len(ping))
		}), 401, 0},
		"no JSON":        {right("hello"), 400, 0},
		"no body":        {right(""), 400, 0},
		"null":           {right("null"), 400, 0},
		"no interaction": {right(`{"type":2}`), 400, 0},
		"too large":      {right(strings.Repeat(" ", maxInteraction+1)), 413, 0},
		"too large, not said": {changed(right(strings.Repeat(" ", maxInteraction+1)), func(r *http.Request) {
			r.ContentLength = -1
		}), 413, 0},
		"large":        {right(command + strings.Repeat(" ", maxInteraction-len(command))), 503, 1},
		"a large ping": {right(ping + strings.Repeat(" ", maxInteraction-len(ping))), 200, 0},
		"a GET":        {httptest.NewRequest(http.MethodGet, "/interactions", nil), 405, 0},
		"another path": {changed(right(command), func(r *http.Request) { r.URL.Path = "/" }), 404, 0},
	} {
		front.taken = 0
		w := httptest.NewRecorder()
		e.ServeHTTP(w, test.r)
		if w.Code != test.status || front.taken != test.taken {
			t.Errorf("%s: status %d, taken %d, want %d, %d", name, w.Code, front.taken, test.status, test.taken)
		}
		if test.status == 200 && w.Body.String() != `{"type":1}` {
			t.Errorf("%s: got %s", name, w.Body)
		}
	}
	if !strings.Contains(log.String(), "set the clock over the network") {
		t.Error("the wrong time is not logged")
	}
}

// TestStoppingConnections: a process that stops still answers on a connection that a balancer has
// kept, and asks the balancer to close it: the process itself might close it while a request is on
// its way.
func TestStoppingConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	timings := DefaultTimings
	timings.Linger, timings.Header, timings.Read = 10*time.Minute, time.Hour, time.Hour // a machine may be slow
	e := New(Options{Listener: l, Path: "/interactions"}, nil, timings, nil, discordtest.NewLog(t).Logger)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
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

// TestSettle: an edit waits until Discord surely has the response, and one
// without a response waits for nothing.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := slowWriter{httptest.NewRecorder(), make(chan struct{})}
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		x := newExchange(w, r, DefaultTimings)
		left := make(chan bool)
		go func() {
			sent, _ := x.Respond(json.RawMessage(`{"type":5}`))
			left <- sent
		}()
		served := make(chan struct{})
		go func() { defer close(served); x.serve(r) }()
		synctest.Wait()
		select {
		case <-left:
			t.Error("it says that the response has left while that is being written")
		default:
		}
		close(w.release)
		sent := <-left
		<-served
		if !sent || !w.Flushed || w.Code != 200 || w.Body.String() != `{"type":5}` {
			t.Errorf("flushed %v, status %d, %s", w.Flushed, w.Code, w.Body)
		}
		began := time.Now()
		must(t, x.Settle(t.Context()))
		if waited := time.Since(began); waited != settled {
			t.Errorf("waited %v, want %v", waited, settled)
		}
		must(t, newExchange(w, r, DefaultTimings).Settle(t.Context()))
		if waited := time.Since(began); waited != settled {
			t.Errorf("waited %v for nothing", waited)
		}
		if sent, unsure := x.Respond(json.RawMessage(`{"type":4}`)); sent || unsure {
			t.Errorf("a second response: %t, %t", sent, unsure)
		}
	})
}

// TestCutRequest: a request that has ended is not written to any more.
func TestCutRequest(t *testing.T) {
	ctx, cut := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodPost, "/", nil).WithContext(ctx)
	x := newExchange(httptest.NewRecorder(), r, DefaultTimings)
	cut()
	if sent, unsure := x.Respond(json.RawMessage("{}")); sent || unsure {
		t.Errorf("sent %t, unsure %t", sent, unsure)
	}
	x.serve(r)
	if x.w != nil || x.r != nil {
		t.Error("the work could still write")
	}
	x.End()
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

// TestConnLimit: there are never more connections than the limit; those of strangers are closed
// first, then idle ones.
func TestConnLimit(t *testing.T) {
	t.Parallel()
	limit := connLimit{most: 3, open: map[net.Conn]use{}}
	accept := func() net.Conn {
		conn, _ := net.Pipe()
		limit.changed(conn, http.StateNew)
		return conn
	}
	signed := func(c net.Conn) { limit.trust(withConn(t.Context(), c)) }
	isClosed := func(c net.Conn) bool {
		_, isOpen := limit.open[c]
		closed := c.SetDeadline(time.Time{}) != nil
		if closed == isOpen {
			t.Errorf("closed %t, counted %t", closed, isOpen)
		}
		return closed
	}
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
	if g := accept(); !isClosed(g) || isClosed(c) || isClosed(e) || isClosed(f) {
		t.Error("one with a request was closed, and not the new one")
	}
	must(t, c.Close())
	limit.changed(c, http.StateClosed)
	limit.changed(a, http.StateIdle) // which was closed before
	if accept(); isClosed(e) || isClosed(f) || len(limit.open) != 3 {
		t.Errorf("%d are counted", len(limit.open))
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
