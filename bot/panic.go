package bot

import (
	"log/slog"
	"runtime/debug"
)

// LogPanic recovers from a panic and logs it with its stack. It must be deferred directly.
func LogPanic(log *slog.Logger, id string) {
	if p := recover(); p != nil {
		log.Error("panic while answering", "id", id, "panic", p, "stack", string(debug.Stack()))
	}
}
