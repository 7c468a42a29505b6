package partition

import (
	"fivefold/game/wordle"
	"fivefold/solver/entropy"
	"fivefold/solver/lexicon"
)

// Split summarizes how the feedback of a guess partitions a set of words, by the sizes x
// of the classes.
type Split struct {
	Squares int   // Σx²
	Logs    int64 // Σ x·log₂x, in the unit of entropy.Logs
	Classes int   // Σ1
	Worst   int   // the largest x
}

// Splitter splits a set of words by one guess after another. It is for one goroutine.
type Splitter struct {
	rows   *Rows
	logs   []int64        // x·log₂x, by x
	counts [4][256]uint32 // by feedback; zero between calls
}

// NewSplitter returns a splitter of the words.
func NewSplitter(x *lexicon.Lexicon, words []wordle.Word) *Splitter {
	return &Splitter{rows: NewRows(x, words), logs: entropy.Logs(len(words))}
}

// Split returns how the guess with these parts splits the words.
func (s *Splitter) Split(guess lexicon.PartNumbers) Split { return s.row(s.rows.Row(guess)) }

// SplitBy returns how a single guess splits the words. It needs no lexicon.
func SplitBy(guess wordle.Word, words []wordle.Word) Split {
	row := make([]byte, len(words))
	for i, w := range words {
		row[i] = byte(wordle.Score(guess, w))
	}
	s := Splitter{logs: entropy.Logs(len(words))}
	return s.row(row)
}

// Classes returns, by feedback, the words that get it for the guess, in their order.
func Classes(guess wordle.Word, words []wordle.Word) (classes [wordle.Feedbacks][]wordle.Word) {
	for _, w := range words {
		f := wordle.Score(guess, w)
		classes[f] = append(classes[f], w)
	}
	return classes
}

// row returns the split that the feedback in a row gives.
func (s *Splitter) row(row []byte) Split {
	var sums Split
	a, b, c, d := &s.counts[0], &s.counts[1], &s.counts[2], &s.counts[3]
	if len(row) < longRow { // word by word, without a look at feedback that does not occur
		for _, f := range row {
			x := int(a[f])
			a[f]++
			sums.Squares += 2*x + 1
			sums.Logs += s.logs[x+1] - s.logs[x]
			if x == 0 {
				sums.Classes++
			}
			sums.Worst = max(sums.Worst, x+1)
		}
		for _, f := range row {
			a[f] = 0
		}
		return sums
	}
	for len(row) >= 4 {
		a[row[0]]++
		b[row[1]]++
		c[row[2]]++
		d[row[3]]++
		row = row[4:]
	}
	for _, f := range row {
		a[f]++
	}
	for f := range wordle.Feedbacks {
		if x := int(a[f] + b[f] + c[f] + d[f]); x > 0 {
			sums.Squares += x * x
			sums.Logs += s.logs[x]
			sums.Classes++
			sums.Worst = max(sums.Worst, x)
		}
	}
	clear(s.counts[:])
	return sums
}

// longRow is the number of words from which four histograms are faster than one. Neighbours often have the same
// feedback, and in a single histogram each increment would wait for the one before.
const longRow = 96
