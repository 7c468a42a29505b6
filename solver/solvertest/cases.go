package solvertest

import (
	"slices"
	"testing"
	"time"
)

// Cases returns how many cases a benchmark has: n or, under -short, a tenth of them, which
// is enough to see that it runs.
func Cases(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// ReportTimes reports the median of the times of a benchmark's cases, the 99th percentile and
// the worst.
func ReportTimes(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for name, t := range map[string]time.Duration{
		"median-ms": times[len(times)/2], "p99-ms": times[len(times)*99/100], "worst-ms": times[len(times)-1],
	} {
		b.ReportMetric(t.Seconds()*1e3, name)
	}
}
