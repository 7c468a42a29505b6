package solver

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// Class is a set of words for which a guess gets the same feedback.
type Class struct {
	Feedback wordle.Feedback
	Words    []wordle.Word // in alphabetical order
}

// Classes returns the classes into which the guess, any word at all, would split the
// words that are possible after the turns, the largest first, and the figures of the guess
// that need no search. The error is [ErrNothingFits].
func (s *Solver) Classes(turns []wordle.Turn, guess wordle.Word) ([]Class, Suggestion, error) {
	words := s.Remaining(turns)
	if len(words) == 0 {
		return nil, Suggestion{}, ErrNothingFits
	}
	all := partition.Classes(guess, words)
	var classes []Class
	for f, some := range all {
		if len(some) > 0 {
			classes = append(classes, Class{wordle.Feedback(f), some})
		}
	}
	slices.SortStableFunc(classes, func(a, b Class) int { return len(b.Words) - len(a.Words) })
	return classes, suggestionOf(partition.SplitBy(guess, words), guess, len(words), len(all[wordle.AllGreen]) > 0), nil
}
