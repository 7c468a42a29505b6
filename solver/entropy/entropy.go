// Package entropy works out how much feedback tells, in whole numbers: a sum of them
// does not depend on its order, and guesses that tell the same do so exactly.
package entropy

import "math"

// unit is how finely logarithms are told. With 32 bits the sums of all 26⁵ words
// still fit into an int64, and an entropy is right to nine decimals.
const unit = 1 << 32

// Logs returns x·log₂x for x from 0 to n, where that of 0 is 0, for sums over the
// groups of x into which feedback splits things. The unit is the package's own.
//
// Only the logarithms of primes are rounded and the others are sums of them. So
// groups of 6, 1, 1, 1, 1, 1 and 1 have the same sum as groups of 3, 3, 2, 2 and 2,
// which tell as much.
func Logs(n int) []int64 {
	logs := make([]int64, n+1) // log₂x, as far as the primes so far are factors of x
	for p := 2; p <= n; p++ {
		if logs[p] > 0 {
			continue // p has a smaller factor
		}
		log := logOfPrime(p)
		for power := p; power <= n; power *= p {
			for x := power; x <= n; x += power {
				logs[x] += log
			}
		}
	}
	for x := range logs {
		logs[x] *= int64(x)
	}
	return logs
}

// Of returns what feedback tells of n things on average, in bits, when they are all
// equally likely and the groups into which it splits them have the sum of [Logs].
// n must be above 0.
func Of(n int, sum int64) float64 {
	return float64(Log(n)-sum) / unit / float64(n)
}

// Log returns the last of Logs(x), without the others.
func Log(x int) int64 {
	log := int64(0)
	rest := x
	for p := 2; rest > 1; p++ {
		if p*p > rest {
			p = rest
		}
		for ; rest%p == 0; rest /= p {
			log += logOfPrime(p)
		}
	}
	return int64(x) * log
}

func logOfPrime(p int) int64 { return int64(math.Round(math.Log2(float64(p)) * unit)) }
