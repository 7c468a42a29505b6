package entropy

import (
	"math"
	"testing"
)

// TestLogs compares the sieve with rounded logarithms.
func TestLogs(t *testing.T) {
	const n = 3000
	logs := Logs(n)
	for x := range n + 1 {
		want := 0.0
		if x > 0 {
			want = float64(x) * math.Log2(float64(x))
		}
		// Each of up to 11 factors is rounded.
		if got := float64(logs[x]) / unit; math.Abs(got-want) > 11*float64(x)/unit {
			t.Errorf("%d·log₂%[1]d: got %v, want %v", x, got, want)
		}
	}
	// Classes of 6, 1, 1, … and of 3, 3, 2, 2, 2 have the same information.
	if logs[6] != 2*logs[3]+3*logs[2] {
		t.Errorf("6⁶ and 3³·3³·2²·2²·2² differ")
	}
	for _, n := range []int{0, 1, 2, 4} {
		if got := Logs(n); len(got) != n+1 || got[n] != logs[n] {
			t.Errorf("up to %d: got %v, want %v", n, got, logs[:n+1])
		}
	}
}

func TestOf(t *testing.T) {
	logs := Logs(3000)
	for n := 1; n <= 3000; n++ {
		if bits := Of(n, logs[n]); bits != 0 {
			t.Errorf("one class of %d has %v bits, want 0", n, bits)
		}
		if bits, want := Of(n, 0), math.Log2(float64(n)); math.Abs(bits-want) > 1e-8 {
			t.Errorf("classes of one of %d have %v bits, want %v", n, bits, want)
		}
	}
}
