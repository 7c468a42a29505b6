package game

import (
	"context"
	"sync/atomic"
)

// WithWaiting returns a context for one request of a player. All that it asks of a store waits no longer,
// together, than one operation does for a database that cannot be reached. A part of the request shares its time.
func WithWaiting(ctx context.Context) context.Context {
	if _, ok := ctx.Value(waited{}).(*atomic.Int64); ok {
		return ctx
	}
	return context.WithValue(ctx, waited{}, new(atomic.Int64))
}

// Waited is how long the request of a context has waited for a store: a [time.Duration]. Stores add to it.
func Waited(ctx context.Context) *atomic.Int64 {
	if w, ok := ctx.Value(waited{}).(*atomic.Int64); ok {
		return w
	}
	return new(atomic.Int64)
}

type waited struct{}
