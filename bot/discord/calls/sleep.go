package calls

import (
	"context"
	"time"
)

// Sleep waits for a while, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SleepUntil is Sleep until a time; the zero time is now, whatever has become of ctx.
func SleepUntil(ctx context.Context, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	return Sleep(ctx, time.Until(at))
}
