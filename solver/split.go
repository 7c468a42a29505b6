package solver

import (
	"fivefold/game/wordle"
	"fivefold/solver/entropy"
)

// split is how the feedback of a guess divides a set of words into groups, told
// by four sums over the groups' sizes x.
type split struct {
	squares int   // Σx²
	logs    int64 // Σ x·log₂x, as entropy.Logs has it
	groups  int   // Σ1
	worst   int   // the largest x
}

// suggestion tells what to expect of a guess that splits n words so.
func (s split) suggestion(guess wordle.Word, n int, possible bool) Suggestion {
	return Suggestion{
		Word:      guess,
		Possible:  possible,
		Remaining: n,
		Expected:  float64(s.squares) / float64(n),
		Entropy:   entropy.Of(n, s.logs),
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
	logs   []int64   // x·log₂x, by x
	counts histogram // zero between calls
}

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
		r.logs = entropy.Logs(len(words))
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
	r := rater{words: len(words), logs: entropy.Logs(len(words))}
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
	r.counts.count(row)
	var s split
	for f := range wordle.Feedbacks {
		x := r.counts.size(wordle.Feedback(f))
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
