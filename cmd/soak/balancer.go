package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// The settings of the balancer in docs/operating/Caddyfile. Those that are variables, tests on slow
// machines change.
var (
	tryTime      = time.Second             // lb_try_duration: how long to look for a process that takes a request
	dialTime     = 500 * time.Millisecond  // dial_timeout
	responseTime = 2800 * time.Millisecond // response_header_timeout
	healthTime   = time.Second             // health_timeout
)

const (
	tryPause      = 100 * time.Millisecond // lb_try_interval
	healthPause   = time.Second            // health_interval
	failuresCount = 5 * time.Second        // fail_duration: how long a failure counts
	maxFailures   = 3                      // max_fails: a process with so many is passed over
)

// maxPosted is the largest interaction that the balancer takes, in bytes.
const maxPosted = 1 << 20

// balancer passes requests on to processes as Caddy does with docs/operating/Caddyfile: to the one with
// the fewest requests under way, among those that are ready and have not failed too often lately. It
// sends no request twice: a request goes to another process only if the first one could not be
// connected to.
type balancer struct {
	url       string // where it takes interactions
	server    *http.Server
	transport *http.Transport // to the processes
	stop      context.CancelFunc
	ended     sync.WaitGroup

	mu        sync.Mutex // protects the fields below, and those of upstream
	upstreams []*upstream
	turn      int // where to look first, so that equals take turns
}

// upstream is a process that the balancer passes requests on to.
type upstream struct {
	address  string
	underWay int         // requests
	ready    bool        // what /readyz said last
	failed   []time.Time // when requests failed in the last failuresCount
}

// startBalancer starts a balancer of the processes that take interactions at addresses. It counts them
// as ready until it has asked them.
func startBalancer(path string, addresses []string) (*balancer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{
		url: "http://" + l.Addr().String() + path,
		transport: &http.Transport{
			DialContext:           (&net.Dialer{Timeout: dialTime}).DialContext,
			ResponseHeaderTimeout: responseTime,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   256,
			DisableCompression:    true,
		},
	}
	for _, a := range addresses {
		b.upstreams = append(b.upstreams, &upstream{address: a, ready: true})
	}
	b.server = &http.Server{Handler: b, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.ended.Go(func() {
		_ = b.server.Serve(l) // until close; if it ends earlier, no interaction is answered, which the soak notices
	})
	for _, u := range b.upstreams {
		b.ended.Go(func() { b.watch(ctx, u) })
	}
	return b, nil
}

// close ends the balancer, even in the middle of requests.
func (b *balancer) close() error {
	b.stop()
	err := b.server.Close()
	b.ended.Wait()
	b.transport.CloseIdleConnections()
	return err
}

// watch asks a process every healthPause whether it is ready, until ctx ends.
func (b *balancer) watch(ctx context.Context, u *upstream) {
	tick := time.NewTicker(healthPause)
	defer tick.Stop()
	for {
		ready := b.isReady(ctx, u)
		b.mu.Lock()
		u.ready = ready
		b.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// isReady asks a process whether it is ready.
func (b *balancer) isReady(ctx context.Context, u *upstream) bool {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+u.address+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := b.transport.RoundTrip(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// choose returns a process for one more request, which it counts as under way, or nil if no process is
// available. The caller calls done at the end.
func (b *balancer) choose() *upstream {
	b.mu.Lock()
	defer b.mu.Unlock()
	var best *upstream
	for n := range b.upstreams {
		u := b.upstreams[(b.turn+n)%len(b.upstreams)]
		for len(u.failed) > 0 && time.Since(u.failed[0]) > failuresCount {
			u.failed = u.failed[1:]
		}
		if u.ready && len(u.failed) < maxFailures && (best == nil || u.underWay < best.underWay) {
			best = u
		}
	}
	b.turn++
	if best != nil {
		best.underWay++
	}
	return best
}

// done notes that a request has ended, and whether that counts as a failure of its process.
func (b *balancer) done(u *upstream, failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.underWay--
	if failed {
		u.failed = append(u.failed, time.Now())
	}
}

// ServeHTTP implements [http.Handler].
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPosted))
	if err != nil {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	for began := time.Now(); ; time.Sleep(tryPause) {
		status := http.StatusServiceUnavailable
		if u := b.choose(); u != nil {
			if b.pass(w, r, u, body) {
				return
			}
			status = http.StatusBadGateway
		}
		if time.Since(began) > tryTime || r.Context().Err() != nil {
			w.WriteHeader(status)
			return
		}
	}
}

// pass passes a request on to a process, and its response back. It returns false, having written nothing, if
// the process could not be connected to.
func (b *balancer) pass(w http.ResponseWriter, r *http.Request, u *upstream, body []byte) (sent bool) {
	ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent = true }})
	out, err := http.NewRequestWithContext(ctx, r.Method, "http://"+u.address+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(err) // we have made the address ourselves
	}
	out.Header = r.Header.Clone()
	resp, err := b.transport.RoundTrip(out)
	if err != nil {
		b.done(u, r.Context().Err() == nil) // if Discord hung up, the process has not failed
		var timeout net.Error
		switch {
		case !sent:
		case errors.As(err, &timeout) && timeout.Timeout():
			w.WriteHeader(http.StatusGatewayTimeout)
		default:
			w.WriteHeader(http.StatusBadGateway)
		}
		return sent
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		if name != "Connection" { // it is about the connection to the process
			w.Header()[name] = values
		}
	}
	w.WriteHeader(resp.StatusCode)
	_, err = io.Copy(w, resp.Body) // the client notices itself that the rest is missing
	b.done(u, err != nil && r.Context().Err() == nil)
	return true
}
