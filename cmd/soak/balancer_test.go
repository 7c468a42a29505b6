package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestBalancer: requests go to the processes that are there, and none is sent twice.
func TestBalancer(t *testing.T) {
	var posted, cut atomic.Int64
	process := func(ready int, answer func(w http.ResponseWriter)) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/readyz" {
				w.WriteHeader(ready)
				return
			}
			answer(w)
		}))
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	good := process(http.StatusOK, func(w http.ResponseWriter) {
		posted.Add(1)
		w.WriteHeader(http.StatusAccepted)
	})
	cutting := process(http.StatusOK, func(http.ResponseWriter) {
		cut.Add(1)
		panic(http.ErrAbortHandler)
	})
	unready := process(http.StatusServiceUnavailable, func(http.ResponseWriter) { t.Error("a process that is not ready was asked") })
	const nobody = "127.0.0.1:1"
	post := func(b *balancer) int {
		t.Helper()
		resp, err := http.Post(b.URL, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		return resp.StatusCode
	}
	start := func(addresses ...string) *balancer {
		t.Helper()
		b := startBalancer(addresses)
		t.Cleanup(b.close)
		return b
	}

	b := start(nobody, good)
	for range 10 {
		if status := post(b); status != http.StatusAccepted {
			t.Errorf("next to a process that is gone: %d", status)
		}
	}
	if n := posted.Load(); n != 10 {
		t.Errorf("10 requests arrived %d times", n)
	}

	if status := post(start(cutting)); status != http.StatusBadGateway || cut.Load() != 1 {
		t.Errorf("an answer that was cut off: %d, sent %d times", status, cut.Load())
	}

	b = start(unready)
	for b.choose() != nil { // until it has been asked
	}
	if status := post(b); status != http.StatusBadGateway {
		t.Errorf("no process is ready: %d", status)
	}
}
