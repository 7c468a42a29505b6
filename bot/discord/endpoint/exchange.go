package endpoint

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"fivefold/bot/discord/calls"
)

// Exchange belongs to an interaction that came by HTTP. It carries the first response from the front to the request that
// waits for it.
type Exchange struct {
	ID string // of the interaction; set by the front

	timings Timings
	over    chan struct{} // closed when a response was written, or none can be

	mu   sync.Mutex          // held while the response is written; protects the fields below
	w    http.ResponseWriter // w and r are nil once over is closed: a board keeps its answer's exchange, and would keep their buffers
	r    *http.Request
	left time.Time // when the response has left; zero if it has not
}

func newExchange(w http.ResponseWriter, r *http.Request, t Timings) *Exchange {
	return &Exchange{w: w, r: r, timings: t, over: make(chan struct{})}
}

// serve waits until a response is written.
func (x *Exchange) serve(r *http.Request) {
	select {
	case <-x.over:
	case <-r.Context().Done():
		x.End()
	}
}

// Respond writes the first response, and returns when it has left. sent is false if the connection of the request has ended.
// unsure means that the response may have arrived all the same.
func (x *Exchange) Respond(response any) (sent, unsure bool) {
	body, contentType, err := calls.Encode(response)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil || x.w == nil || x.r.Context().Err() != nil {
		return false, false
	}
	w := x.w
	x.w, x.r = nil, nil
	defer close(x.over)
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if _, err = w.Write(body); err == nil {
		err = http.NewResponseController(w).Flush()
	}
	if err != nil {
		return false, true
	}
	x.left = time.Now()
	return true, false
}

// Settle waits until Discord surely has the response, which can then be edited. It returns at once if no response went this
// way, or if x is nil.
func (x *Exchange) Settle(ctx context.Context) error {
	if x == nil {
		return nil
	}
	x.mu.Lock()
	left := x.left
	x.mu.Unlock()
	if left.IsZero() {
		return nil
	}
	return x.timings.Settle(ctx, x.ID, left)
}

// End ends the exchange. Without a response, because the interaction was refused or has failed, Discord gets status 503.
func (x *Exchange) End() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.w != nil {
		http.Error(x.w, "The interaction is not answered.", http.StatusServiceUnavailable)
		x.w, x.r = nil, nil
		close(x.over)
	}
}
