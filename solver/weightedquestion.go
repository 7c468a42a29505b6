package solver

import (
	"slices"

	"fivefold/game/wordle"
)

// weightedQuestion is a position with the words that are possible, by weight.
type weightedQuestion struct {
	*lexicon
	words   []weighted // the heaviest first
	total   int64      // of their weights
	allowed []int32    // what may be guessed, in ascending order
	hard    bool
	clues   clues // in hard mode
	left    int   // how many guesses are left
}

func (w *Weighted) question(p Position) (*weightedQuestion, error) {
	q := &weightedQuestion{lexicon: w.lexicon(), words: w.fitting(p.Turns), hard: p.Hard}
	if len(q.words) == 0 {
		return nil, ErrNothingFits
	}
	q.total = totalOf(q.words)
	q.left = p.left(len(q.words))
	if q.hard {
		q.clues = cluesOf(p.Turns)
	}
	q.allowed = q.allowedBy(q.clues)
	if q.left < 1 || len(q.allowed) == 0 {
		return nil, ErrNothingAllowed
	}
	return q, nil
}

// weighted is a word with its weight.
type weighted struct {
	wordle.Word
	weight int32
}

// fitting returns the words that fit the turns, the heaviest first and equally heavy
// ones in alphabetical order.
func (w *Weighted) fitting(turns []wordle.Turn) []weighted {
	var words []weighted
	x, weights := w.lexicon(), w.weights()
	for _, g := range x.proposals {
		if word := x.guesses[g]; fits(word, turns) {
			words = append(words, weighted{word, weights[g]})
		}
	}
	slices.SortStableFunc(words, func(a, b weighted) int { return int(b.weight - a.weight) })
	return words
}

func totalOf(words []weighted) int64 {
	total := int64(0)
	for _, w := range words {
		total += int64(w.weight)
	}
	return total
}

// plain returns the words without their weights.
func (q *weightedQuestion) plain() []wordle.Word {
	words := make([]wordle.Word, len(q.words))
	for i, w := range q.words {
		words[i] = w.Word
	}
	return words
}

// rowsOf returns the places of the words among what is allowed; all of them are.
func (q *weightedQuestion) rowsOf(words []wordle.Word) []int32 {
	rows := q.numbers(words)
	for i, g := range rows {
		row, _ := slices.BinarySearch(q.allowed, g)
		rows[i] = int32(row)
	}
	return rows
}
