package discordtest

import (
	"net/http"
	"strings"
	"time"
)

// fault is what is to go wrong with REST calls of one kind.
type fault struct {
	method string // "" is any
	path   string // part of the path
	times  int    // how many more calls; negative means all

	status int           // answer this instead of doing anything
	after  int           // do it, answer this
	delay  time.Duration // do it, answer later
	held   chan struct{} // do it, answer when this is closed
	cut    bool          // do it, answer nothing and cut the line
}

func (f *fault) matches(method, path string) bool {
	return f.times != 0 && (f.method == "" || f.method == method) && strings.Contains(path, f.path)
}

// FailNext makes the next REST calls with that method ("" is any) and with
// pathSubstring in their path come back with status and without any effect.
// 429 says to retry after a tenth of a second in its body and one second in
// its header, which can only hold whole ones. The gateway's own address is
// /socket/: failing that makes dialling fail.
func (s *Server) FailNext(method, pathSubstring string, status, times int) {
	s.addFault(&fault{method: method, path: pathSubstring, times: times, status: status})
}

// FailAfterNext makes the next matching REST calls take effect, and come back with
// status as if they had not.
func (s *Server) FailAfterNext(method, pathSubstring string, status, times int) {
	s.addFault(&fault{method: method, path: pathSubstring, times: times, after: status})
}

// LoseNext makes the next matching REST calls take effect, and cuts the line
// instead of answering.
func (s *Server) LoseNext(method, pathSubstring string, times int) {
	s.addFault(&fault{method: method, path: pathSubstring, times: times, cut: true})
}

// Delay makes every matching REST call from now on take effect at once and be
// answered after d. A d of zero ends an earlier Delay with the same arguments.
func (s *Server) Delay(method, pathSubstring string, d time.Duration) {
	s.mu.Lock()
	kept := s.faults[:0]
	for _, f := range s.faults {
		if f.delay == 0 || f.method != method || f.path != pathSubstring {
			kept = append(kept, f)
		}
	}
	s.faults = kept
	s.mu.Unlock()
	if d > 0 {
		s.addFault(&fault{method: method, path: pathSubstring, times: -1, delay: d})
	}
}

// Hold makes every matching REST call from now on take effect at once but
// wait for its answer until release is called, or the server or the client
// ends. Calling release again does nothing.
func (s *Server) Hold(method, pathSubstring string) (release func()) {
	f := &fault{method: method, path: pathSubstring, times: -1, held: make(chan struct{})}
	s.addFault(f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if f.times != 0 {
			f.times = 0
			close(f.held)
		}
	}
}

func (s *Server) addFault(f *fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// effect is what the faults do to one call.
type effect struct {
	status  int
	instead int // the status to answer with after the call took effect; 0 for its own
	delay   time.Duration
	held    []chan struct{}
	cut     bool
}

// effectLocked uses up the faults that match. If one of them is a status, the call has no
// effect, and the other faults stay for the next call.
func (s *Server) effectLocked(method, path string) effect {
	var t effect
	for _, f := range s.faults {
		if f.status != 0 && f.matches(method, path) {
			f.times--
			return effect{status: f.status}
		}
	}
	for _, f := range s.faults {
		if !f.matches(method, path) {
			continue
		}
		if f.times > 0 {
			f.times--
		}
		t.delay += f.delay
		t.cut = t.cut || f.cut
		if f.after != 0 {
			t.instead = f.after
		}
		if f.held != nil {
			t.held = append(t.held, f.held)
		}
	}
	return t
}

// wait holds an answer back as long as t says. It returns false if the caller or the
// server has gone by then.
func (s *Server) wait(t effect, r *http.Request) bool {
	if t.delay > 0 {
		timer := time.NewTimer(t.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return false
		case <-s.done:
			return false
		}
	}
	for _, held := range t.held {
		select {
		case <-held:
		case <-r.Context().Done():
			return false
		case <-s.done:
			return false
		}
	}
	return true
}
