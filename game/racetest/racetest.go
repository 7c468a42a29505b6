// Package racetest makes long tests shorter under the race detector, which slows
// computation down five to twenty times.
//
// Only cases that cannot show another race may be left out: more random inputs to code in
// one goroutine, or more rounds of the same overlap. Without the detector every test runs
// all its cases.
package racetest

import "testing"

// Skip leaves out a whole test under the race detector: one that computes in a single
// goroutine, or whose goroutines overlap as they do in a shorter test.
func Skip(tb testing.TB) {
	tb.Helper()
	if Enabled {
		tb.Skip("not under the race detector: it is long, and shows no race that a shorter test does not")
	}
}

// Cases returns the number of cases to run: n, or under the race detector a tenth of
// n, but at least one.
func Cases(n int) int {
	if Enabled {
		return max(1, n/10)
	}
	return n
}
