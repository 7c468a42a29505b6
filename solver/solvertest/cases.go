package solvertest

import "testing"

// Cases returns how many cases a benchmark has: n or, under -short, a tenth of them, which
// is enough to see that it runs.
func Cases(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}
