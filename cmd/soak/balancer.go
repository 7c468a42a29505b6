package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync"
	"time"
)

// The settings of the balancer in docs/operating/Caddyfile.
const (
	tryTime       = time.Second // lb_try_duration: how long to look for a process that takes a request
	tryPause      = 100 * time.Millisecond
	healthPause   = time.Second            // health_interval, and health_timeout
	dialTime      = 500 * time.Millisecond // dial_timeout
	responseTime  = 2800 * time.Millisecond
	failuresCount = 5 * time.Second // fail_duration: how long a failure counts
	maxFailures   = 3               // max_fails: a process with so many is passed over
)

// balancer passes requests on to processes as Caddy does with docs/operating/Caddyfile: to the one with
// the fewest requests under way, among those that are ready and have not failed too often lately. It
// sends no request twice: a request goes to another process only if the first one could not be
// connected to.
type balancer struct {
	url       string
	server    *httptest.Server
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
func startBalancer(addresses []string) *balancer {
	ctx, stop := context.WithCancel(context.Background())
	b := &balancer{stop: stop, transport: &http.Transport{
		DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, ResponseHeaderTimeout: responseTime,
		IdleConnTimeout: 90 * time.Second, MaxIdleConnsPerHost: 256, DisableCompression: true,
	}}
	proxy := &httputil.ReverseProxy{
		Transport: b, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" },
	}
	b.server = httptest.NewServer(proxy)
	b.url = b.server.URL
	for _, a := range addresses {
		u := &upstream{address: a, ready: true}
		b.upstreams = append(b.upstreams, u)
		b.ended.Go(func() { b.watch(ctx, u) })
	}
	return b
}

// close ends the balancer, even in the middle of requests.
func (b *balancer) close() {
	b.stop()
	b.server.CloseClientConnections()
	b.server.Close()
	b.ended.Wait()
	b.transport.CloseIdleConnections()
}

// watch asks a process every healthPause whether it is ready, until ctx ends.
func (b *balancer) watch(ctx context.Context, u *upstream) {
	for ctx.Err() == nil {
		ready := isReady(ctx, u.address, healthPause) == nil
		b.mu.Lock()
		u.ready = ready
		b.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(healthPause):
		}
	}
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

// RoundTrip sends a request to a process that can be connected to.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(tryPause) {
		u := b.choose()
		if u != nil {
			out := r.Clone(r.Context())
			out.URL.Host, out.Body = u.address, io.NopCloser(bytes.NewReader(body))
			var resp *http.Response
			resp, err = b.transport.RoundTrip(out)
			b.done(u, err != nil && r.Context().Err() == nil) // if Discord hung up, the process has not failed
			if dial := (*net.OpError)(nil); err == nil || !errors.As(err, &dial) || dial.Op != "dial" {
				return resp, err
			}
		}
		if time.Since(began) > tryTime || r.Context().Err() != nil {
			if u == nil {
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody}, nil
			}
			return nil, err
		}
	}
}
