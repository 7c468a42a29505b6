package entropy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestLogs compares the sieve with the factors of each number, and with rounded
// logarithms.
func TestLogs(t *testing.T) {
	const n = 3000
	logs := Logs(n)
	for x := range n + 1 {
		if want := Log(x); logs[x] != want {
			t.Errorf("%d·log₂%[1]d: got %d, want %d", x, logs[x], want)
		}
		want := 0.0
		if x > 0 {
			want = float64(x) * math.Log2(float64(x))
		}
		// Each of up to 11 factors is rounded.
		if got := float64(logs[x]) / unit; math.Abs(got-want) > 11*float64(x)/unit {
			t.Errorf("%d·log₂%[1]d: got %v, want %v", x, got, want)
		}
	}
	for _, n := range []int{0, 1, 2, 4} {
		if got := Logs(n); len(got) != n+1 || got[n] != logs[n] {
			t.Errorf("up to %d: got %v, want %v", n, got, logs[:n+1])
		}
	}
}

// TestLogsTellEqualFromUnequal compares the sums of x·log₂x of random groups with
// the products of xˣ, which are exact.
func TestLogsTellEqualFromUnequal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	logs := Logs(60)
	equal := 0
	for range 20_000 {
		n := 4 + random.IntN(57)
		a, b := randomGroups(random, n), randomGroups(random, n)
		if logs := sumOf(logs, a) - sumOf(logs, b); int64(product(a).Cmp(product(b))) != sign(logs) {
			t.Fatalf("groups %v and %v differ by %d", a, b, logs)
		} else if logs == 0 && len(a) != len(b) {
			equal++
		}
	}
	if equal == 0 {
		t.Error("no different classes had the same information")
	}
	// An example of those: 6⁶ = 2²·2²·3³·3³·2² for 12 words.
	if a, b := []int{6, 1, 1, 1, 1, 1, 1}, []int{3, 3, 2, 2, 2}; sumOf(logs, a) != sumOf(logs, b) {
		t.Errorf("%v and %v differ", a, b)
	}
}

func randomGroups(random *rand.Rand, n int) []int {
	var groups []int
	for n > 0 {
		x := 1 + random.IntN(min(n, 7))
		groups = append(groups, x)
		n -= x
	}
	return groups
}

func sumOf(logs []int64, groups []int) int64 {
	var sum int64
	for _, x := range groups {
		sum += logs[x]
	}
	return sum
}

func product(groups []int) *big.Int {
	p := big.NewInt(1)
	for _, x := range groups {
		p.Mul(p, new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(x)), nil))
	}
	return p
}

func sign(x int64) int64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
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
