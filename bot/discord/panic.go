package discord

import (
	"log/slog"
	"runtime/debug"
)

// logPanic recovers from a panic and logs it with its stack. It must be deferred
// directly.
func logPanic(log *slog.Logger, id string) {
	if p := recover(); p != nil {
		log.Error("panic while answering", "id", id, "panic", p, "stack", string(debug.Stack()))
	}
}
