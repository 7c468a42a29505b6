package solver

import "fivefold/game/wordle"

// lanes is how many histograms a long row is counted in. Neighbours often have
// the same feedback; counted in one histogram, each would wait for the one
// before to be written.
const lanes = 4

// shortRow is the number of words from which on four histograms, which are
// summed at the end, are worth it.
const shortRow = 96

// histogram counts how often a long row of feedbacks has each of them. The zero value
// has counted nothing; it must be cleared before the next row.
type histogram [lanes][256]uint32

// count counts the row.
func (h *histogram) count(row []byte) {
	a, b, c, d := &h[0], &h[1], &h[2], &h[3]
	for len(row) >= lanes {
		a[row[0]]++
		b[row[1]]++
		c[row[2]]++
		d[row[3]]++
		row = row[lanes:]
	}
	for _, f := range row {
		a[f]++
	}
}

// size returns how often the row has f.
func (h *histogram) size(f wordle.Feedback) int { return int(h[0][f] + h[1][f] + h[2][f] + h[3][f]) }
