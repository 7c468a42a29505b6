package discordtest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Breakage is how a REST call fails. The zero value is no failure.
type Breakage struct {
	// Done says that the call takes effect all the same: the caller cannot know.
	Done bool
	// Status is what the call is answered with, instead of what it should be. 429 says
	// to retry after a tenth of a second in its body and one second in its header,
	// which can only hold whole ones.
	Status int
	// Cut cuts the line instead of answering.
	Cut bool
	// Half cuts the line in the middle of the answer.
	Half bool
	// Slow is how long the call takes: with Done before it is answered, otherwise
	// before it is looked at, which may be too late for it to take effect.
	Slow time.Duration

	held chan struct{} // do it, answer when this is closed
}

// nothing reports whether the call has no effect.
func (b Breakage) nothing() bool { return !b.Done && (b.Status != 0 || b.Cut || b.Half) }

// fault is what is to go wrong with REST calls of one kind.
type fault struct {
	method string // "" is any
	path   string // part of the path
	times  int    // how many more calls; negative means all
	Breakage
}

// Break makes the next REST calls with that method ("" is any) and with
// pathSubstring in their path fail, so many times. If several match a call, the first does.
// The gateway's own address is /socket/: failing that makes dialling fail. Calling mend ends it early.
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

// FailNext makes the next matching REST calls come back with status and without any
// effect.
func (s *Server) FailNext(method, pathSubstring string, status, times int) {
	s.Break(method, pathSubstring, Breakage{Status: status}, times)
}

// FailAfterNext makes the next matching REST calls take effect, and come back with
// status as if they had not.
func (s *Server) FailAfterNext(method, pathSubstring string, status, times int) {
	s.Break(method, pathSubstring, Breakage{Status: status, Done: true}, times)
}

// LoseNext makes the next matching REST calls take effect, and cuts the line
// instead of answering.
func (s *Server) LoseNext(method, pathSubstring string, times int) {
	s.Break(method, pathSubstring, Breakage{Done: true, Cut: true}, times)
}

// Hold makes every matching REST call from now on take effect at once but
// wait for its answer until release is called, or the server or the client
// ends. Calling release again does nothing.
func (s *Server) Hold(method, pathSubstring string) (release func()) {
	held := make(chan struct{})
	mend := s.Break(method, pathSubstring, Breakage{Done: true, held: held}, -1)
	return sync.OnceFunc(func() {
		mend()
		close(held)
	})
}

// breakageLocked uses up a fault that matches.
func (s *Server) breakageLocked(method, path string) Breakage {
	for _, f := range s.faults {
		if f.times == 0 || f.method != "" && f.method != method || !strings.Contains(path, f.path) {
			continue
		}
		if f.times > 0 {
			f.times--
		}
		return f.Breakage
	}
	return Breakage{}
}

// sendHalf sends the first half of an answer and cuts the line.
func sendHalf(w http.ResponseWriter, status int, body []byte) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err) // every connection of ours is HTTP/1.1
	}
	defer conn.Close()
	text := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", status, http.StatusText(status), len(body), body)
	// The line is cut in any case.
	_, _ = io.WriteString(conn, text[:len(text)/2])
	panic(http.ErrAbortHandler)
}

// wait holds a call back for a while, and then until held is closed unless that is nil. It returns false if
// the caller or the server has gone by then.
func (s *Server) wait(r *http.Request, d time.Duration, held <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	wait := func(c <-chan time.Time, held <-chan struct{}) bool {
		select {
		case <-c:
		case <-held:
		case <-r.Context().Done():
			return false
		case <-s.serving.Done():
			return false
		}
		return true
	}
	return wait(timer.C, nil) && (held == nil || wait(nil, held))
}
