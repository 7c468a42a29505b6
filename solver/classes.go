package solver

import (
	"slices"

	"fivefold/game/wordle"
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
	q := question{words: s.Remaining(turns)}
	if len(q.words) == 0 {
		return nil, Suggestion{}, ErrNothingFits
	}
	var all [wordle.Feedbacks]Class
	for _, w := range q.words {
		f := wordle.Score(guess, w)
		all[f].Feedback = f
		all[f].Words = append(all[f].Words, w)
	}
	classes := slices.DeleteFunc(slices.Clone(all[:]), func(c Class) bool { return len(c.Words) == 0 })
	slices.SortStableFunc(classes, func(a, b Class) int { return len(b.Words) - len(a.Words) })
	split := splitBy(guess, q.words)
	n := float64(len(q.words))
	return classes, Suggestion{
		Word: guess, Possible: len(all[wordle.AllGreen].Words) > 0, Remaining: len(q.words),
		Expected: float64(split.squares) / n, Entropy: split.entropy(len(q.words)),
		Groups: split.groups, Worst: split.worst,
	}, nil
}
