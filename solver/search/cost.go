package search

import (
	"slices"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// Cost returns the total of the set if the guess comes next. If that is not less than beta, Cost returns a number of
// at least beta; see [Search.Value]. The guess must be in the set's table.
func (s *Search) Cost(t Set, guess, beta int32) int32 {
	row, _ := slices.BinarySearch(t.table.guesses, guess)
	s.frame(0).made = false
	return s.cost(t, int32(row), 0, beta)
}

// FamiliarBest returns a guess that reaches the known value of a set. It prefers familiar words, and among those the
// set's own.
func (s *Search) FamiliarBest(t Set, known transposition.Entry) int32 {
	if s.Familiar[known.Best] {
		return known.Best
	}
	s.frame(0).made = false
	for _, row := range slices.Concat(t.table.own, t.rows) {
		if guess := t.table.guesses[row]; s.Familiar[guess] && s.cost(t, row, 0, known.Value+1) == known.Value && !s.Stop.Load() {
			return guess
		}
	}
	return known.Best
}

// cost returns the total of the set if the row's guess comes next. If that is not less than beta, cost returns a
// number of at least beta. Without a beam, the number is a lower bound of the total.
func (s *Search) cost(t Set, row int32, depth int, beta int32) int32 {
	f := s.frame(depth)
	if !s.partition(f, t, row) {
		return Impossible
	}
	total := int32(len(t.columns))
	for _, c := range f.classes {
		total += c.least
	}
	if total >= beta {
		return total
	}
	// Classes whose value is known or found quickly come first. Of the others, the largest comes first: its value
	// exceeds its bound by the most, so it refutes the guess soonest.
	open := f.classes[:0]
	for _, c := range f.classes {
		if c.size() < 3 || c.feedback == wordle.AllGreen {
			continue
		}
		value, exact := s.quickBound(f, t, row, &c)
		total += value - c.least
		if total >= beta {
			return total
		}
		if !exact {
			c.least = value
			open = append(open, c)
		}
	}
	slices.SortFunc(open, func(a, b class) int { return int(b.size() - a.size()) })
	for _, c := range open {
		below := s.below(f, t, c)
		if s.Stop.Load() { // the table of below may be undefined
			return min(total, Impossible)
		}
		total += s.value(below, depth+1, beta-(total-c.least)) - c.least
		if total >= beta || s.Stop.Load() {
			return min(total, Impossible)
		}
	}
	return total
}

// partition puts the classes of the set under the row's guess into f, each with the bound
// that follows from its size. It returns false if the guess leaves the set as it is, or
// too few guesses are left.
func (s *Search) partition(f *frame, t Set, row int32) bool {
	cells := t.table.Row(row)
	f.classes = f.classes[:0]
	for _, c := range t.columns {
		x := cells[c]
		if s.sizes[x] == 0 {
			f.classes = append(f.classes, class{feedback: wordle.Feedback(x)})
		}
		s.sizes[x]++
	}
	at := int32(0)
	for i := range f.classes {
		c := &f.classes[i]
		size := int32(s.sizes[c.feedback])
		c.from, c.to = at, at
		at += size
		if c.feedback != wordle.AllGreen {
			c.least = 2*size - 1
		}
		s.sizes[c.feedback] = uint16(i)
	}
	f.order = partition.Sized(f.order, len(t.columns))
	for _, column := range t.columns {
		c := &f.classes[s.sizes[cells[column]]]
		f.order[c.to] = column
		c.to++
	}
	for _, c := range f.classes {
		s.sizes[c.feedback] = 0
	}
	green := f.classes[0].feedback == wordle.AllGreen
	switch {
	case len(f.classes) == 1:
		return green && t.left >= 1
	case t.left == 2:
		return len(f.classes) == len(t.columns)
	}
	return t.left > 2
}

// quickBound returns a lower bound of the value of a class of three words or more, and
// whether it is the value itself. It also sets the class's key and clues.
func (s *Search) quickBound(f *frame, t Set, row int32, c *class) (value int32, exact bool) {
	columns := f.order[c.from:c.to]
	for _, column := range columns {
		c.key = c.key.Xor(t.table.keys[column])
	}
	if s.Hard != marks.Off {
		c.clues = t.clues.After(s.Guesses[t.table.guesses[row]], c.feedback)
		c.key = c.key.Xor(c.clues.Key())
	}
	sub := Set{table: t.table, columns: columns, key: c.key, left: min(t.left-1, len(columns))}
	known := s.memo.Get(sub.key.With(uint64(sub.left)))
	if known.Value > 0 {
		return known.Value, known.Exact
	}
	if v := s.ownValue(sub); v > 0 {
		return v, true
	}
	s.remember(sub, 2*c.size(), -1)
	return 2 * c.size(), false
}

// below returns the class of t as a set, on the table made for t. If the search was
// stopped, the set must not be used.
func (s *Search) below(f *frame, t Set, c class) Set {
	table := t.below
	if table == nil {
		table = f.below
		if !f.made {
			f.made = true
			table.restrict(t.table, t.columns, t.rows, s.Stop)
		}
	}
	f.columns = f.columns[:0]
	for _, column := range f.order[c.from:c.to] {
		f.columns = append(f.columns, table.from[column])
	}
	sub := Set{table: table, columns: f.columns, rows: table.rows, key: c.key, clues: c.clues, left: t.left - 1}
	if s.Hard != marks.Off {
		f.rows = f.rows[:0]
		for _, r := range table.rows {
			if sub.clues.Allow(s.Lexicon, table.guesses[r]) {
				f.rows = append(f.rows, r)
			}
		}
		sub.rows = f.rows
	}
	return sub
}
