package weighted

import (
	"math"
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/lexicon"
)

// problem is a position with its possible words by weight.
type problem struct {
	*lexicon.Lexicon
	words   []weightedWord // in the order of byWeight
	total   int64          // of their weights
	allowed []int32        // the guesses
	choices int            // how many of allowed, from the first, a search may choose; the others are withheld words that fit
	hard    bool
	clues   lexicon.Clues // in hard mode
	left    int           // how many guesses are left
	proof   proof         // that is known without a search
	scratch *sync.Pool    // of searches that are done, for their memory
}

func (w *Solver) newProblem(p solver.Position) (*problem, error) {
	q := &problem{Lexicon: w.lexicon(), words: w.fitting(p.Turns), hard: p.Hard, scratch: &w.scratch}
	if len(q.words) == 0 {
		return nil, solver.ErrNothingFits
	}
	q.total = totalOf(q.words)
	q.left = p.GuessesLeft(len(q.words))
	q.proof = w.proofs()[keyOf(p, q, "", 0)]
	if q.hard {
		q.clues = lexicon.CluesOf(p.Turns)
	}
	q.allowed = q.Allowed(q.clues)
	q.choices = len(q.allowed)
	for _, word := range q.words {
		if word.withheld {
			q.allowed = append(q.allowed, q.Numbers([]wordle.Word{word.Word})...)
		}
	}
	if q.words[0].withheld {
		q.choices = len(q.allowed)
	}
	if q.left < 1 || len(q.allowed) == 0 {
		return nil, solver.ErrNothingAllowed
	}
	return q, nil
}

// weightedWord is a word with its weight.
type weightedWord struct {
	wordle.Word
	weight   int32
	withheld bool // it is only guessed when no other word fits
}

// fitting returns the words that fit the turns, in the order of byWeight. They are
// shared, and must not be changed.
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

// byWeight returns all guesses with their weights, which for a withheld one is a tenth: the
// proposals first, the heaviest first and equally heavy ones in alphabetical order. So of a
// set of words, the first is the heaviest that may be guessed.
func byWeight(x *lexicon.Lexicon, weights []int32) []weightedWord {
	all := make([]weightedWord, len(x.Guesses))
	for g, word := range x.Guesses {
		all[g] = weightedWord{word, max(1, weights[g]/10), true}
	}
	for _, g := range x.Proposals {
		all[g] = weightedWord{x.Guesses[g], weights[g], false}
	}
	order := func(w weightedWord) int32 {
		if w.withheld {
			return w.weight - math.MaxInt16
		}
		return w.weight
	}
	slices.SortStableFunc(all, func(a, b weightedWord) int { return int(order(b) - order(a)) })
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
	at := make([]int32, len(q.Guesses))
	for row, g := range q.allowed {
		at[g] = int32(row)
	}
	rows := q.Numbers(words)
	for i, g := range rows {
		rows[i] = at[g]
	}
	return rows
}
