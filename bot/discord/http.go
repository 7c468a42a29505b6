package discord

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fivefold/bot/discord/calls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// HTTP says how Discord sends interactions by HTTP, instead of over the gateway: see
// discord.com/developers/docs/interactions/overview#configuring-an-interactions-endpoint-url.
type HTTP struct {
	// Listener is where Discord, or a balancer in front, connects. Run closes it.
	Listener net.Listener
	// TLS is nil for plain HTTP, behind a balancer that ends TLS.
	TLS *tls.Config
	// Path is where interactions are posted, such as /interactions.
	Path string
	// PublicKey is the application's, with which the signature of every request is checked.
	PublicKey ed25519.PublicKey
	// Other answers requests for all other paths; if it is nil, they get status 404.
	Other http.Handler
	// Gateway keeps the gateway connected as well, for what only it reports: that a server
	// has removed the bot.
	Gateway bool
}

const (
	// maxInteraction is how many bytes an interaction may have. Discord's have a few kilobytes,
	// and with a long message around a button at most some sixty.
	maxInteraction = 256 << 10
	// smallInteraction is how many bytes of a body are read in any case. What all bodies have
	// above that is limited to largeBodies together, so that slow uploads cannot fill the memory.
	smallInteraction = 16 << 10
	largeBodies      = 32 << 20
	readSize         = 4 << 10 // how much of a body is read at once
	// maxSkew is how far the time of a signature may be from ours. It only keeps out copies of
	// old requests; how old an interaction is follows from its id.
	maxSkew = 5 * time.Minute
)

// httpTimings are the time limits of connections.
type httpTimings struct {
	header, read, write, idle time.Duration
	// settle is the time after which Discord surely has a response that has left: an edit that
	// overtakes it gets a 404, after which it is not tried again.
	settle time.Duration
	// testOnlyArrived waits until Discord has the response to an interaction.
	testOnlyArrived func(ctx context.Context, id string) error
	// linger is how long requests are still taken at the end, until the balancer has noticed.
	linger time.Duration
	drain  time.Duration // how long answers in progress are waited for after that
	conns  int           // how many connections there are at most
}

var defaultHTTPTimings = httpTimings{
	header: 5 * time.Second, read: 10 * time.Second, write: 20 * time.Second, idle: 2 * time.Minute,
	settle: 300 * time.Millisecond, linger: 2 * time.Second, drain: drainTimeout - 2*time.Second, conns: 4096,
}

// endpoint takes interactions by HTTP.
type endpoint struct {
	HTTP
	take     func(interaction) // starts the work on an interaction
	timings  httpTimings
	observer Observer
	log      *slog.Logger

	stopping atomic.Bool
	checks   chan struct{} // has a value for each signature that is being checked
	large    atomic.Int64  // bytes of bodies above smallInteraction that are in memory
	skew     sync.Once     // logs a wrong clock
}

func newEndpoint(h HTTP, take func(interaction), t httpTimings, o Observer, log *slog.Logger) *endpoint {
	// Half of the processors check signatures: a flood of wrong ones leaves the others to play.
	return &endpoint{HTTP: h, take: take, timings: t, observer: o, log: log, checks: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))}
}

// run serves until ctx ends, and then until what has arrived is answered, but not longer than
// drainTimeout.
func (e *endpoint) run(ctx context.Context) error {
	conns := newConnLimit(e.Listener, e.timings.conns)
	server := &http.Server{
		Handler:           e,
		TLSConfig:         e.TLS,
		ReadHeaderTimeout: e.timings.header,
		ReadTimeout:       e.timings.read,
		WriteTimeout:      e.timings.write,
		IdleTimeout:       e.timings.idle,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       conns.context,
		ConnState:         conns.changed,
		ErrorLog:          slog.NewLogLogger(e.log.Handler(), slog.LevelDebug), // of broken connections
	}
	// Only HTTP/1.1: a response that has been flushed has left completely, and no other
	// protocol needs to be protected.
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	failed := make(chan error, 1)
	go func() {
		if e.TLS != nil {
			failed <- server.ServeTLS(conns, "", "")
		} else {
			failed <- server.Serve(conns)
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	e.stopping.Store(true)
	select {
	case err := <-failed:
		return err
	case <-time.After(e.timings.linger):
	}
	ending, cancel := context.WithTimeout(context.Background(), e.timings.drain)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		e.log.Warn("stopping before all requests were answered", "error", err)
		return server.Close()
	}
	return nil
}

// ServeHTTP implements [http.Handler].
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.stopping.Load() {
		// The server could close idle connections at once, but a request may be on its way on
		// one of them, and a balancer does not send it again.
		w.Header().Set("Connection", "close")
	}
	if r.URL.Path != e.Path {
		if e.Other == nil {
			http.NotFound(w, r)
			return
		}
		e.Other.ServeHTTP(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Discord posts interactions here.", http.StatusMethodNotAllowed)
		return
	}
	signed, ok := readSignature(r.Header)
	if !ok {
		e.refuse(w, refusedSignature, http.StatusUnauthorized)
		return
	}
	body, status := e.read(w, r)
	if status != 0 {
		e.refuse(w, refusedBody, status)
		return
	}
	defer e.large.Add(-aboveSmall(len(body)))
	if !e.verify(r.Context(), signed, body) {
		e.refuse(w, refusedSignature, http.StatusUnauthorized)
		return
	}
	if skew := time.Since(signed.at); skew > maxSkew || skew < -maxSkew {
		e.skew.Do(func() {
			e.log.Error("could not accept an interaction: its signature is right, but its time differs from ours; if this happens often, set the clock over the network (NTP)",
				"difference", skew.Round(time.Second))
		})
		e.refuse(w, refusedTime, http.StatusUnauthorized)
		return
	}
	trust(r.Context())
	i, err := decode(body)
	if i.Type == typePing {
		w.Header().Set("Content-Type", "application/json")
		// If this fails, whoever asked will ask again.
		_, _ = io.WriteString(w, `{"type":1}`)
		return
	}
	if err != nil {
		e.log.Error("could not read an interaction", "error", err)
		e.refuse(w, refusedBody, http.StatusBadRequest)
		return
	}
	i.exchange = newExchange(i.ID, e.timings)
	e.take(i)
	i.exchange.serve(w, r)
}

// The reasons for which requests are refused.
const (
	refusedSignature = "signature"
	refusedTime      = "time"
	refusedBody      = "body"
)

func (e *endpoint) refuse(w http.ResponseWriter, why string, status int) {
	e.observer.Refused(why)
	http.Error(w, http.StatusText(status), status)
}

// signature is that of a request.
type signature struct {
	sum       [ed25519.SignatureSize]byte
	timestamp string
	at        time.Time
}

// readSignature reads the headers of a signed request. It reports false if they cannot be a
// signature.
func readSignature(h http.Header) (s signature, ok bool) {
	text := h.Get("X-Signature-Ed25519")
	s.timestamp = h.Get("X-Signature-Timestamp")
	if len(text) != hex.EncodedLen(len(s.sum)) || len(s.timestamp) > 20 {
		return s, false
	}
	seconds, err := strconv.ParseInt(s.timestamp, 10, 64)
	if err != nil {
		return s, false
	}
	s.at = time.Unix(seconds, 0)
	_, err = hex.Decode(s.sum[:], []byte(text))
	return s, err == nil
}

// verify reports whether a request was signed with the application's key.
func (e *endpoint) verify(ctx context.Context, s signature, body []byte) bool {
	select {
	case e.checks <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-e.checks }()
	return ed25519.Verify(e.PublicKey, append([]byte(s.timestamp), body...), s.sum[:])
}

// read reads the body of a request, or returns the status to refuse it with. A body that it
// returns is counted in large until the caller takes it out.
func (e *endpoint) read(w http.ResponseWriter, r *http.Request) (body []byte, status int) {
	if r.ContentLength > maxInteraction {
		return nil, http.StatusRequestEntityTooLarge
	}
	in := http.MaxBytesReader(w, r.Body, maxInteraction)
	var b bytes.Buffer
	b.Grow(int(min(max(r.ContentLength, 0), readSize)) + bytes.MinRead) // most bodies fit
	counted := int64(0)
	fail := func(status int) ([]byte, int) {
		e.large.Add(-counted)
		return nil, status
	}
	for {
		n, err := io.CopyN(&b, in, readSize)
		above := aboveSmall(b.Len())
		e.large.Add(above - counted)
		counted = above
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			return fail(http.StatusRequestEntityTooLarge)
		case err == io.EOF:
			return b.Bytes(), 0
		case err != nil: // the client has gone, or is too slow
			return fail(http.StatusBadRequest)
		case n > 0 && counted > 0 && e.large.Load() > largeBodies:
			return fail(http.StatusServiceUnavailable)
		}
	}
}

// aboveSmall is how many bytes of a body of n bytes are counted in large.
func aboveSmall(n int) int64 { return max(0, int64(n)-smallInteraction) }

// typePing is the type of an interaction that asks whether we are there.
const typePing = 1

// exchange carries the first response to an interaction that came by HTTP from the front to
// the request that waits for it.
type exchange struct {
	first chan outgoing // received from once, at most
	gone  chan struct{} // closed when no response can be written any more
	ended chan struct{} // closed when the work on the interaction has ended

	// Set before respond returns:
	unsure bool      // the response may have arrived though writing it failed
	left   time.Time // when the response has left; zero if it has not

	id      string // of the interaction
	timings httpTimings
}

// outgoing is a response that is to be written.
type outgoing struct {
	contentType string
	body        []byte
	written     chan<- error // has room
}

// errCut means that the connection ended before the response was written.
var errCut = errors.New("the connection of the request has ended")

func newExchange(id string, t httpTimings) *exchange {
	return &exchange{first: make(chan outgoing), gone: make(chan struct{}), ended: make(chan struct{}), id: id, timings: t}
}

// serve waits for the first response and writes it. If the work ends without one, since it was
// refused or has failed, Discord gets status 503.
func (x *exchange) serve(w http.ResponseWriter, r *http.Request) {
	defer close(x.gone)
	select {
	case o := <-x.first:
		o.written <- write(w, r, o)
	case <-x.ended:
		http.Error(w, "The interaction is not answered.", http.StatusServiceUnavailable)
	case <-r.Context().Done():
	}
}

// write writes a response, and returns when it has left.
func write(w http.ResponseWriter, r *http.Request, o outgoing) error {
	if r.Context().Err() != nil {
		return errCut
	}
	w.Header().Set("Content-Type", o.contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(o.body)))
	if _, err := w.Write(o.body); err != nil {
		return errors.Join(errCut, errUnsure)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return errors.Join(errCut, errUnsure)
	}
	return nil
}

// errUnsure means that a response that could not be written may have arrived all the same.
var errUnsure = errors.New("it may have arrived")

// respond has the first response written, and returns when it has left. The error is errCut if
// the request can no longer be answered: always for nil, the exchange of an interaction from the
// gateway.
func (x *exchange) respond(ctx context.Context, r response) error {
	if x == nil {
		return errCut
	}
	body, contentType, err := calls.Encode(r)
	if err != nil {
		return err
	}
	written := make(chan error, 1)
	select {
	case x.first <- outgoing{contentType, body, written}:
	case <-x.gone:
		return errCut
	case <-ctx.Done():
		return ctx.Err()
	}
	err = <-written
	x.unsure = errors.Is(err, errUnsure)
	if err == nil {
		x.left = time.Now()
	}
	return err
}

// arrived waits until Discord has surely got the response, so that it can be edited. It returns
// at once if no response went this way, as for nil.
func (x *exchange) arrived(ctx context.Context) error {
	switch {
	case x == nil || x.left.IsZero():
		return nil
	case x.timings.testOnlyArrived != nil:
		return x.timings.testOnlyArrived(ctx, x.id)
	}
	return calls.SleepUntil(ctx, x.left.Add(x.timings.settle))
}

// end says that the work on the interaction has ended. For nil it does nothing.
func (x *exchange) end() {
	if x != nil {
		close(x.ended)
	}
}
