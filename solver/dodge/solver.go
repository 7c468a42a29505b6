// Package dodge finds the fewest guesses that suffice for the word that dodges, whose rules are in game/evil.
//
// Nothing is hidden, so every guess has one feedback that can be told in advance. A set of words is done with one guess if it is one
// word, and with k guesses if some guess keeps a set that is done with k-1. Two guesses suffice if some guess gives each word a
// feedback of its own.
package dodge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds the fewest guesses. It is safe for concurrent use.
type Solver struct {
	// Permits limits how many searches run at a time; nil sets no limit. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	lists   *wordle.Lists
	lexicon func() *lexicon.Lexicon // made when it is first needed
}

// Suggestion is a guess with which the fewest guesses suffice.
type Suggestion struct {
	Word   wordle.Word
	Fewest int  // guesses that suffice from here on, this one included
	Proven bool // no fewer suffice
	Left   int  // how many words can still be the word
}

// ErrNothingFits means that no word is left, or none that may be proposed.
var ErrNothingFits = errors.New("no word fits the feedback")

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver {
	return &Solver{lists: lists, lexicon: sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) })}
}

// Suggest returns the guess to make when these words are left, in their order: of all with which the fewest guesses suffice, one
// that can be the word, then the one that keeps the fewest words, then the first in the alphabet. Words that a game never proposes
// are not guessed.
//
// The error is [ErrNothingFits], [parallel.ErrBusy] or ctx's.
func (s *Solver) Suggest(ctx context.Context, left, never []wordle.Word) (Suggestion, error) {
	permit, err := s.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return Suggestion{}, fmt.Errorf("suggesting a word: %w", err)
	}
	defer permit.Release()
	return s.suggest(ctx, left, never)
}

func (s *Solver) suggest(ctx context.Context, left, never []wordle.Word) (Suggestion, error) {
	if len(left) == 0 || len(left) == 1 && slices.Contains(never, left[0]) {
		return Suggestion{}, ErrNothingFits
	}
	if len(left) == 1 {
		return Suggestion{Word: left[0], Fewest: 1, Proven: true, Left: 1}, nil
	}
	x := s.lexicon()
	guesses := slices.DeleteFunc(slices.Clone(x.Proposals), func(g int32) bool { return slices.Contains(never, x.Guesses[g]) })
	p := newSearch(x, guesses, left, parallel.StopFlag(ctx))
	all := p.split(p.all())
	unlikely := map[int32]int{}
	for _, o := range all.options {
		if !slices.Contains(left, x.Guesses[guesses[o.guess]]) {
			unlikely[o.guess] = 1
		}
	}
	slices.SortStableFunc(all.options, func(a, b option) int {
		return cmp.Or(unlikely[a.guess]-unlikely[b.guess], a.compare(b))
	})
	for fewest := 2; fewest <= len(left) && ctx.Err() == nil; fewest++ {
		if o, ok := all.first(all.options, fewest); ok {
			return Suggestion{x.Guesses[guesses[o.guess]], fewest, true, len(left)}, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return Suggestion{}, fmt.Errorf("suggesting a word: %w", err)
	}
	return Suggestion{}, ErrNothingFits
}
