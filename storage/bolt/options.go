package bolt

import (
	"log/slog"
	"time"

	"fivefold/storage/observe"
)

// Options are the settings of [Open]. The zero value is ready to use.
type Options struct {
	// Observer learns what the store does, for metrics; nil for none.
	Observer observe.Observer
	// Log gets what happens outside requests, such as the progress of a migration, what the
	// check of the file has found, and that the disk takes no changes. Nothing in it identifies
	// a player. Nil discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept; for ever if it is 0. Their age counts up to
	// now, or up to the end of the last one if that was earlier by Discord's clock. See
	// [Store.Forget].
	Keep time.Duration
	// LockWait is how long to wait for another process to release the file; 0 for two
	// seconds.
	LockWait time.Duration
	// Failed is called once if a sync of the file fails, with an error that wraps
	// [ErrSync]. The store refuses everything from then on; the process should end and be
	// started again. It must not wait for the store. Nil does nothing.
	Failed func(error)
}

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = observe.Nobody{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.LockWait == 0 {
		o.LockWait = lockWait
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	return o
}
