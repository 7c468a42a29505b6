package solvertest

import (
	"math"

	"fivefold/game/marks"
)

// Plain finds least costs from the rules of a game alone, in a page of code. Tests compare searches with it.
type Plain[G comparable] struct {
	Score func(guess, hidden G) marks.Feedback
	// Guesses returns what may be guessed after the turns, when these answers are possible.
	Guesses func(turns []marks.Turn[G], answers []Answer[G]) []G
	// Loss is the cost of an answer that is not found, apart from the guesses made.
	Loss int64
}

// Answer is a possible answer with its weight.
type Answer[G comparable] struct {
	Word   G
	Weight int64
}

// Ones returns answers with equal weights.
func Ones[G comparable](words []G) (all []Answer[G]) {
	for _, w := range words {
		all = append(all, Answer[G]{w, 1})
	}
	return all
}

// Cost returns the least sum of weight times guesses that finds the answers with so many guesses left.
func (p Plain[G]) Cost(answers []Answer[G], turns []marks.Turn[G], left int) int64 {
	least := int64(math.MaxInt64)
	if left == 0 {
		return p.Loss * sum(answers)
	}
	for _, guess := range p.Guesses(turns, answers) {
		least = min(least, p.cost(guess, answers, turns, left, false))
	}
	return least
}

// CostOf is Cost with the next guess given.
func (p Plain[G]) CostOf(guess G, answers []Answer[G], turns []marks.Turn[G], left int) int64 {
	return p.cost(guess, answers, turns, left, true)
}

// cost is CostOf. Unless idle is set, a guess that tells nothing costs the maximum.
func (p Plain[G]) cost(guess G, answers []Answer[G], turns []marks.Turn[G], left int, idle bool) int64 {
	classes := map[marks.Feedback][]Answer[G]{}
	for _, a := range answers {
		f := p.Score(guess, a.Word)
		classes[f] = append(classes[f], a)
	}
	if len(classes) == 1 && classes[marks.AllGreen] == nil && !idle {
		return math.MaxInt64
	}
	cost := sum(answers)
	for f, class := range classes {
		if f != marks.AllGreen {
			cost += p.Cost(class, append(turns[:len(turns):len(turns)], marks.Turn[G]{Guess: guess, Feedback: f}), left-1)
		}
	}
	return cost
}

func sum[G comparable](answers []Answer[G]) int64 {
	sum := int64(0)
	for _, a := range answers {
		sum += a.Weight
	}
	return sum
}
