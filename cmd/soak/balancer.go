package main

import (
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// balancer passes the fake Discord's requests on to processes, much as Caddy does with docs/operating/Caddyfile: each to
// the one with the fewest under way. A process that fails is passed over for a second. No request is sent twice: it goes
// to another process only if the first one could not be connected to.
type balancer struct {
	transport *http.Transport
	processes []*upstream   // the same from the first request on
	within    time.Duration // how long it looks for one that can be connected to: lb_try_duration
}

// upstream is a process that the balancer passes requests on to.
type upstream struct {
	address  string
	underWay atomic.Int64              // requests
	failed   atomic.Pointer[time.Time] // when one failed last; nil for never
}

func newBalancer() *balancer {
	return &balancer{within: time.Second, transport: &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 500 * time.Millisecond}).DialContext, // dial_timeout
		ResponseHeaderTimeout: 2800 * time.Millisecond, MaxIdleConnsPerHost: 256, DisableCompression: true,
	}}
}

// choose returns the process with the fewest requests under way, or nil if all have failed.
func (b *balancer) choose() (best *upstream) {
	for _, u := range b.processes {
		if failed := u.failed.Load(); failed != nil && time.Since(*failed) < time.Second {
			continue
		}
		if best == nil || u.underWay.Load() < best.underWay.Load() {
			best = u
		}
	}
	return best
}

// RoundTrip sends a request to a process that can be connected to.
func (b *balancer) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err = errors.New("all processes have failed")
		if u := b.choose(); u != nil {
			out := r.Clone(r.Context())
			out.URL.Host = u.address
			if out.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
			u.underWay.Add(1)
			resp, err = b.transport.RoundTrip(out)
			u.underWay.Add(-1)
			if err == nil {
				return resp, nil
			}
			now := time.Now()
			u.failed.Store(&now)
			if dial := (*net.OpError)(nil); !errors.As(err, &dial) || dial.Op != "dial" {
				return nil, err
			}
		}
		if time.Since(began) > b.within || r.Context().Err() != nil {
			return nil, err
		}
	}
}

func (b *balancer) CloseIdleConnections() { b.transport.CloseIdleConnections() }
