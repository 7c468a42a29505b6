package solver

import (
	"fmt"

	"fivefold/game/wordle"
	"fivefold/solver/entropy"
	"fivefold/solver/partition"
)

// Suggestion is a word to try next and what to expect of it.
type Suggestion struct {
	Word wordle.Word
	// Possible reports whether Word can itself be the hidden word.
	Possible bool
	// Remaining is how many words are still possible now.
	Remaining int
	// Expected is how many words stay possible after Word, on average over the
	// words possible now: Σx²/n over the groups into which the feedback splits
	// them. The all-green group counts like any other.
	Expected float64
	// Entropy is what the feedback tells on average, in bits: Σ x/n·log₂(n/x) over
	// the same groups.
	Entropy float64
	// Groups is the number of different feedbacks Word can get, Worst the most
	// words that can stay possible.
	Groups, Worst int
	// Total is the sum of guesses with which every remaining word can be found when
	// Word comes next, Word itself counted each time; Total/Remaining is thus the
	// expected number of guesses from here. It is 0 when it was not worked out or
	// no play is sure to find every word within the limit.
	Total int
	// Proven reports whether Total is certain to be the least for Word, and no word
	// that is not listed before has a smaller one. With a Total of 0 it reports that
	// no play is sure to find every word within the limit.
	Proven bool
}

// String says in a sentence what Word does to the remaining words, without a full
// stop.
func (s Suggestion) String() string {
	switch {
	case s.Remaining == 1 && s.Possible:
		return fmt.Sprintf("%v is the only word left", s.Word)
	case s.Remaining == 1:
		return fmt.Sprintf("%v is not the one word left", s.Word)
	case s.Groups == 1:
		return fmt.Sprintf("%v tells nothing about the %d words", s.Word, s.Remaining)
	case s.Groups == s.Remaining && s.Remaining == 2:
		return fmt.Sprintf("%v tells both words apart", s.Word)
	case s.Groups == s.Remaining:
		return fmt.Sprintf("%v tells all %d words apart", s.Word, s.Remaining)
	}
	return fmt.Sprintf("%v splits the %d words into %d groups, at worst %d stay", s.Word, s.Remaining, s.Groups, s.Worst)
}

// suggestionOf says what to expect of a guess that splits n words so.
func suggestionOf(s partition.Split, guess wordle.Word, n int, possible bool) Suggestion {
	return Suggestion{
		Word:      guess,
		Possible:  possible,
		Remaining: n,
		Expected:  float64(s.Squares) / float64(n),
		Entropy:   entropy.Of(n, s.Logs),
		Groups:    s.Classes,
		Worst:     s.Worst,
	}
}
