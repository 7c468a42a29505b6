package trees

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// SecondsAbove is the number of words above which second guesses are on record.
const SecondsAbove = 60

// Seconds are the best second guesses after common openers without a tree, in one mode and in games
// of [wordle.Attempts] guesses. Its JSON is its file.
type Seconds struct {
	Lists string `json:"lists"` // as in a [Tree]
	// By opener, for each feedback that leaves more than SecondsAbove words, in the order of feedback: the best
	// guess and its total, or "- -" where none is proven.
	After map[string]string `json:"after"`
}

// ReadSeconds reads the JSON of second guesses.
func ReadSeconds(_ *wordle.Lists, b []byte) (*Seconds, error) {
	t := new(Seconds)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("second guesses: %w", err)
	}
	return t, nil
}

// Find returns the best guess after the first turn, and its total; the zero Word if there is none on record.
func (t *Seconds) Find(answers []wordle.Word, first wordle.Turn) (best wordle.Word, total int) {
	fields := strings.Fields(t.After[strings.ToLower(first.Guess.String())])
	for f, words := range partition.Classes(first.Guess, answers) {
		if len(fields) == 0 || len(words) <= SecondsAbove {
			continue
		}
		if wordle.Feedback(f) == first.Feedback && fields[0] != "-" {
			total, _ = strconv.Atoi(fields[1]) // a test reads the file
			return wordle.MustParse(fields[0]), total
		}
		fields = fields[2:]
	}
	return 0, 0
}
