// Package entropy computes the information in feedback, in whole numbers: sums do not
// depend on their order, and guesses with the same information have exactly the same sum.
package entropy

import "math"

// unit is the resolution of logarithms. With 32 bits the sum over all 26⁵ words still fits
// into an int64, and an entropy is right to nine decimals.
const unit = 1 << 32

// Logs returns x·log₂x for x from 0 to n, and 0 for x = 0: for sums over the sizes x of
// classes. The unit is the package's own.
//
// Only the logarithms of primes are rounded; the others are sums of them. So classes of
// 6, 1, 1, 1, 1, 1 and 1 have the same sum as classes of 3, 3, 2, 2 and 2, which have the
// same information.
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

// Of returns the average information, in bits, in feedback for n equally likely things. sum adds up [Logs] over the
// sizes of its classes. n must be above 0.
func Of(n int, sum int64) float64 {
	return float64(Logs(n)[n]-sum) / unit / float64(n)
}

func logOfPrime(p int) int64 { return int64(math.Round(math.Log2(float64(p)) * unit)) }
