package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestBalancer: requests go to the processes that are there, and none is sent twice.
func TestBalancer(t *testing.T) {
	var posted, cut atomic.Int64
	process := func(answer http.HandlerFunc) string {
		s := httptest.NewServer(answer)
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	good := process(func(w http.ResponseWriter, _ *http.Request) {
		posted.Add(1)
		w.WriteHeader(http.StatusAccepted)
	})
	cutting := process(func(http.ResponseWriter, *http.Request) {
		cut.Add(1)
		panic(http.ErrAbortHandler)
	})
	post := func(b *balancer) int {
		t.Helper()
		resp, err := (&http.Client{Transport: b}).Post("http://balancer/", "application/json", strings.NewReader("{}"))
		if err != nil {
			return 0
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		return resp.StatusCode
	}
	start := func(addresses ...string) *balancer {
		b := newBalancer()
		b.within, b.transport.ResponseHeaderTimeout = time.Hour, 0 // a machine may be slow
		t.Cleanup(b.CloseIdleConnections)
		b.addresses = addresses
		return b
	}

	b := start("127.0.0.1:1", good) // nobody is at the first one
	for range 10 {
		if status := post(b); status != http.StatusAccepted {
			t.Errorf("next to a process that is gone: %d", status)
		}
	}
	if n := posted.Load(); n != 10 {
		t.Errorf("10 requests arrived %d times", n)
	}
	if status := post(start(good, cutting)); status != 0 || cut.Load() != 1 || posted.Load() != 10 {
		t.Errorf("an answer that was cut off: %d, sent %d times", status, cut.Load())
	}
}
