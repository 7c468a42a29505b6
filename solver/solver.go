package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds guesses for one pair of word lists.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches, not counting the few
	// milliseconds that ranking all guesses takes. It must not be changed once the
	// solver is in use. [New] sets 30 ms: a hint should come at once, and most positions
	// that can be proven in a second are proven by then.
	SuggestTime time.Duration
	// ReviewTime is how long [Solver.Review] searches for proofs, not counting the time
	// to estimate the rest. It must not be changed once the solver is in use. [New] sets
	// 120 ms; 99 of 100 reviews then take less than 300 ms.
	ReviewTime time.Duration
	// Permits limits how many searches of Suggest and Review run at a time; nil sets no
	// limit. Solvers of one program should share a pool. It must not be changed once the
	// solver is in use.
	Permits *parallel.Permits

	lists *wordle.Lists
	trees []*Tree // that are given
	// These are made when they are first needed.
	lexicon     func() *lexicon.Lexicon
	openerTrees sync.Map // by file, functions that read a tree once
	modes       [2]mode  // easy and hard
}

// mode has what is needed of the position before the first guess.
type mode struct {
	openers func() (*openerTable, error)   // the totals of all, nil if there are none for the lists
	seconds func() (*secondGuesses, error) // nil if there are none for the lists
	// What reviews find out where no tree has the position: it is the same in every game, and
	// takes longer than all the rest of a review.
	start atomic.Pointer[valued]
	first atomic.Pointer[wordle.Word] // what the solver guesses
}

func (s *Solver) mode(hard bool) *mode {
	if hard {
		return &s.modes[1]
	}
	return &s.modes[0]
}

// New returns a solver for the lists. It costs nothing until it is used. It looks
// positions up in the given trees, which must be for the same lists, and in the
// built-in trees if these are the built-in lists.
func New(lists *wordle.Lists, trees ...*Tree) *Solver {
	s := &Solver{
		SuggestTime: 30 * time.Millisecond,
		ReviewTime:  120 * time.Millisecond,
		lists:       lists,
		trees:       slices.Clip(trees),
	}
	s.lexicon = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) })
	for _, hard := range []bool{false, true} {
		s.mode(hard).openers = sync.OnceValues(func() (*openerTable, error) {
			return readBuiltIn(s, folder(hard)+".openers", s.readOpeners)
		})
		s.mode(hard).seconds = sync.OnceValues(func() (*secondGuesses, error) {
			return readBuiltIn(s, folder(hard)+".seconds", readSeconds)
		})
	}
	return s
}

// suggestMemory is as many bytes as a search of Suggest or Review can fill in its time.
const suggestMemory = 16 << 20

// Suggest returns the guess to make next. On a tree that is a look-up; elsewhere it
// searches for SuggestTime, or less if others wait for a permit too.
//
// The suggestion says whether it is proven. The error is one of [Solver.Solve],
// [parallel.ErrBusy], or ctx's if it ends before there is an answer.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	hint, err := s.onTree(p)
	if !errors.Is(err, errOffTree) {
		return hint, err
	}
	permit, err := s.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return Suggestion{}, fmt.Errorf("suggesting a word: %w", err)
	}
	defer permit.Release()
	effort := Effort{Workers: 1, Memory: suggestMemory, searchTime: max(permit.Limit(s.SuggestTime), 1)}
	solution, err := s.Solve(ctx, p, effort)
	if err != nil {
		return Suggestion{}, err
	}
	return solution.Suggestions[0], nil
}
