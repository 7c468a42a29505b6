package discordtest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Breakage is how a REST call fails. With the zero value, the call does not fail.
type Breakage struct {
	Done   bool          // the call takes effect all the same: the caller cannot know
	Status int           // the status of the answer, instead of the right one
	Cut    bool          // the line is cut instead of an answer
	Slow   time.Duration // how long the call takes: with Done before its answer, otherwise before it has any effect
	Until  chan struct{} // with Done: the call is answered when this is closed
}

// nothing reports whether the call has no effect.
func (b Breakage) nothing() bool { return !b.Done && (b.Status != 0 || b.Cut) }

// fault is a breakage of REST calls of one kind.
type fault struct {
	method string // empty for any
	path   string // part of the path
	times  int    // how many more calls; negative for all
	Breakage
}

// Break makes the next REST calls with that method (empty for any) and part of a path fail: as many as times says or, if it
// is negative, all until mend is called. If several faults match a call, the first counts. The gateway is at /socket/.
func (r *rest) Break(method, pathSubstring string, how Breakage, times int) (mend func()) {
	f := &fault{method, pathSubstring, times, how}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(slices.DeleteFunc(r.faults, func(f *fault) bool { return f.times == 0 }), f)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		f.times = 0
	}
}

// FailNext makes the next matching REST calls come back with status and without any effect.
func (r *rest) FailNext(method, pathSubstring string, status, times int) {
	r.Break(method, pathSubstring, Breakage{Status: status}, times)
}

// breakage uses up a fault that matches a call.
func (r *rest) breakage(req *http.Request) Breakage {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.faults {
		if f.times == 0 || f.method != "" && f.method != req.Method || !strings.Contains(req.URL.Path, f.path) {
			continue
		}
		if f.times > 0 {
			f.times--
		}
		return f.Breakage
	}
	return Breakage{}
}

// wait waits as long as a call takes. It returns false if the caller or the server has gone by then.
func (r *rest) wait(req *http.Request, how Breakage) bool {
	var slow <-chan time.Time
	if how.Slow > 0 {
		slow = time.After(how.Slow)
	} else if how.Until == nil {
		return true
	}
	select {
	case <-slow:
		return true
	case <-how.Until:
		return true
	case <-req.Context().Done():
	case <-r.serving.Done():
	}
	return false
}
