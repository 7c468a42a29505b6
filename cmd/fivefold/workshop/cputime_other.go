//go:build !unix

package workshop

import "time"

var started = time.Now()

// cpuTime returns how long the program runs. It is its processor time only on a machine that does nothing else.
func cpuTime() time.Duration { return time.Since(started) }
