package wordle

import (
	"strconv"
	"strings"

	"fivefold/game/wordle/dictionary"
)

// The weights where nothing is known of words but which of them are answers: as
// many as the built-in dictionary gives to its best-known and to its rarest words.
const (
	answerWeight = 9950
	otherWeight  = 10
)

// Weights returns how likely a puzzle played elsewhere is to hide each of the
// words in [Lists.Guesses], in their order: positive numbers that mean nothing but
// in relation to each other, up to 10 000. The built-in lists have those of package
// dictionary; with other lists every answer weighs the same, and every other word
// a thousandth of it. The caller owns the slice.
func (l *Lists) Weights() []int32 {
	weights := make([]int32, len(l.guesses))
	if l.builtIn {
		i := 0
		for line := range strings.Lines(dictionary.Weights()) {
			w, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 32)
			if err != nil || i == len(weights) {
				panic("wordle: the embedded weights do not fit the guesses") // a test compares them
			}
			weights[i] = int32(w)
			i++
		}
		return weights
	}
	for i, w := range l.guesses {
		weights[i] = otherWeight
		if l.CanHide(w) {
			weights[i] = answerWeight
		}
	}
	return weights
}
