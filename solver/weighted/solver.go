// Package weighted helps with word puzzles played elsewhere. Any word that may be guessed may be
// hidden, with a probability by its weight. Words without a weight are possible only where no
// other word fits. Withheld words are proposed only where no other word fits, and count with a
// tenth of their weight if few people know them.
package weighted

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/cache"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// Solver finds guesses for puzzles whose hidden word may be any of [wordle.Lists.Guesses],
// with a probability by [wordle.Lists.Weights]. It is safe for concurrent use.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches after ranking all guesses, and
	// [Solver.Review] in all; 0 means no search. It must not be changed once the solver is
	// in use. [New] sets a quarter of a second.
	SuggestTime time.Duration
	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one
	// program should share a pool. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	lists      *wordle.Lists
	unweighted func() *optimal.Solver // for games with our own hidden words
	known      func() *knowledge
	cache      cache.Cache[string, []Suggestion] // before and after a first guess, which many players share
	scratch    sync.Pool                         // of *search, taken with a permit
}

// New returns a solver for the lists. It reads them when it is first used.
func New(lists *wordle.Lists) *Solver {
	w := &Solver{SuggestTime: 250 * time.Millisecond, lists: lists}
	w.known = sync.OnceValue(func() *knowledge { return knowledgeOf(lists, lexicon.Of(lists), lists.Weights()) })
	w.unweighted = sync.OnceValue(func() *optimal.Solver {
		s := optimal.New(lists)
		s.Permits = w.Permits
		return s
	})
	return w
}

// Possible is a word that may be hidden.
type Possible struct {
	Word     wordle.Word
	Chance   float64 // above 0, up to 1; the sum over all possible words is 1
	Withheld bool    // shown only on request or if no other word is possible
}

// Possible returns the words that fit the turns. Likelier words come first, then alphabetical
// order counts; withheld words come last. No word fits if the turns contradict each other or
// the hidden word is not on the list.
func (w *Solver) Possible(turns []wordle.Turn) []Possible {
	words := w.fitting(turns)
	total := totalOf(words)
	possible := make([]Possible, len(words))
	for i, word := range words {
		possible[i] = Possible{word.Word, float64(word.weight) / float64(total), word.withheld}
	}
	return possible
}

// Suggestion is a word to guess next, with its figures. Its JSON is stored.
type Suggestion struct {
	Word      wordle.Word `json:"word"`
	Chance    float64     `json:"chance,omitempty"` // that it is the hidden word, 0 to 1
	Remaining int         `json:"remaining"`        // words that are possible now
	// Expected is the number of words that stay possible after Word, on average by weight.
	Expected float64 `json:"expected"`
	// Groups is the number of classes. Worst is the size of the largest.
	Groups int `json:"groups"`
	Worst  int `json:"worst"`
	// Guesses is the average number of guesses from here, Word included, with the best
	// play found, or 0 without a search. A word that is not found within the limit counts
	// as found [LossCost] guesses after the last one.
	Guesses float64 `json:"guesses,omitempty"`
	// Proven reports whether no guess needs fewer on average.
	Proven bool `json:"proven,omitempty"`
	// Measure is the figure of a strategy that looks one guess ahead. It has no meaning after a search. For
	// "expected" it is the share of the weight that stays possible on average, for "minimax" the share of the
	// likeliest feedback. Less is better for both. For "entropy" it is the information in bits, plus the chance to
	// win at once. For "parts" it is the chance to win with Word or the next guess, where winning at once counts
	// twice.
	Measure float64 `json:"measure,omitempty"`
}

// Suggest returns up to k of the best guesses in a position, best first; k below 1 means 1. The strategy is one of
// [optimal.StrategyNames]. Words count by their weights. "parts" maximizes the chance to win with this guess or the
// next. The other strategies do the same as for equally likely words, but prefer to win at once.
//
// While others wait for a permit, the search takes less than SuggestTime. Suggestions before and after a first guess
// are cached. The error is [optimal.ErrNothingFits], [optimal.ErrNothingAllowed], [parallel.ErrBusy], ctx's if it
// ends before there is an answer, or says that there is no such strategy.
func (w *Solver) Suggest(ctx context.Context, p optimal.Position, strategy string, k int) ([]Suggestion, error) {
	if err := optimal.CheckStrategy(strategy); err != nil {
		return nil, err
	}
	q, err := w.newProblem(p)
	if err != nil {
		return nil, err
	}
	k = max(k, 1)
	key := fmt.Sprint(p.Turns, p.Hard, q.left, strategy, k)
	if best, ok := w.cache.Get(key); ok {
		return slices.Clone(best), nil
	}
	permit, err := w.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	defer permit.Release()
	if best, ok := w.cache.Get(key); ok {
		return slices.Clone(best), nil // another request has found it
	}
	var best []Suggestion
	limit := permit.Limit(w.SuggestTime)
	switch {
	case strategy == optimal.Optimal && q.small():
		best = q.search(ctx, limit, k)
	case len(p.Turns) == 0:
		best = q.opener(ctx, strategy, k)
	default:
		best = q.rank(ctx, measureOf(strategy), k)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	if len(p.Turns) <= 1 && limit == w.SuggestTime {
		w.cache.Put(key, slices.Clone(best), 1, cacheSize)
	}
	return best, nil
}

// cacheSize is the most lists of suggestions in the cache: some 300 kilobytes.
const cacheSize = 512
