// Package weighted helps with word puzzles played elsewhere, whose hidden word may be
// any word that can be guessed, each with a probability of its own.
package weighted

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds guesses for puzzles whose hidden word may be any word that can be
// guessed, with a probability by its weight; see [wordle.Lists.Weights]. It is safe for
// concurrent use.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches for the best strategy once all
	// guesses are ranked, and [Solver.Review] in all; 0 means not at all. It must not
	// be changed once the solver is in use. [New] sets a quarter of a second.
	SuggestTime time.Duration
	// Searches limits how many searches run at a time. [New] sets one with a slot for
	// each processor; solvers of one program should share it. It must not be changed
	// once the solver is in use.
	Searches *parallel.Semaphore

	lists   *wordle.Lists
	ours    func() *solver.Solver // for games with our own hidden words
	lexicon func() *lexicon.Lexicon
	weights func() []int32 // by guess
	openers openers
}

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver {
	w := &Solver{
		SuggestTime: 250 * time.Millisecond,
		Searches:    parallel.NewSemaphore(0),
		lists:       lists,
		lexicon:     sync.OnceValue(func() *lexicon.Lexicon { return lexicon.New(lists.Guesses()) }),
		weights:     sync.OnceValue(lists.Weights),
	}
	w.ours = sync.OnceValue(func() *solver.Solver {
		s := solver.New(lists)
		s.Searches = w.Searches
		return s
	})
	return w
}

// Possible is a word that can be the hidden one.
type Possible struct {
	Word   wordle.Word
	Chance float64 // above 0, up to 1; over all possible words the sum is 1
}

// Possible returns the words that fit the turns, the likeliest first and equally likely
// ones in alphabetical order. There are none if the turns contradict each other or the
// hidden word is not on the list.
func (w *Solver) Possible(turns []wordle.Turn) []Possible {
	words := w.fitting(turns)
	total := totalOf(words)
	possible := make([]Possible, len(words))
	for i, word := range words {
		possible[i] = Possible{word.Word, float64(word.weight) / float64(total)}
	}
	return possible
}

// Suggestion is a word to try next in a puzzle played elsewhere.
type Suggestion struct {
	Word      wordle.Word
	Chance    float64 // that it is the hidden word, 0 to 1
	Remaining int     // words that are possible now
	// Expected is how many words stay possible after Word, on average by weight.
	Expected float64
	// Groups is the number of classes, and Worst the size of the largest: the most
	// words that can stay possible.
	Groups, Worst int
	// Guesses is the average number of guesses from here, Word included, with the best
	// play found; 0 if that was not searched for. A word that is not found within the
	// limit counts as found [LossCost] guesses after the last one.
	Guesses float64
	// Proven reports whether no guess needs fewer on average.
	Proven bool
}

// suggestWait is how long Suggest waits for a slot of Searches.
const suggestWait = 500 * time.Millisecond

// Suggest returns the k best guesses in a position, best first, or fewer if fewer split
// the words; k below 1 means 1. The strategy is one of [solver.StrategyNames]. By
// weight, "parts" makes it as likely as possible to win with the guess after this one;
// the others do the same as for equally likely words, but prefer to win at once.
//
// The search for the best strategy ends with ctx. If no slot of Searches becomes free
// within half a second, the guesses that look best are returned. The error is
// [solver.ErrNothingFits], [solver.ErrNothingAllowed], ctx's if it ends before there is
// an answer, or says that there is no such strategy.
func (w *Solver) Suggest(ctx context.Context, p solver.Position, strategy string, k int) ([]Suggestion, error) {
	if err := solver.CheckStrategy(strategy); err != nil {
		return nil, err
	}
	q, err := w.newProblem(p)
	if err != nil {
		return nil, err
	}
	limit := w.SuggestTime
	waiting, cancel := context.WithTimeout(ctx, suggestWait)
	defer cancel()
	if release, err := w.Searches.Acquire(waiting); err == nil {
		defer release()
	} else {
		limit = 0
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	k = max(k, 1)
	switch {
	case strategy == solver.Optimal && len(q.words) <= maxWords:
		return q.search(ctx, limit, k), nil
	case len(p.Turns) == 0:
		return w.opener(q, strategy, k), nil
	}
	return q.rank(measureOf(strategy), k), nil
}
