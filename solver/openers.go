package solver

import (
	"encoding/json"
	"errors"

	"fivefold/game/wordle"
)

// openerTable has the totals of all openers of one mode. Its JSON is its file.
type openerTable struct {
	Lists  string        `json:"lists"`  // as in a [Tree]
	Totals []int32       `json:"totals"` // by guess, one that some play reaches
	Exact  []wordle.Word `json:"exact"`  // the openers whose totals are the least
}

// errNoOpeners means that a file is not a table of openers.
var errNoOpeners = errors.New("not a table of openers of this program, or damaged")

// readOpeners reads a table for the solver's lists. The error is errNoOpeners.
func (s *Solver) readOpeners(b []byte) (*openerTable, error) {
	t := new(openerTable)
	if json.Unmarshal(b, t) != nil || len(t.Totals) != len(s.lists.Guesses()) {
		return nil, errNoOpeners
	}
	return t, nil
}
