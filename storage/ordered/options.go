package ordered

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"
)

// Options are the settings of an engine. The zero value is ready to use.
type Options struct {
	// Observer receives events of the map, for metrics; nil means no observer.
	Observer Observer
	// Log gets events outside requests, without keys, values and passwords. Nil discards it.
	Log *slog.Logger

	// LockWait is how long to wait for another process to release the file; 0 means two seconds. After a restart, the previous
	// process may still be closing it.
	LockWait time.Duration
	// Failed is called once if a sync of the file fails, with an error that wraps bolt.ErrSync. The map refuses everything from
	// then on, so the process should be restarted. Failed must not wait for the map; it may be nil.
	Failed func(error)

	// Password is for a database whose URL has none.
	Password string
	// Patience is how long an operation waits, in all, for a database that does not answer; 0 means 12 seconds. The first try,
	// connecting to a server and closing the map may each take a sixth of it.
	Patience time.Duration
}

// WithDefaults returns the options with everything set.
func (o Options) WithDefaults() Options {
	if o.Observer == nil {
		o.Observer = noObserver{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	o.LockWait, o.Patience = cmp.Or(o.LockWait, 2*time.Second), cmp.Or(o.Patience, 12*time.Second)
	return o
}

// Observer is informed of what an engine does. Its methods must be quick and safe for concurrent use, and must not call
// the map.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and how long it took, including the wait
	// for the disk.
	Committed(changes int, took time.Duration)
	// NotSaved is called for every change that was not saved, with the reason.
	NotSaved(err error)
}

type noObserver struct{}

func (noObserver) Committed(int, time.Duration) {}
func (noObserver) NotSaved(error)               {}

// Faults logs faults that may come many times a second.
type Faults struct {
	log  *slog.Logger
	mu   *sync.Mutex // protects last
	last map[string]time.Time
}

// NewFaults returns faults that are written to a log.
func NewFaults(log *slog.Logger) Faults { return Faults{log, new(sync.Mutex), map[string]time.Time{}} }

// Report logs an error, unless one with the same text was logged within the last minute. There must be few texts.
func (f Faults) Report(level slog.Level, text string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.last[text]) < time.Minute {
		return
	}
	f.last[text] = time.Now()
	f.log.Log(context.Background(), level, text, "error", err)
}
