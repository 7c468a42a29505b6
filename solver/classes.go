package solver

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// Class is what one feedback leaves of a set of words.
type Class struct {
	Feedback wordle.Feedback
	Words    []wordle.Word // in alphabetical order
}

// Classes returns how the guess, any word at all, would split the words that are
// possible after the turns, the largest class first, and what is to be said of it
// as far as no search is needed. The error is [ErrNothingFits].
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
