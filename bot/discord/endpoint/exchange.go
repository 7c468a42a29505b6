package endpoint

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Exchange carries the first response to an interaction that came by HTTP from the front to
// the request that waits for it.
type Exchange struct {
	ID string // of the interaction; set by [Take]

	first chan outgoing // received from once, at most
	gone  chan struct{} // closed when no response can be written any more
	ended chan struct{} // closed when the work on the interaction has ended

	// Set before Respond returns:
	unsure bool      // the response may have arrived though writing it failed
	left   time.Time // when the response has left; zero if it has not

	timings Timings
}

// outgoing is a response that is to be written.
type outgoing struct {
	contentType string
	body        []byte
	written     chan<- error // has room
}

// ErrCut means that the connection ended before the response was written.
var ErrCut = errors.New("the connection of the request has ended")

func newExchange(t Timings) *Exchange {
	return &Exchange{first: make(chan outgoing), gone: make(chan struct{}), ended: make(chan struct{}), timings: t}
}

// serve waits for the first response and writes it. If the work ends without one, since it was
// refused or has failed, Discord gets status 503.
func (x *Exchange) serve(w http.ResponseWriter, r *http.Request) {
	defer close(x.gone)
	select {
	case o := <-x.first:
		o.written <- write(w, r, o)
	case <-x.ended:
		http.Error(w, "The interaction is not answered.", http.StatusServiceUnavailable)
	case <-r.Context().Done():
	}
}

// write writes a response, and returns when it has left.
func write(w http.ResponseWriter, r *http.Request, o outgoing) error {
	if r.Context().Err() != nil {
		return ErrCut
	}
	w.Header().Set("Content-Type", o.contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(o.body)))
	if _, err := w.Write(o.body); err != nil {
		return errors.Join(ErrCut, errUnsure)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return errors.Join(ErrCut, errUnsure)
	}
	return nil
}

// errUnsure means that a response that could not be written may have arrived all the same.
var errUnsure = errors.New("it may have arrived")

// Respond has the first response written, and returns when it has left. The error is ErrCut if
// the request can no longer be answered.
func (x *Exchange) Respond(ctx context.Context, body []byte, contentType string) error {
	written := make(chan error, 1)
	select {
	case x.first <- outgoing{contentType, body, written}:
	case <-x.gone:
		return ErrCut
	case <-ctx.Done():
		return ctx.Err()
	}
	err := <-written
	x.unsure = errors.Is(err, errUnsure)
	if err == nil {
		x.left = time.Now()
	}
	return err
}

// Unsure reports whether the response may have arrived though Respond returned ErrCut.
func (x *Exchange) Unsure() bool { return x.unsure }

// Settle waits until Discord has surely got the response, so that it can be
// edited. It returns at once if no response went this way, or there is no exchange.
func (x *Exchange) Settle(ctx context.Context) error {
	if x == nil || x.left.IsZero() {
		return nil
	}
	return x.timings.Settle(ctx, x.ID, x.left)
}

// End says that the work on the interaction has ended.
func (x *Exchange) End() { close(x.ended) }
