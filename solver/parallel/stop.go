package parallel

import (
	"context"
	"sync/atomic"
)

// StopFlag returns a flag that is set soon after ctx ends. Reading it is cheaper than
// asking ctx.
func StopFlag(ctx context.Context) *atomic.Bool {
	stop := new(atomic.Bool)
	stop.Store(ctx.Err() != nil)
	context.AfterFunc(ctx, func() { stop.Store(true) })
	return stop
}
