package main

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// balance returns a transport that spreads connections over processes, much as Caddy does with docs/operating/Caddyfile: it
// connects to the next one if one does not listen, and sends no request twice. The addresses may be set until the first request.
func balance(processes *[]string) *http.Transport {
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
	return &http.Transport{DialContext: dial, ResponseHeaderTimeout: 2800 * time.Millisecond, MaxIdleConnsPerHost: 256, DisableCompression: true}
}
