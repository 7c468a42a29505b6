// Package slowtest makes the program's limits of time longer in tests of the whole program, so
// that they see the same on a slow machine.
package slowtest

import (
	"sync/atomic"
	"time"
)

var least atomic.Int64 // a time.Duration

// Extend makes every limit at least so long from now on. Only tests call it.
func Extend(to time.Duration) { least.Store(int64(to)) }

// Extended reports whether Extend was called.
func Extended() bool { return least.Load() > 0 }

// Limit returns how long something may take: as long as given, or longer in tests.
func Limit(d time.Duration) time.Duration { return max(d, time.Duration(least.Load())) }
