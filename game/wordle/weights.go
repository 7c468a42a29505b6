package wordle

import (
	"strconv"
	"strings"

	"fivefold/game/wordle/dictionary"
)

// The weights of answers and of other words in lists that are not built in: those that the built-in dictionary gives to its
// best-known and to its rarest words.
const (
	answerWeight = 9950
	otherWeight  = 10
)

// Familiar reports whether most people know a word with this weight of [Lists.Weights]. Some low weights are familiar: those of
// inflected words that everybody knows. Rare words weigh more than these.
func Familiar(weight int32) bool {
	switch weight {
	case 100, 110, 230: // "snaps", "lives", "birds"
		return true
	}
	return weight >= 3600 // "briar"
}

// Weights returns how likely a puzzle played elsewhere is to hide each of the words in [Lists.Guesses], in their order: numbers
// up to 10 000, whose ratios alone have a meaning. A word of 0 is possible only where no other word is. The built-in lists have
// those of package dictionary; with other lists every answer weighs the same, and every other word about a thousandth of that.
// The caller owns the slice.
func (l *Lists) Weights() []int32 {
	if l.builtIn {
		return builtInWeights()
	}
	weights := make([]int32, len(l.guesses))
	for i, w := range l.guesses {
		weights[i] = otherWeight
		if l.CanHide(w) {
			weights[i] = answerWeight
		}
	}
	return weights
}

// builtInWeights returns the weights of the built-in guesses.
func builtInWeights() (weights []int32) {
	for line := range strings.Lines(dictionary.Weights()) {
		w, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 32)
		if err != nil {
			panic("wordle: the embedded weights cannot be read") // a test reads them, and counts them
		}
		weights = append(weights, int32(w))
	}
	return weights
}
