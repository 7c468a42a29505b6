package solver

import (
	"math"

	"fivefold/game/wordle"
)

// split is how the feedback of a guess divides a set of words into groups, told
// by four sums over the groups' sizes x.
type split struct {
	squares int   // Σx²
	logs    int64 // Σ x·log₂x in units of logUnit
	groups  int   // Σ1
	worst   int   // the largest x
}

// entropy returns what the feedback tells of n words on average, in bits.
func (s split) entropy(n int) float64 {
	return float64(xlog(n)-s.logs) / logUnit / float64(n)
}

// suggestion tells what to expect of a guess that splits n words so.
func (s split) suggestion(guess wordle.Word, n int, possible bool) Suggestion {
	return Suggestion{
		Word:      guess,
		Possible:  possible,
		Remaining: n,
		Expected:  float64(s.squares) / float64(n),
		Entropy:   s.entropy(n),
		Groups:    s.groups,
		Worst:     s.worst,
	}
}

// rater splits a set of words by one guess after another. It holds a row of
// feedback for the guess at hand only, not a table of all: for the opening that
// table has 30 MB. A rater is for one goroutine.
type rater struct {
	table  table
	words  int
	row    []byte
	logs   []int64            // x·log₂x, by x
	counts [lanes][256]uint32 // zero between calls
}

// lanes is how many histograms a long row is counted in. Neighbours often have
// the same feedback; counted in one histogram, each would wait for the one
// before to be written.
const lanes = 4

// shortRow is the number of words from which on four histograms, which are
// summed at the end, are worth it.
const shortRow = 96

func newRater(x *lexicon, words []wordle.Word) *rater {
	r := &rater{}
	r.take(x, words)
	return r
}

// take makes the words those that are split from now on, in the old memory.
func (r *rater) take(x *lexicon, words []wordle.Word) {
	r.words = len(words)
	r.table.buildParts(x, words)
	r.row = sized(r.row, r.table.width)
	if len(r.logs) <= len(words) {
		r.logs = xlogx(len(words))
	}
}

// classesOf returns what each feedback for the guess leaves of the words, in their
// order.
func classesOf(guess wordle.Word, words []wordle.Word) (classes [wordle.Feedbacks][]wordle.Word) {
	for _, w := range words {
		f := wordle.Score(guess, w)
		classes[f] = append(classes[f], w)
	}
	return classes
}

// splitBy is rate for a single guess, without preparation.
func splitBy(guess wordle.Word, words []wordle.Word) split {
	row := make([]byte, len(words))
	for i, w := range words {
		row[i] = byte(wordle.Score(guess, w))
	}
	r := rater{words: len(words), logs: xlogx(len(words))}
	return r.split(row)
}

// rate returns the split of the words by the guess with these parts.
func (r *rater) rate(guess partsOf) split {
	r.table.sum(r.row, guess)
	return r.split(r.row[:r.words])
}

// split returns the split of as many words as the row has feedbacks, at most as
// many as the rater has words.
func (r *rater) split(row []byte) split {
	if len(row) < shortRow {
		return r.splitShort(row)
	}
	return r.splitLong(row)
}

// splitShort keeps the sums up to date word by word and never looks at a
// feedback that does not occur.
func (r *rater) splitShort(row []byte) split {
	var s split
	count := &r.counts[0]
	for _, f := range row {
		x := int(count[f])
		count[f] = uint32(x + 1)
		s.squares += 2*x + 1
		s.logs += r.logs[x+1] - r.logs[x]
		if x == 0 {
			s.groups++
		}
		s.worst = max(s.worst, x+1)
	}
	for _, f := range row {
		count[f] = 0
	}
	return s
}

func (r *rater) splitLong(row []byte) split {
	a, b, c, d := &r.counts[0], &r.counts[1], &r.counts[2], &r.counts[3]
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
	var s split
	for f := range wordle.Feedbacks {
		x := int(a[f] + b[f] + c[f] + d[f])
		s.squares += x * x
		s.logs += r.logs[x]
		if x > 0 {
			s.groups++
		}
		s.worst = max(s.worst, x)
	}
	clear(r.counts[:])
	return s
}

// logUnit is how finely logarithms are told. Whole numbers make a sum
// independent of its order. With 32 bits the sums of all 26⁵ words still fit
// into an int64, and an entropy is right to nine decimals.
const logUnit = 1 << 32

// xlogx returns x·log₂x for x from 0 to n, in units of logUnit.
func xlogx(n int) []int64 {
	logs := make([]int64, n+1)
	for x := range logs {
		logs[x] = xlog(x)
	}
	return logs
}

// xlog returns x·log₂x, and 0 for 0, in units of logUnit.
//
// Only the logarithms of primes are rounded and the others are sums of them, so
// that guesses which tell the same do so exactly: groups of 6, 1, 1, 1, 1, 1 and
// 1 words tell as much as groups of 3, 3, 2, 2 and 2.
func xlog(x int) int64 {
	log := int64(0)
	rest := x
	for p := 2; rest > 1; p++ {
		if p*p > rest {
			p = rest
		}
		for ; rest%p == 0; rest /= p {
			log += int64(math.Round(math.Log2(float64(p)) * logUnit))
		}
	}
	return int64(x) * log
}
