// Package weighted helps with word puzzles played elsewhere. Their hidden word may be any
// word that may be guessed, each with a probability of its own; words without a weight only where no
// other word fits. Withheld words are proposed only where no other word
// fits, and count with a tenth of their weight if few know them.
package weighted

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// Solver finds guesses for puzzles whose hidden word may be any of
// [wordle.Lists.Guesses], with a probability by its weight; see [wordle.Lists.Weights].
// It is safe for concurrent use.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches for the best strategy once all
	// guesses are ranked, and [Solver.Review] in all; 0 means not at all. It must not
	// be changed once the solver is in use. [New] sets a quarter of a second.
	SuggestTime time.Duration
	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one
	// program should share a pool. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	lists   *wordle.Lists
	ours    func() *optimal.Solver // for games with our own hidden words
	lexicon func() *lexicon.Lexicon
	weights func() []int32                         // by guess
	words   func() (likely, others []weightedWord) // all words; see byWeight
	proofs  func() map[firstKey]proof
	openers func() map[string][]wordle.Word
	first   firstSuggestions
	scratch sync.Pool // of *search; only work with a permit takes one
}

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver {
	w := &Solver{
		SuggestTime: 250 * time.Millisecond,
		lists:       lists,
		lexicon:     sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) }),
		weights:     sync.OnceValue(lists.Weights),
	}
	w.words = sync.OnceValues(func() (likely, others []weightedWord) { return byWeight(w.lexicon(), w.weights()) })
	w.proofs = sync.OnceValue(func() map[firstKey]proof { return readProofs(proofsFile, w.sum()) })
	w.openers = sync.OnceValue(func() map[string][]wordle.Word { return readOpeners(openersFile, w.sum()) })
	w.ours = sync.OnceValue(func() *optimal.Solver {
		s := optimal.New(lists)
		s.Permits = w.Permits
		return s
	})
	return w
}

// Possible is a word that can be the hidden one.
type Possible struct {
	Word     wordle.Word
	Chance   float64 // above 0, up to 1; over all possible words the sum is 1
	Withheld bool    // it is shown only if no other word is possible, or if it is asked for
}

// Possible returns the words that fit the turns, the likeliest first and equally likely
// ones in alphabetical order, and withheld ones after all others. There are none if the
// turns contradict each other or the hidden word is not on the list.
func (w *Solver) Possible(turns []wordle.Turn) []Possible {
	words := w.fitting(turns)
	total := totalOf(words)
	possible := make([]Possible, len(words))
	for i, word := range words {
		possible[i] = Possible{word.Word, float64(word.weight) / float64(total), word.withheld}
	}
	return possible
}

// Suggestion is a word to try next in a puzzle played elsewhere. Stores keep its JSON, so the names
// in it stay.
type Suggestion struct {
	Word      wordle.Word `json:"word"`
	Chance    float64     `json:"chance,omitempty"` // that it is the hidden word, 0 to 1
	Remaining int         `json:"remaining"`        // words that are possible now
	// Expected is how many words stay possible after Word, on average by weight.
	Expected float64 `json:"expected"`
	// Groups is the number of classes, and Worst the size of the largest: the most
	// words that can stay possible.
	Groups int `json:"groups"`
	Worst  int `json:"worst"`
	// Guesses is the average number of guesses from here, Word included, with the best
	// play found; 0 if that was not searched for. A word that is not found within the
	// limit counts as found [LossCost] guesses after the last one.
	Guesses float64 `json:"guesses,omitempty"`
	// Proven reports whether no guess needs fewer on average.
	Proven bool `json:"proven,omitempty"`
	// Measure is what a strategy that looks one guess ahead goes by; chances count by weight.
	// For "expected" it is the chance that stays in play on average, for "minimax" that of
	// the likeliest feedback, both 0 to 1 and better the less; for "entropy" the information
	// in bits, plus the chance to win at once; for "parts" the chance to win with Word or the
	// guess after it, where winning at once counts twice. It means nothing after a search.
	Measure float64 `json:"measure,omitempty"`
}

// Suggest returns the k best guesses in a position, best first, or fewer if fewer split
// the words; k below 1 means 1. The strategy is one of [optimal.StrategyNames]. By
// weight, "parts" makes it as likely as possible to win with the guess after this one;
// the others do the same as for equally likely words, but prefer to win at once.
//
// If others wait for a permit too, the search for the best strategy takes less than
// SuggestTime, and the other strategies look at fewer guesses. What is found after a first
// guess is kept. The error is [optimal.ErrNothingFits], [optimal.ErrNothingAllowed],
// [parallel.ErrBusy], ctx's if it ends before there is an answer, or says that there is no
// such strategy.
func (w *Solver) Suggest(ctx context.Context, p optimal.Position, strategy string, k int) ([]Suggestion, error) {
	if err := optimal.CheckStrategy(strategy); err != nil {
		return nil, err
	}
	q, err := w.newProblem(p)
	if err != nil {
		return nil, err
	}
	k = max(k, 1)
	key := keyOf(p, q, strategy, k)
	if best, ok := w.first.recall(key); ok {
		return best, nil
	}
	permit, err := w.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	defer permit.Release()
	if best, ok := w.first.recall(key); ok {
		return best, nil // found while this waited
	}
	var best []Suggestion
	limit, step := permit.Limit(w.SuggestTime), 1
	switch {
	case strategy == optimal.Optimal && q.small():
		best = q.search(ctx, limit, k)
	case len(p.Turns) == 0:
		best = w.opener(ctx, q, strategy, k)
	default:
		// With many words this takes some tenths of a second. If others wait, the best of
		// fewer guesses must do, and is nearly as good.
		step = min(1+permit.Others(), maxStep)
		best = q.rank(ctx, measureOf(strategy), step, k)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	if limit == w.SuggestTime && step == 1 {
		w.first.keep(key, best)
	}
	return best, nil
}

// maxStep is the largest step of [problem.rank].
const maxStep = 16
