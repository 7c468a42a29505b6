package discordtest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Breakage is how a REST call fails. The zero value means that it does not.
type Breakage struct {
	Done   bool          // the call takes effect all the same: the caller cannot know
	Status int           // what the call is answered with, instead of what it should be
	Cut    bool          // the line is cut instead of an answer
	Slow   time.Duration // how long the call takes: with Done before its answer, otherwise before it has any effect

	held chan struct{} // do it, answer when this is closed
}

// nothing reports whether the call has no effect.
func (b Breakage) nothing() bool { return !b.Done && (b.Status != 0 || b.Cut) }

// fault is what goes wrong with REST calls of one kind.
type fault struct {
	method string // empty for any
	path   string // part of the path
	times  int    // how many more calls; negative for all
	Breakage
}

// Break makes the next REST calls with that method (empty for any) and with pathSubstring in their path fail, so many
// times; negative for all. The first of several faults that match counts. The gateway is at /socket/. Calling mend ends
// it early.
func (s *Server) Break(method, pathSubstring string, how Breakage, times int) (mend func()) {
	f := &fault{method, pathSubstring, times, how}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(slices.DeleteFunc(s.faults, func(f *fault) bool { return f.times == 0 }), f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f.times = 0
	}
}

// FailNext makes the next matching REST calls come back with status and without any effect.
func (s *Server) FailNext(method, pathSubstring string, status, times int) {
	s.Break(method, pathSubstring, Breakage{Status: status}, times)
}

// Hold makes every matching REST call from now on take effect at once but wait for its answer until release is called,
// or the server or the client ends. Release can be called twice.
func (s *Server) Hold(method, pathSubstring string) (release func()) {
	held := make(chan struct{})
	mend := s.Break(method, pathSubstring, Breakage{Done: true, held: held}, -1)
	return sync.OnceFunc(func() {
		mend()
		close(held)
	})
}

// breakage uses up a fault that matches a call.
func (s *Server) breakage(r *http.Request) Breakage {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if f.times == 0 || f.method != "" && f.method != r.Method || !strings.Contains(r.URL.Path, f.path) {
			continue
		}
		if f.times > 0 {
			f.times--
		}
		return f.Breakage
	}
	return Breakage{}
}

// wait waits until held is closed or, if that is nil, for a while. It returns false if the caller or the server has gone
// by then.
func (s *Server) wait(r *http.Request, d time.Duration, held chan struct{}) bool {
	if held == nil {
		held = make(chan struct{})
		defer time.AfterFunc(d, func() { close(held) }).Stop()
	}
	select {
	case <-held:
		return true
	case <-r.Context().Done():
	case <-s.serving.Done():
	}
	return false
}
