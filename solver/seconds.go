package solver

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// secondsAbove is the number of words above which second guesses are on record.
const secondsAbove = 60

// secondGuesses are the best second guesses after common openers without a tree, in one mode and in games
// of [wordle.Attempts] guesses. Its JSON is its file.
type secondGuesses struct {
	Lists string `json:"lists"` // as in a [Tree]
	// By opener, for each feedback that leaves more than secondsAbove words, in the order of feedback: the best
	// guess and its total, or "- -" where none is proven.
	After map[string]string `json:"after"`
}

// errNoSeconds means that a file is not one of second guesses.
var errNoSeconds = errors.New("not second guesses of this program, or damaged")

func readSeconds(b []byte) (*secondGuesses, error) {
	t := new(secondGuesses)
	if json.Unmarshal(b, t) != nil {
		return nil, errNoSeconds
	}
	return t, nil
}

// find returns the best guess after the first turn, and its total. The guess is the zero Word if there is none on
// record. The error is errNoSeconds.
func (t *secondGuesses) find(answers []wordle.Word, first wordle.Turn) (best wordle.Word, total int, err error) {
	fields := strings.Fields(t.After[strings.ToLower(first.Guess.String())])
	for f, words := range partition.Classes(first.Guess, answers) {
		switch {
		case len(fields) == 0:
			return 0, 0, nil
		case len(words) <= secondsAbove:
		case len(fields) == 1:
			return 0, 0, errNoSeconds
		case wordle.Feedback(f) != first.Feedback:
			fields = fields[2:]
		case fields[0] == "-":
			return 0, 0, nil
		default:
			best, err = wordle.ParseWord(fields[0])
			if total, _ = strconv.Atoi(fields[1]); err != nil || total < 2*len(words) {
				return 0, 0, errNoSeconds
			}
			return best, total, nil
		}
	}
	return 0, 0, nil
}
