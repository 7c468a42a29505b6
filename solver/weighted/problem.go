package weighted

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/lexicon"
)

// problem is a position with its possible words by weight.
type problem struct {
	*lexicon.Lexicon
	words   []weightedWord // the heaviest first
	total   int64          // of their weights
	allowed []int32        // the guesses, in ascending order
	hard    bool
	clues   lexicon.Clues // in hard mode
	left    int           // how many guesses are left
}

func (w *Solver) newProblem(p solver.Position) (*problem, error) {
	q := &problem{Lexicon: w.lexicon(), words: w.fitting(p.Turns), hard: p.Hard}
	if len(q.words) == 0 {
		return nil, solver.ErrNothingFits
	}
	q.total = totalOf(q.words)
	q.left = p.GuessesLeft(len(q.words))
	if q.hard {
		q.clues = lexicon.CluesOf(p.Turns)
	}
	q.allowed = q.Allowed(q.clues)
	if q.left < 1 || len(q.allowed) == 0 {
		return nil, solver.ErrNothingAllowed
	}
	return q, nil
}

// weightedWord is a word with its weight.
type weightedWord struct {
	wordle.Word
	weight int32
}

// fitting returns the words that fit the turns, the heaviest first and equally heavy
// ones in alphabetical order.
func (w *Solver) fitting(turns []wordle.Turn) []weightedWord {
	var words []weightedWord
	x, weights := w.lexicon(), w.weights()
	for _, g := range x.Proposals {
		if word := x.Guesses[g]; lexicon.Fits(word, turns) {
			words = append(words, weightedWord{word, weights[g]})
		}
	}
	slices.SortStableFunc(words, func(a, b weightedWord) int { return int(b.weight - a.weight) })
	return words
}

func totalOf(words []weightedWord) int64 {
	total := int64(0)
	for _, w := range words {
		total += int64(w.weight)
	}
	return total
}

// plain returns the words without their weights.
func (q *problem) plain() []wordle.Word {
	words := make([]wordle.Word, len(q.words))
	for i, w := range q.words {
		words[i] = w.Word
	}
	return words
}

// rowsOf returns the indexes of the words among the allowed guesses. All must be
// allowed.
func (q *problem) rowsOf(words []wordle.Word) []int32 {
	rows := q.Numbers(words)
	for i, g := range rows {
		row, _ := slices.BinarySearch(q.allowed, g)
		rows[i] = int32(row)
	}
	return rows
}
