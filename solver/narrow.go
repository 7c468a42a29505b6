package solver

import (
	"slices"

	"fivefold/game/wordle"
)

// narrower makes levels from subsets of other ones. It holds memory to work in.
type narrower struct {
	last  [wordle.Feedbacks]uint16 // by class, the last column seen, counted from 1
	found []foundRow
	heads []int32 // a hash table: by place, the number of the row in found, counted from 1
	same  [wordle.Feedbacks]int16
}

// foundRow is a row that stays.
type foundRow struct {
	row, groups int32
	cut         uint64 // a hash of how it cuts the set
}

// narrow makes the level of some columns of l from some of its rows, in to's old
// memory. Rows that do not cut the set go. With merge set, so do all but one of
// the rows that cut it into the same classes, since they are the same guess for
// the set and all its subsets; only the columns' own rows always stay.
func (m *narrower) narrow(to, l *level, columns []uint16, rows []int32, merge bool) {
	const outside = maxColumns
	to.from = sized(to.from, len(l.own))
	for i := range to.from {
		to.from[i] = outside
	}
	for i, c := range columns {
		to.from[c] = uint16(i)
	}
	places := 1
	for places < 2*len(rows) {
		places *= 2
	}
	m.heads = sized(m.heads, places)
	clear(m.heads)
	m.found = m.found[:0]
	for _, r := range rows {
		row := l.row(r)
		groups, cut := m.cut(row, columns)
		if groups == 1 {
			continue
		}
		if merge {
			at := int(cut) & (places - 1)
			for ; m.heads[at] != 0; at = (at + 1) & (places - 1) {
				o := m.found[m.heads[at]-1]
				if o.cut == cut && o.groups == groups && m.alike(l.row(o.row), row, columns) {
					break
				}
			}
			own := l.self[r] >= 0 && to.from[l.self[r]] != outside
			if m.heads[at] != 0 && !own {
				continue
			}
			m.heads[at] = int32(len(m.found) + 1)
		}
		m.found = append(m.found, foundRow{r, groups, cut})
	}
	slices.SortStableFunc(m.found, func(a, b foundRow) int { return int(b.groups - a.groups) })

	n := len(columns)
	to.width = n
	to.own, to.keys = sized(to.own, n), sized(to.keys, n)
	to.guesses, to.groups = sized(to.guesses, len(m.found)), sized(to.groups, len(m.found))
	to.self, to.rows = sized(to.self, len(m.found)), sized(to.rows, len(m.found))
	to.cells = sized(to.cells, n*len(m.found))
	to.parts = sized(to.parts, n*(len(l.parts)/l.width))
	for i, c := range columns {
		to.keys[i] = l.keys[c]
	}
	for p := range len(l.parts) / l.width {
		take(to.part(uint16(p)), l.part(uint16(p)), columns)
	}
	for r, f := range m.found {
		take(to.row(int32(r)), l.row(f.row), columns)
		to.guesses[r], to.groups[r], to.rows[r] = l.guesses[f.row], f.groups, int32(r)
		to.self[r] = -1
		if c := l.self[f.row]; c >= 0 && to.from[c] != outside {
			to.self[r] = int32(to.from[c])
			to.own[to.from[c]] = int32(r)
		}
	}
}

func take(to, from []byte, columns []uint16) {
	for i, c := range columns {
		to[i] = from[c]
	}
}

// cut returns into how many classes the row cuts the columns, and a hash that
// tells which columns are together.
func (m *narrower) cut(row []byte, columns []uint16) (groups int32, hash uint64) {
	for i, c := range columns {
		f := row[c]
		if m.last[f] == 0 {
			groups++
		} else {
			// Two rows cut alike when each column has the same one before it in its class.
			hash += mix(uint64(i)<<32 | uint64(m.last[f]))
		}
		m.last[f] = uint16(i + 1)
	}
	for _, c := range columns {
		m.last[row[c]] = 0
	}
	return groups, hash
}

// alike reports whether two rows that cut the columns into equally many classes
// cut them into the same ones: whether each class of a lies in one of b.
func (m *narrower) alike(a, b []byte, columns []uint16) bool {
	for i := range m.same {
		m.same[i] = -1
	}
	for _, c := range columns {
		switch s := &m.same[a[c]]; *s {
		case -1:
			*s = int16(b[c])
		case int16(b[c]):
		default:
			return false
		}
	}
	return true
}
