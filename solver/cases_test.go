package solver

// cases returns how many random cases to compare: n, or a tenth under the race
// detector.
func cases(n int) int {
	if underRace {
		return n / 10
	}
	return n
}
