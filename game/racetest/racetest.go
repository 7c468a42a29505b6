// Package racetest makes long tests shorter under the race detector, which slows
// computation down five to twenty times.
//
// Only cases may be left out that show no race: more random inputs to code in one
// goroutine, or more rounds of the same overlap. Without the detector every test runs
// all its cases.
package racetest

// Cases returns the number of cases to run: n, or under the race detector a tenth of
// n, but at least one.
func Cases(n int) int {
	if Enabled {
		return max(1, n/10)
	}
	return n
}
