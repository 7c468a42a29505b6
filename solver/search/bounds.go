package search

import (
	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// boundGuesses lists in f the guesses that might cost less than beta, each with a lower bound of its cost. It returns
// a lower bound of the set's value. If enough is true, the bound is the value or at least beta, and is remembered.
func (s *Search) boundGuesses(f *frame, t Set, beta int32) (least int32, enough bool) {
	n := int32(len(t.columns))
	f.tries = f.tries[:0]
	f.bounds = partition.Sized(f.bounds, len(t.table.rows))
	f.pairs, f.pairsRow = Impossible, -1
	least = beta
	// needed is the fewest classes with which a guess can cost less than beta. With just as many, the guess must be
	// one of the words.
	needed := 3*n - beta
	if t.left == 2 {
		needed = n // the guess must distinguish all words
	}
	// add lists the guess if it might cost little enough, and returns true when no other
	// guess can cost less.
	add := func(r, squares, classes, own, most int32) bool {
		bound := 3*n - classes - own
		if classes == 1 || bound >= min(beta, f.pairs) {
			return false
		}
		least = min(least, bound)
		if most <= 2 {
			f.pairs, f.pairsRow = bound, r
			if bound == 2*n { // the set's own words were tried before
				return true
			}
		}
		f.bounds[r] = bound
		f.tries = append(f.tries, newTry(2*squares+n*bound, r, own > 0))
		return false
	}
	for i, r := range t.rows {
		if i%lookEvery == lookEvery-1 && s.Stop.Load() {
			return Impossible, true
		}
		if t.table.classes[r] < needed {
			break // later rows have no more classes
		}
		row := t.table.Row(r)
		squares, most, spare := n, uint16(0), n-needed
		seen := t.columns
		for i, c := range t.columns {
			size := s.sizes[row[c]]
			s.sizes[row[c]] = size + 1
			if size == 0 {
				continue
			}
			if spare--; spare < 0 {
				seen = seen[:i+1]
				break
			}
			squares += 2 * int32(size)
			most |= size
		}
		own := int32(s.sizes[wordle.AllGreen])
		for _, c := range seen {
			s.sizes[row[c]] = 0
		}
		if spare >= 0 && add(r, squares, spare+needed, own, int32(most)+1) {
			break
		}
	}
	switch {
	case t.left == 2 && f.pairsRow < 0:
		least = Impossible
	case f.pairs <= least && f.pairs < beta:
		s.remember(t, f.pairs, f.pairsRow)
		return f.pairs, true
	}
	if least >= beta {
		s.remember(t, least, -1)
	}
	return least, least >= beta
}
