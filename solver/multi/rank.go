package multi

import (
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// candidate is a guess that is considered.
type candidate struct {
	guess    int32 // its number in the lexicon
	expected float64
}

// guesses is a rough number of guesses that finding one of n words takes while other boards are open.
func guesses(n int) float64 {
	if n == 0 {
		return 0
	}
	return 1 + 0.8*math.Pow(math.Log2(float64(n)), 0.6)
}

// rank returns all guesses that may be suggested, best first, by a look one guess ahead: a word that is certain comes
// first, and then the least sum over the boards of the guesses still needed.
func (q *problem) rank() []candidate {
	most := 0
	var all []wordle.Word
	certain := map[wordle.Word]bool{}
	for _, left := range q.left {
		all = append(all, left...)
		most = max(most, len(left))
		if len(left) == 1 {
			certain[left[0]] = true
		}
	}
	times := make([]int64, most+1) // x·guesses(x), in millionths, by the size x of a class
	for x := range times {
		times[x] = int64(float64(x) * guesses(x) * 1e6)
	}
	rows := partition.NewRows(q.Lexicon, all)
	ranked := make([]candidate, 0, len(q.Proposals))
	try := func(g int32) {
		if q.never[q.Guesses[g]] {
			return
		}
		c := candidate{guess: g, expected: 1}
		row := rows.Row(q.PartsOf[g])
		for _, left := range q.left {
			var counts [wordle.Feedbacks]uint32
			sum := int64(0)
			for _, f := range row[:len(left)] {
				x := counts[f]
				counts[f]++
				sum += times[x+1] - times[x]
			}
			if counts[wordle.AllGreen] > 0 {
				sum -= times[1]
			}
			c.expected += float64(sum) / 1e6 / float64(len(left))
			row = row[len(left):]
		}
		if certain[q.Guesses[g]] {
			c.expected -= float64(len(q.left)) // no other guess is that good
		}
		ranked = append(ranked, c)
	}
	for _, g := range q.Proposals {
		try(g)
	}
	for _, g := range q.Numbers(all) { // a withheld word, where no other fits
		if _, proposed := slices.BinarySearch(q.Proposals, g); !proposed {
			try(g)
		}
	}
	slices.SortFunc(ranked, better)
	return ranked
}
