// Package finished shows, reviews, shares and clears matches that have ended: histories, and who may see what of them.
package finished

import (
	"time"

	"fivefold/game/matches"
)

// Matches are the finished matches. Games and Store must be set; no field may change once it is in use. It is safe for
// concurrent use.
type Matches struct {
	Games *matches.Manager
	Store Store

	// PerformanceTime is how long [Matches.Performance] may spend on reviews; 500 ms if 0.
	PerformanceTime time.Duration
}
