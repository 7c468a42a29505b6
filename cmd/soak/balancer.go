package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// balancer spreads connections over processes.
type balancer struct {
	*http.Transport
	answered sync.Map // the addresses of processes that have answered since they were started
}

// balance returns a balancer much like Caddy with docs/operating/Caddyfile: it connects to the next process if one does not
// listen, and sends no request twice. The addresses may be set until the first request.
func balance(processes *[]string) *balancer {
	var turn atomic.Int64
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Second) // lb_try_duration
		defer cancel()
		for ; ; time.Sleep(20 * time.Millisecond) {
			address := (*processes)[int(turn.Add(1))%len(*processes)]
			if conn, err := new(net.Dialer).DialContext(ctx, network, address); err == nil || ctx.Err() != nil {
				return conn, err
			}
		}
	}
	return &balancer{Transport: &http.Transport{
		DialContext: dial, ResponseHeaderTimeout: 2800 * time.Millisecond, MaxIdleConnsPerHost: 256, DisableCompression: true,
	}}
}

// RoundTrip implements [http.RoundTripper].
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var process string
	got := httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { process = c.Conn.RemoteAddr().String() }}
	response, err := b.Transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), &got)))
	if err == nil {
		b.answered.Store(process, true)
	}
	return response, err
}

// settle waits until a process has answered since now, by new connections if need be.
func (b *balancer) settle(ctx context.Context, process string) {
	for b.answered.Delete(process); ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if _, answered := b.answered.Load(process); answered {
			return
		}
		b.CloseIdleConnections()
	}
}
