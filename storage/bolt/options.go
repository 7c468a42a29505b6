package bolt

import (
	"log/slog"
	"time"
)

// Options are what [Open] can be given. The zero value is ready to use.
type Options struct {
	// Observer learns what the store does, for metrics; nil for none.
	Observer Observer
	// Log gets what happens outside requests: how far the check of the file has come, and
	// that the disk takes no changes. Nothing in it identifies a player. Nil discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept after the last one has ended; for ever if
	// it is 0. See [Store.Forget].
	Keep time.Duration
	// LockWait is how long to wait for another process to release the file; 0 for two
	// seconds.
	LockWait time.Duration
	// Failed is called once if a sync of the file fails, with an error that wraps
	// [ErrSync]. The store refuses everything from then on; the process should end and be
	// started again. It must not wait for the store. Nil does nothing.
	Failed func(error)
}

// Observer learns what a [Store] does, for metrics. Its methods are called in the middle
// of the work and from many goroutines, so they must be quick and safe for concurrent
// use, and must not call the store.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and
	// how long it took, including the disk.
	Committed(changes int, took time.Duration)
	// NotSaved is called with every change that the disk did not take.
	NotSaved(err error)
}

// unobserved is the Observer of a store without one.
type unobserved struct{}

func (unobserved) Committed(int, time.Duration) {}
func (unobserved) NotSaved(error)               {}

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = unobserved{}
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
