// Package observe has the interface through which a store reports what it does, for metrics.
package observe

import "time"

// Observer is informed of what a store does. Its methods are called in the middle of the work and
// from many goroutines, so they must be quick and safe for concurrent use, and must not call
// the store.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and
	// how long it took, including the wait for the disk.
	Committed(changes int, took time.Duration)
	// NotSaved is called for every change that was not saved, with the reason.
	NotSaved(err error)
}

// Nobody is the Observer of a store that has no other.
type Nobody struct{}

// Committed implements [Observer].
func (Nobody) Committed(int, time.Duration) {}

// NotSaved implements [Observer].
func (Nobody) NotSaved(error) {}
