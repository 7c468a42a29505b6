package weighted

import (
	"slices"
	"sync"

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
	scratch *sync.Pool    // of searches that are done, for their memory
}

func (w *Solver) newProblem(p solver.Position) (*problem, error) {
	q := &problem{Lexicon: w.lexicon(), words: w.fitting(p.Turns), hard: p.Hard, scratch: &w.scratch}
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

// fitting returns the words that fit the turns, in the order of byWeight. They are
// shared: nobody may change them.
func (w *Solver) fitting(turns []wordle.Turn) []weightedWord {
	if len(turns) == 0 {
		return slices.Clip(w.heaviest())
	}
	var words []weightedWord
	for _, word := range w.heaviest() {
		if lexicon.Fits(word.Word, turns) {
			words = append(words, word)
		}
	}
	return words
}

// byWeight returns all words, the heaviest first and equally heavy ones in alphabetical
// order.
func byWeight(words []wordle.Word, weights []int32) []weightedWord {
	all := make([]weightedWord, len(words))
	for i, word := range words {
		all[i] = weightedWord{word, weights[i]}
	}
	slices.SortStableFunc(all, func(a, b weightedWord) int { return int(b.weight - a.weight) })
	return all
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
