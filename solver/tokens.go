package solver

import (
	"context"
	"time"
)

// tokens lets so many search at a time as it has room for. It is safe for concurrent
// use.
type tokens chan struct{}

// take waits for a token and returns true: then it must be given back. It returns
// false when ctx ends first.
func (t tokens) take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// takeWithin is take that waits no longer than the limit.
func (t tokens) takeWithin(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return t.take(ctx)
}

func (t tokens) giveBack() { <-t }
