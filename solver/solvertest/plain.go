package solvertest

import (
	"math"

	"fivefold/game/marks"
)

// Plain knows only the rules of a game. Its page of code finds what searches are compared with.
type Plain[G comparable] struct {
	Score func(guess, hidden G) marks.Feedback
	// Guesses returns what may be guessed after the turns, when these answers are possible.
	Guesses func(turns []marks.Turn[G], answers map[G]int64) []G
	// Loss is the cost of an answer that is not found, apart from the guesses made.
	Loss int64
}

// Cost returns the least sum of weight times guesses that finds the answers, given with their weights, with so many
// guesses left.
func (p Plain[G]) Cost(answers map[G]int64, turns []marks.Turn[G], left int) int64 {
	least := int64(math.MaxInt64)
	if left == 0 {
		return p.Loss * sum(answers)
	}
	for _, guess := range p.Guesses(turns, answers) {
		if len(p.classes(guess, answers)) > 1 || answers[guess] > 0 { // else it tells nothing
			least = min(least, p.CostOf(guess, answers, turns, left))
		}
	}
	return least
}

// CostOf is Cost with the next guess given.
func (p Plain[G]) CostOf(guess G, answers map[G]int64, turns []marks.Turn[G], left int) int64 {
	cost := sum(answers)
	for f, class := range p.classes(guess, answers) {
		if f != marks.AllGreen {
			cost += p.Cost(class, append(turns[:len(turns):len(turns)], marks.Turn[G]{Guess: guess, Feedback: f}), left-1)
		}
	}
	return cost
}

func (p Plain[G]) classes(guess G, answers map[G]int64) map[marks.Feedback]map[G]int64 {
	classes := map[marks.Feedback]map[G]int64{}
	for a, weight := range answers {
		f := p.Score(guess, a)
		if classes[f] == nil {
			classes[f] = map[G]int64{}
		}
		classes[f][a] = weight
	}
	return classes
}

func sum[G comparable](answers map[G]int64) int64 {
	sum := int64(0)
	for _, weight := range answers {
		sum += weight
	}
	return sum
}

// Ones returns the answers with equal weights.
func Ones[G comparable](answers []G) map[G]int64 {
	all := map[G]int64{}
	for _, a := range answers {
		all[a] = 1
	}
	return all
}
