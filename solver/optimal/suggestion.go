package optimal

import (
	"fivefold/game/wordle"
	"fivefold/solver/entropy"
	"fivefold/solver/partition"
)

// Suggestion is a word to try next and what to expect of it. Stores keep its JSON, so the names
// in it stay.
type Suggestion struct {
	Word wordle.Word `json:"word"`
	// Possible reports whether Word can itself be the hidden word.
	Possible bool `json:"possible,omitempty"`
	// Remaining is how many words are still possible now.
	Remaining int `json:"remaining"`
	// Expected is how many words stay possible after Word, on average over the n words
	// possible now: Σx²/n over the sizes x of the classes that the feedback splits them
	// into. The class of all green counts like any other.
	Expected float64 `json:"expected"`
	// Entropy is the information in the feedback on average, in bits: Σ x/n·log₂(n/x) over
	// the same classes.
	Entropy float64 `json:"entropy,omitempty"`
	// Groups is the number of classes, and Worst the size of the largest: the most words
	// that can stay possible.
	Groups int `json:"groups"`
	Worst  int `json:"worst"`
	// Total is the sum of guesses that finds every remaining word if Word comes next, Word
	// included each time; so Total/Remaining is the expected number of guesses from here.
	// It is 0 if it was not searched for, or no play is sure to find every word within
	// the limit.
	Total int `json:"total,omitempty"`
	// Proven reports that Total is the least for Word, and that only words listed before have a smaller one. If Total
	// is 0, it reports that no play is sure to find every word within the limit.
	Proven bool `json:"proven,omitempty"`
}

// suggestionOf returns the figures of a guess that splits n words like this.
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
