package ordered

import "time"

// Observer is informed of what an engine does. Its methods are called in the middle of the work and
// from many goroutines, so they must be quick and safe for concurrent use, and must not call
// the map.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and
	// how long it took, including the wait for the disk.
	Committed(changes int, took time.Duration)
	// NotSaved is called for every change that was not saved, with the reason.
	NotSaved(err error)
}

// NoObserver is the [Observer] of a map that has no other.
type NoObserver struct{}

// Committed implements [Observer].
func (NoObserver) Committed(int, time.Duration) {}

// NotSaved implements [Observer].
func (NoObserver) NotSaved(error) {}
