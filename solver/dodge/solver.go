// Package dodge finds the fewest guesses that suffice for the word that dodges; game/evil has its rules.
//
// Nothing is hidden, so each guess keeps a set of words that is known before. One guess suffices for one word. Two suffice for a set if
// some guess tells all its words apart, and more if some guess keeps a set for which one fewer suffices.
package dodge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/cache"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds the fewest guesses. It is safe for concurrent use.
type Solver struct {
	// Permits limits how many searches run at a time; nil sets no limit. It must not be changed once the solver is in use.
	Permits *parallel.Permits
	// EndTime is how long the end of a game waits for the fewest guesses it could have had; zero means half a second.
	EndTime time.Duration

	lists   *wordle.Lists
	lexicon func() *lexicon.Lexicon // made when it is first needed
	found   cache.Cache[string, Suggestion]
	one     sync.Mutex // of the search that runs: one at a time takes up to 50 MB, and the same question is searched once
}

// mostFound is how many bytes of questions a solver remembers the answers of: some hundred. Starts come again with every game.
const mostFound = 4 << 20

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

// Suggest returns the guess to make when these words are left, in alphabetical order: of all with which the fewest guesses suffice,
// one that can be the word, then the one that keeps the fewest words, then the first in the alphabet. It proposes none of the words
// never, and what it says is proven. The error is [ErrNothingFits], [parallel.ErrBusy] or ctx's.
func (s *Solver) Suggest(ctx context.Context, left, never []wordle.Word) (Suggestion, error) {
	return s.suggest(ctx, parallel.Search, left, never)
}

func (s *Solver) suggest(ctx context.Context, cost parallel.Cost, left, never []wordle.Word) (Suggestion, error) {
	if len(left) == 1 && slices.Contains(never, left[0]) {
		return Suggestion{}, ErrNothingFits
	}
	question := fmt.Sprint(left, never)
	if known, ok := s.found.Get(question); ok {
		return known, nil
	}
	permit, err := s.Permits.Acquire(ctx, cost)
	if err != nil {
		return Suggestion{}, fmt.Errorf("looking for the fewest guesses: %w", err)
	}
	defer permit.Release()
	s.one.Lock()
	defer s.one.Unlock()
	if known, ok := s.found.Get(question); ok {
		return known, nil
	}
	guesses := slices.DeleteFunc(slices.Clone(s.lists.Proposals()), func(g wordle.Word) bool { return slices.Contains(never, g) })
	guess, fewest, err := s.search(ctx, guesses).fewest(left)
	known := Suggestion{guess, fewest, err == nil, len(left)}
	if err == nil {
		s.found.Put(question, known, len(question), mostFound)
	}
	return known, err
}

func (s *Solver) search(ctx context.Context, guesses []wordle.Word) *search {
	x := s.lexicon()
	return &search{ctx, x, x.Numbers(guesses), map[wordle.Word][]byte{}, map[[2]wordle.Word][]uint64{}, map[string]wordle.Word{}}
}

// Ways calls yield with each shortest way to end a game in which these words are left, in alphabetical order, until yield returns
// false. All but its last guess are of the given guesses. progress learns how many of the first guesses were tried. Ways returns the
// number of guesses. The error is [ErrNothingFits] or ctx's.
func (s *Solver) Ways(
	ctx context.Context, left, guesses []wordle.Word, progress func(done, of int), yield func(way []wordle.Word) bool,
) (int, error) {
	p := s.search(ctx, guesses)
	_, fewest, err := p.fewest(left)
	if err == nil {
		p.ways(left, fewest, nil, progress, yield)
		err = ctx.Err()
	}
	return fewest, err
}

// ways calls yield with each way that begins as given and takes so many more guesses. It returns whether to go on.
func (s *search) ways(set []wordle.Word, left int, way []wordle.Word, progress func(done, of int), yield func([]wordle.Word) bool) bool {
	if left == 1 {
		return yield(append(slices.Clone(way), set[0]))
	}
	options := s.options(set, left)
	for i, o := range options {
		progress(i, len(options))
		if kept, ok := s.suffices(set, o, left); ok && !s.ways(kept, left-1, append(way, o.guess), func(int, int) {}, yield) {
			return false
		}
	}
	return true
}
