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

	// PerformanceTime is how long [Matches.Performance] may spend on reviews at once; 500 ms
	// if 0. Over time it is a tenth of a processor.
	PerformanceTime time.Duration

	// reviews limits the time that Performance spends on reviews.
	reviews reviewBudget
}
