// Package optimal finds good guesses in a word game from what its players see,
// guesses and feedback, and never from the hidden word.
//
// [Solver.Suggest] gives a hint at once, [Solver.Solve] the best guess and a proof
// that it is, [Solver.Grow] a plan for the whole game, and [Solver.Strategy] a rule to
// guess by; [Solver.Review] grades a finished game. solver/README.md describes
// the search, what is proven, and how fast it is.
//
// A [Solver] is safe for concurrent use.
package optimal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/trees"
)

// Go generate takes about an hour on two cores to find the best openers, to prove that they are the best, and to find
// the totals. Second guesses that are on record stay. go test -run OpenerTrees -update writes the other trees.
//
//go:generate go run fivefold/cmd/fivefold tree --limit 0 -o ../trees/easy/slate.tree
//go:generate go run fivefold/cmd/fivefold tree --hard hard -o ../trees/hard/salet.tree
//go:generate go test -run BuiltInOpeners -update -timeout 3h
//go:generate go test -run SecondGuesses -prove 1h -timeout 3h

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

	lists   *wordle.Lists
	trees   []*trees.Tree // given
	builtIn *trees.BuiltIn
	lexicon func() *lexicon.Lexicon // made when it is first needed
	// starts has the value of the position before the first guess, by hard mode. Reviews find it if no tree has it.
	// The value is the same in every game, and takes longer than the rest of a review.
	starts [marks.Ultra + 1]atomic.Pointer[valued]
}

// New returns a solver for the lists. It costs nothing until it is used. It looks
// positions up in the given trees, which must be for the same lists, and in the
// built-in trees if these are the built-in lists.
func New(lists *wordle.Lists, given ...*trees.Tree) *Solver {
	return &Solver{
		SuggestTime: 30 * time.Millisecond,
		ReviewTime:  120 * time.Millisecond,
		lists:       lists,
		trees:       slices.Clip(given),
		builtIn:     trees.Of(lists),
		lexicon:     sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) }),
	}
}

// suggestMemory is as many bytes as a search of Suggest or Review can fill in its time.
const suggestMemory = 16 << 20

// Suggest returns the guess to make next. If a tree has the position, Suggest looks the guess up. Otherwise it
// searches for SuggestTime, or less if others wait for a permit too.
//
// The suggestion says whether it is proven. The error is one of [Solver.Solve], [parallel.ErrBusy], or ctx's if it
// ends before there is an answer.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	if hint, ok := s.onTree(p); ok && !slices.Contains(p.Never, hint.Word) {
		return hint, nil
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
	i := slices.IndexFunc(solution.Suggestions, func(one Suggestion) bool { return !slices.Contains(p.Never, one.Word) })
	if i < 0 {
		return Suggestion{}, ErrNothingFits
	}
	return solution.Suggestions[i], nil
}
