// Package endpoint takes interactions by HTTP. It checks their signatures (signature.go), hands them over, carries the first
// response back to the request that waits for it (exchange.go), and limits open connections (connlimit.go).
package endpoint

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game/work"
)

// Options say how Discord sends interactions by HTTP, instead of over the gateway: see
// discord.com/developers/docs/interactions/overview#configuring-an-interactions-endpoint-url.
type Options struct {
	// Listener is where Discord, or a balancer in front, connects. [Endpoint.Run] closes it.
	Listener net.Listener
	// Path is where interactions are posted, such as /interactions.
	Path string
	// PublicKey is the application's, with which the signature of every request is checked.
	PublicKey ed25519.PublicKey
	// Other answers requests for all other paths; if it is nil, they get status 404.
	Other http.Handler
}

const (
	// maxInteraction is how many bytes an interaction may have. Discord's have a few kilobytes, and with a long message around
	// a button at most some sixty. All connections together can't fill the memory with that.
	maxInteraction = 96 << 10
	// maxSkew is how far the time of a signature may be from ours. It keeps out copies of old requests; an interaction's age
	// follows from its id.
	maxSkew = 5 * time.Minute
)

// Timings are the time limits of connections.
type Timings struct {
	// Header, Read, Write and Idle limit how long [http.Server] reads the header of a request, reads all of it, answers it,
	// and keeps a connection open without a request.
	Header, Read, Write, Idle time.Duration
	// Settle waits until Discord surely has the response to the interaction with the id. The response left at the given time.
	// An edit that overtakes the response gets a final 404.
	Settle func(ctx context.Context, id string, left time.Time) error
	// Linger is how long requests are still taken at the end, so that the balancer notices the end.
	Linger time.Duration
	Drain  time.Duration // how long Run then waits for answers in progress
	Conns  int           // how many connections there are at most
}

// DefaultTimings are the timings of the program.
var DefaultTimings = Timings{
	Header: 5 * time.Second, Read: 10 * time.Second, Write: 20 * time.Second, Idle: 2 * time.Minute,
	Settle: func(ctx context.Context, _ string, left time.Time) error {
		return work.Sleep(ctx, time.Until(left.Add(settled)))
	},
	Linger: 2 * time.Second, Drain: 4 * time.Second, Conns: 2048,
}

// settled is the time after which Discord surely has a response that has left.
const settled = 300 * time.Millisecond

// Endpoint takes interactions by HTTP.
type Endpoint struct {
	Options
	front    Front
	timings  Timings
	observer Observer
	log      *slog.Logger

	conns    connLimit
	stopping atomic.Bool
	checks   chan struct{} // has a value for each signature that is being checked
	skew     sync.Once     // logs a wrong clock once
}

// Front takes the interactions; package discord implements it in front.go.
type Front interface {
	// TakePosted starts the work on an interaction, given as the body of a request. The work answers by the exchange and
	// ends it. A ping only asks whether we are there: it has no work. An error means that the body cannot be read.
	TakePosted(body []byte, x *Exchange) (ping bool, err error)
}

// Observer learns what the endpoint does, for metrics.
type Observer interface {
	// Refused is called for each request that is refused before it is read as an interaction, with one of [Refusals].
	Refused(why string)
}

// New returns an endpoint that hands interactions over to the front.
func New(o Options, front Front, t Timings, observer Observer, log *slog.Logger) *Endpoint {
	// Half of the processors check signatures: a flood of wrong signatures leaves the other half to the players.
	return &Endpoint{
		Options: o, front: front, timings: t, observer: observer, log: log, checks: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		conns: connLimit{most: t.Conns, open: map[net.Conn]use{}},
	}
}

// Run serves until ctx ends, and then until all requests that have arrived are answered, at most for Timings.Drain. The error
// is that of the listener.
func (e *Endpoint) Run(ctx context.Context) error {
	server := &http.Server{
		Handler:           e,
		ReadHeaderTimeout: e.timings.Header,
		ReadTimeout:       e.timings.Read,
		WriteTimeout:      e.timings.Write,
		IdleTimeout:       e.timings.Idle,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       withConn,
		ConnState:         e.conns.changed,
		ErrorLog:          slog.NewLogLogger(e.log.Handler(), slog.LevelDebug), // about broken connections
	}
	// Only HTTP/1.1: a response that has been flushed has left completely, and no other
	// protocol needs to be protected.
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(e.Listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	e.stopping.Store(true)
	select {
	case err := <-failed:
		return err
	case <-time.After(e.timings.Linger):
	}
	ending, cancel := context.WithTimeout(context.Background(), e.timings.Drain)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		e.log.Warn("stopping before all requests were answered", "error", err)
		return server.Close()
	}
	return nil
}

// ServeHTTP implements [http.Handler]. It is safe for concurrent use.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxInteraction))
	if err != nil {
		status := http.StatusBadRequest // the client has gone, or is too slow
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			status = http.StatusRequestEntityTooLarge
		}
		e.refuse(w, refusedBody, status)
		return
	}
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
	e.conns.trust(r.Context())
	x := newExchange(w, r, e.timings)
	ping, err := e.front.TakePosted(body, x)
	switch {
	case err != nil:
		e.refuse(w, refusedBody, http.StatusBadRequest)
	case ping:
		w.Header().Set("Content-Type", "application/json")
		// If this fails, Discord asks again.
		_, _ = io.WriteString(w, `{"type":1}`)
	default:
		x.serve(r)
	}
}

// Refusals are the reasons for which requests are refused.
var Refusals = []string{refusedSignature, refusedTime, refusedBody}

const (
	refusedSignature = "signature"
	refusedTime      = "time"
	refusedBody      = "body"
)

func (e *Endpoint) refuse(w http.ResponseWriter, why string, status int) {
	e.observer.Refused(why)
	http.Error(w, http.StatusText(status), status)
}
