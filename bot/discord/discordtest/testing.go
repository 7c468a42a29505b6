package discordtest

import (
	"context"
	"testing"
	"time"
)

// Context ends what would go on for ever; nothing that works comes near it, on however slow a
// machine.
func Context(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	tb.Cleanup(cancel)
	return ctx
}
