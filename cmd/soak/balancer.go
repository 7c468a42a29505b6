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
	"sync/atomic"
	"time"
)

// balancer passes requests on to processes, much as Caddy does with docs/operating/Caddyfile: each to the one with the
// fewest under way. A process that fails is passed over until it says that it is ready. No request is sent twice: it goes
// to another process only if the first one could not be connected to.
type balancer struct {
	*httptest.Server
	transport *http.Transport // to the processes
	processes []*upstream
	stop      context.CancelFunc
	watching  sync.WaitGroup
}

// upstream is a process that the balancer passes requests on to.
type upstream struct {
	address  string
	ready    atomic.Bool
	underWay atomic.Int64 // requests
}

// startBalancer starts a balancer of the processes that take interactions at addresses.
func startBalancer(addresses []string) *balancer {
	b := &balancer{transport: &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 500 * time.Millisecond}).DialContext, // dial_timeout
		ResponseHeaderTimeout: 2800 * time.Millisecond, MaxIdleConnsPerHost: 256, DisableCompression: true,
	}}
	b.Server = httptest.NewServer(&httputil.ReverseProxy{
		Transport: b, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" },
	})
	for _, a := range addresses {
		u := &upstream{address: a}
		u.ready.Store(true)
		b.processes = append(b.processes, u)
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	for _, u := range b.processes {
		b.watching.Go(func() {
			for ctx.Err() == nil {
				u.ready.Store(isReady(ctx, u.address, time.Second) == nil)
				select {
				case <-ctx.Done():
				case <-time.After(time.Second): // health_interval
				}
			}
		})
	}
	return b
}

// close ends the balancer, even in the middle of requests.
func (b *balancer) close() {
	b.stop()
	b.watching.Wait()
	b.CloseClientConnections()
	b.Close()
	b.transport.CloseIdleConnections()
}

// choose returns the process that is ready with the fewest requests under way, or nil.
func (b *balancer) choose() (best *upstream) {
	for _, u := range b.processes {
		if u.ready.Load() && (best == nil || u.underWay.Load() < best.underWay.Load()) {
			best = u
		}
	}
	return best
}

// RoundTrip sends a request to a process that can be connected to. It looks for one for a second: that is lb_try_duration.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err = errors.New("no process is ready")
		if u := b.choose(); u != nil {
			out := r.Clone(r.Context())
			out.URL.Host, out.Body = u.address, io.NopCloser(bytes.NewReader(body))
			u.underWay.Add(1)
			var resp *http.Response
			resp, err = b.transport.RoundTrip(out)
			u.underWay.Add(-1)
			if err != nil && r.Context().Err() == nil {
				u.ready.Store(false)
			}
			if dial := (*net.OpError)(nil); err == nil || !errors.As(err, &dial) || dial.Op != "dial" {
				return resp, err
			}
		}
		if time.Since(began) > time.Second || r.Context().Err() != nil {
			return nil, err
		}
	}
}
