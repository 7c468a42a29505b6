package partition

import "fivefold/game/wordle"

// lanes is how many histograms a long row is counted in. Neighbours often have the
// same feedback; in a single histogram each increment would wait for the one before.
const lanes = 4

// LongRow is the number of words from which a [Histogram] is worth clearing and
// summing.
const LongRow = 96

// Histogram counts how often each feedback occurs in a long row. The zero value has
// counted nothing.
type Histogram [lanes][256]uint32

// Count counts the row.
func (h *Histogram) Count(row []byte) {
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

// Split returns how a guess splits the words whose feedback was counted, without Logs, and
// clears the histogram.
func (h *Histogram) Split() Split { return h.split(nil) }

func (h *Histogram) split(logs []int64) Split {
	var sums Split
	for f := range wordle.Feedbacks {
		x := int(h[0][f] + h[1][f] + h[2][f] + h[3][f])
		if x == 0 {
			continue
		}
		sums.Squares += x * x
		if logs != nil {
			sums.Logs += logs[x]
		}
		sums.Classes++
		sums.Worst = max(sums.Worst, x)
	}
	clear(h[:])
	return sums
}
