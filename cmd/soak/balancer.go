package main

import (
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// balancer passes the fake Discord's requests on to processes in turn, much as Caddy does with
// docs/operating/Caddyfile. No request is sent twice: it goes to another process only if the first one could not be
// connected to.
type balancer struct {
	transport *http.Transport
	addresses []string      // of the processes; the same from the first request on
	within    time.Duration // how long it looks for one that can be connected to: lb_try_duration
	turn      atomic.Int64
}

func newBalancer() *balancer {
	return &balancer{within: time.Second, transport: &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 500 * time.Millisecond}).DialContext, // dial_timeout
		ResponseHeaderTimeout: 2800 * time.Millisecond, MaxIdleConnsPerHost: 256, DisableCompression: true,
	}}
}

// RoundTrip sends a request to a process that can be connected to.
func (b *balancer) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		out := r.Clone(r.Context())
		out.URL.Host = b.addresses[int(b.turn.Add(1))%len(b.addresses)]
		if out.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
		if resp, err = b.transport.RoundTrip(out); err == nil {
			return resp, nil
		}
		if dial, ok := errors.AsType[*net.OpError](err); !ok || dial.Op != "dial" || time.Since(began) > b.within || r.Context().Err() != nil {
			return nil, err
		}
	}
}

func (b *balancer) CloseIdleConnections() { b.transport.CloseIdleConnections() }
