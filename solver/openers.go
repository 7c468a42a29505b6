package solver

import "errors"

// opener is a first guess with its total.
type opener struct {
	total int32 // that some play reaches
	exact bool  // it is the least
}

// openerTable has the totals of all openers of one mode.
type openerTable struct {
	all  []opener // by guess
	best int      // the guess with the least total
}

func (t *openerTable) least() opener { return t.all[t.best] }

// The checked file of a table has 1 for hard mode or 0, the least total, the number of openers,
// and for each, in the order of the list, twice the difference of its total from the least, plus
// 1 if it is exact.
const openersMagic = "fivefold openers 1\n"

// errNoOpeners means that a file is not a table of openers.
var errNoOpeners = errors.New("not a table of openers of this program, or damaged")

func newOpenerTable(all []opener) *openerTable {
	t := &openerTable{all: all}
	for g, o := range all {
		if o.total < t.least().total {
			t.best = g
		}
	}
	return t
}

// readOpeners reads the table of the mode for the solver's lists. The error is errNoOpeners or
// [ErrOtherLists].
func (s *Solver) readOpeners(b []byte, hard bool) (*openerTable, error) {
	numbers, err := s.checked(b, openersMagic, errNoOpeners)
	if err != nil {
		return nil, err
	}
	ofHard, least, n := numbers.next(2) == 1, numbers.next(impossible), len(s.lists.Guesses())
	if numbers.next(n+1) != n || ofHard != hard {
		return nil, errNoOpeners
	}
	all := make([]opener, n)
	for g := range all {
		n := numbers.next(impossible)
		all[g] = opener{int32(least + n/2), n%2 == 1}
	}
	if err := numbers.end(); err != nil {
		return nil, err
	}
	return newOpenerTable(all), nil
}
