// Package observe is how a store tells what it does, for metrics.
package observe

import "time"

// Observer learns what a store does. Its methods are called in the middle of the work and
// from many goroutines, so they must be quick and safe for concurrent use, and must not call
// the store.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and
	// how long it took, including the disk.
	Committed(changes int, took time.Duration)
	// NotSaved is called with every change that was not saved.
	NotSaved(err error)
}

// Nobody is the Observer of a store without one.
type Nobody struct{}

// Committed implements [Observer].
func (Nobody) Committed(int, time.Duration) {}

// NotSaved implements [Observer].
func (Nobody) NotSaved(error) {}
