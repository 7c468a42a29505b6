package weighted

import (
	"math"
	"slices"
	"sync"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/trees"
)

// problem is a position with its possible words, sorted by weight.
type problem struct {
	*knowledge
	words   []weightedWord // in the order of byWeight
	total   int64          // the sum of their weights
	allowed []int32        // the guesses
	choices int            // the number of allowed guesses to choose from; withheld words that fit follow them
	hard    marks.Hardness
	clues   lexicon.Clues
	left    int               // the number of guesses left
	proof   trees.SecondGuess // the best second guess, if known without a search; else zero
	scratch *sync.Pool        // searches that have ended; new ones reuse their memory
}

func (w *Solver) newProblem(p optimal.Position) (*problem, error) {
	q := &problem{knowledge: w.known(), words: w.fitting(p.Turns), hard: p.Hard, clues: lexicon.CluesOf(p.Hard, p.Turns), scratch: &w.scratch}
	if len(q.words) == 0 {
		return nil, optimal.ErrNothingFits
	}
	q.total = totalOf(q.words)
	q.left = p.GuessesLeft(len(q.words))
	if len(p.Turns) == 1 && q.left == wordle.Attempts-1 {
		q.proof = q.second[trees.First{Turn: p.Turns[0], Hard: p.Hard}]
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
		return nil, optimal.ErrNothingAllowed
	}
	return q, nil
}

// weightedWord is a word with its weight.
type weightedWord struct {
	wordle.Word
	weight   int32
	withheld bool // guessed only if no other word fits
}

// fitting returns the words that fit the turns, in the order of byWeight. Words without a weight fit
// only if no others do. The slice must not be changed.
func (w *Solver) fitting(turns []wordle.Turn) []weightedWord {
	known := w.known()
	if len(turns) == 0 {
		return slices.Clip(known.likely)
	}
	var words []weightedWord
	for _, all := range [][]weightedWord{known.likely, known.others} {
		for _, word := range all {
			if lexicon.Fits(word.Word, turns) {
				words = append(words, word)
			}
		}
		if words != nil {
			break
		}
	}
	return words
}

// byWeight returns the guesses with a weight and the others. A withheld word that few people know has a tenth of its
// weight. The likely words are sorted: proposals before withheld words, then heavier words first, then by alphabet.
// So the first word of a set is the heaviest that may be guessed. The words in others get a weight of 1.
func byWeight(x *lexicon.Lexicon, weights []int32) (likely, others []weightedWord) {
	all := make([]weightedWord, len(x.Guesses))
	for g, word := range x.Guesses {
		all[g] = weightedWord{word, weights[g], true}
	}
	for _, g := range x.Proposals {
		all[g].withheld = false
	}
	for _, w := range all {
		switch {
		case w.weight == 0:
			w.weight = 1
			others = append(others, w)
			continue
		case w.withheld && !wordle.Familiar(w.weight):
			w.weight = max(1, w.weight/10)
		}
		likely = append(likely, w)
	}
	order := func(w weightedWord) int32 {
		if w.withheld {
			return w.weight - math.MaxInt16
		}
		return w.weight
	}
	slices.SortStableFunc(likely, func(a, b weightedWord) int { return int(order(b) - order(a)) })
	return likely, others
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
