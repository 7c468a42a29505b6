package trees

import (
	"encoding/json"
	"errors"

	"fivefold/game/wordle"
)

// Openers has the totals of all openers of one mode. Its JSON is its file.
type Openers struct {
	Lists  string        `json:"lists"`  // as in a [Tree]
	Totals []int32       `json:"totals"` // by guess, one that some play reaches
	Exact  []wordle.Word `json:"exact"`  // the openers whose totals are the least
}

// ErrNoOpeners means that a file is not a table of openers.
var ErrNoOpeners = errors.New("not a table of openers of this program, or damaged")

// ReadOpeners reads a table for the lists. The error is [ErrNoOpeners].
func ReadOpeners(lists *wordle.Lists, b []byte) (*Openers, error) {
	t := new(Openers)
	if json.Unmarshal(b, t) != nil || len(t.Totals) != len(lists.Guesses()) {
		return nil, ErrNoOpeners
	}
	return t, nil
}
