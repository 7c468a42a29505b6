package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver answers for one pair of word lists.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches, besides the few milliseconds
	// for a look at every guess; it must not be changed once the solver is in use.
	// [New] sets 30 ms: hints should come at once, and most positions that a search
	// can settle in a second, it settles in that time.
	SuggestTime time.Duration
	// ReviewTime is how long [Solver.Review] searches for certainty, besides what it
	// takes to estimate the rest; it must not be changed once the solver is in use.
	// [New] sets 120 ms, with which 99 of 100 reviews take less than 300 ms.
	ReviewTime time.Duration
	// Searches limits how many searches of Suggest and Review run at a time. [New] sets
	// one with a slot for each processor; solvers of one program should share it. It
	// must not be changed once the solver is in use.
	Searches *parallel.Semaphore

	lists *wordle.Lists
	// What a question may need is made when the first one does.
	lexicon func() *lexicon.Lexicon
	trees   func() ([]*Tree, error)
	// The same for the totals of openers.
	easyOpeners, hardOpeners func() (*openerTable, error)
	startCaches                   [2]startCache // what reviews remember, of easy and of hard mode
}

// New returns a solver for the lists. It costs nothing until it is asked. It
// knows the built-in trees of the built-in lists by itself, and the trees given,
// which must be for the same lists.
func New(lists *wordle.Lists, trees ...*Tree) *Solver {
	s := &Solver{
		SuggestTime: 30 * time.Millisecond,
		ReviewTime:  120 * time.Millisecond,
		lists:       lists,
		Searches:    parallel.NewSemaphore(0),
	}
	s.lexicon = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.New(lists.Guesses()) })
	s.trees = sync.OnceValues(func() ([]*Tree, error) {
		builtIn, err := s.builtInTrees()
		return append(slices.Clone(trees), builtIn...), err
	})
	s.easyOpeners = sync.OnceValues(func() (*openerTable, error) { return s.builtInOpeners(false) })
	s.hardOpeners = sync.OnceValues(func() (*openerTable, error) { return s.builtInOpeners(true) })
	return s
}

const (
	// suggestWait is how long Suggest waits for its turn to search.
	suggestWait = 150 * time.Millisecond
	// suggestMemory is what such a search can fill in its time.
	suggestMemory = 16 << 20
)

// Suggest returns the guess that a player should make next: what a tree says at
// the cost of a look-up, and off the trees what a search of some hundredths of a
// second finds, one for each processor at a time; when they are all taken for long,
// the guess that looks best.
//
// The suggestion says whether it is proven. The error is [ErrNothingFits],
// [ErrNothingAllowed] or the context's, when it ends before there is an answer.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	q := problem{Lexicon: s.lexicon(), words: s.Remaining(p.Turns)}
	if found, err := s.lookUp(p, &q); err == nil {
		return q.suggestion(found.candidate, found.best), nil
	} else if !errors.Is(err, errOffTree) {
		return Suggestion{}, err
	}
	effort := Effort{Workers: 1, Memory: suggestMemory, searchTime: s.SuggestTime}
	waiting, cancel := context.WithTimeout(ctx, suggestWait)
	defer cancel()
	if release, err := s.Searches.Acquire(waiting); err == nil {
		defer release()
	} else {
		effort.searchTime = -1
	}
	if err := ctx.Err(); err != nil {
		return Suggestion{}, fmt.Errorf("suggesting a word: %w", err)
	}
	solution, err := s.Solve(ctx, p, effort)
	if err != nil {
		return Suggestion{}, err
	}
	return solution.Suggestions[0], nil
}
