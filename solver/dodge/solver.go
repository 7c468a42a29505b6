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
	"time"

	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/cache"
	"fivefold/solver/grade"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds the fewest guesses. It is safe for concurrent use.
type Solver struct {
	// Permits limits how many searches run at a time; nil sets no limit. It must not be changed once the solver is in use.
	Permits *parallel.Permits
	// EndTime is how long the end of a game waits for the fewest guesses it could have had; zero means half a second.
	EndTime time.Duration

	lists *wordle.Lists
	one   chan struct{}                   // full while a search runs: one at a time, for the sake of memory
	found cache.Cache[string, Suggestion] // by question: starts come again with every game
}

// Suggestion is a guess with which the fewest guesses suffice.
type Suggestion struct {
	Word   wordle.Word
	Fewest int  // guesses that suffice from here on, this one included
	Proven bool // no fewer suffice
	Left   int  // how many words can still be the word
}

// mostFound is how many bytes of questions, some hundred, a solver remembers the answers of.
const mostFound = 4 << 20

// ErrNothingFits means that no word is left, or none that may be proposed.
var ErrNothingFits = errors.New("no word fits the feedback")

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver { return &Solver{lists: lists, one: make(chan struct{}, 1)} }

// Suggest returns the guess to make when these words are left, in alphabetical order: of all with which the fewest guesses suffice,
// one that can be the word, then the one that keeps the fewest words, then the first in the alphabet. It proposes none of the words
// never, and what it says is proven. The error is [ErrNothingFits], [parallel.ErrBusy] or ctx's.
func (s *Solver) Suggest(ctx context.Context, left, never []wordle.Word) (Suggestion, error) {
	return s.suggest(ctx, parallel.Search, left, never)
}

func (s *Solver) suggest(ctx context.Context, cost parallel.Cost, left, never []wordle.Word) (Suggestion, error) {
	select {
	case s.one <- struct{}{}:
		defer func() { <-s.one }()
	case <-ctx.Done():
		return Suggestion{}, fmt.Errorf("waiting for another search: %w", ctx.Err())
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
	allowed := func(words []wordle.Word) []wordle.Word {
		return slices.DeleteFunc(slices.Clone(words), func(w wordle.Word) bool { return slices.Contains(never, w) })
	}
	if len(left) == 1 {
		left = allowed(left)
	}
	guess, fewest, err := s.search(ctx, allowed(s.lists.Proposals())).fewest(left)
	known := Suggestion{guess, fewest, err == nil, len(left)}
	if err == nil {
		s.found.Put(question, known, len(question), mostFound)
	}
	return known, err
}

func (s *Solver) search(ctx context.Context, guesses []wordle.Word) *search {
	x := lexicon.Of(s.lists)
	return &search{ctx: ctx, lexicon: x, guesses: x.Numbers(guesses)}
}

// Ways calls yield with each shortest way to end a game in which these words are left, in alphabetical order, until yield returns
// false. All but its last guess are of the given guesses. progress learns how many of the first guesses were tried. Ways returns the
// number of guesses. The error is [ErrNothingFits] or ctx's.
func (s *Solver) Ways(
	ctx context.Context, left, guesses []wordle.Word, progress func(done, of int), yield func(way []wordle.Word) bool,
) (int, error) {
	p := s.search(ctx, guesses)
	_, fewest, err := p.fewest(left)
	var follow func(set, way []wordle.Word) bool
	follow = func(set, way []wordle.Word) bool {
		if len(way) == fewest-1 {
			return yield(append(slices.Clone(way), set[0]))
		}
		options := p.options(set, fewest-len(way))
		for i, o := range options {
			if len(way) == 0 {
				progress(i, len(options))
			}
			if kept, ok := p.suffices(set, o, fewest-len(way)); ok && !follow(kept, append(way, o.guess)) {
				return false
			}
		}
		return true
	}
	if err == nil {
		follow(left, nil)
		err = ctx.Err()
	}
	return fewest, err
}

// Review grades the guesses of a game. A guess loses guesses if, with it, more are needed in all than without. Its skill is 99 less the
// share of the guesses needed that it loses. So a lost guess weighs more the nearer the end is, and with a single word left, every
// other word gets 0. There is [game.NoLuck]. The line is a shortest way from the start. What is needed is for words that may be
// proposed. The error is that of [Solver.Suggest].
func (s *Solver) Review(ctx context.Context, played evil.State) (r grade.Review[wordle.Word], err error) {
	left := played.Rewind(0).(evil.State).Left(s.lists.Answers())
	best, err := s.suggest(ctx, parallel.Review, left, nil)
	for next, set := best, left; err == nil; next, err = s.suggest(ctx, parallel.Review, set, nil) {
		turn := wordle.Turn{Guess: next.Word}
		turn.Feedback, set = evil.Answer(set, next.Word)
		if r.Line = append(r.Line, turn); turn.Feedback == wordle.AllGreen {
			break
		}
	}
	for i, turn := range played.Turns() {
		kept, after := played.Rewind(i+1).(evil.State).Left(s.lists.Answers()), Suggestion{}
		if turn.Feedback != wordle.AllGreen && err == nil {
			after, err = s.suggest(ctx, parallel.Review, kept, nil)
		}
		needed, total := float64(best.Fewest), float64(1+after.Fewest)
		if total <= needed {
			best.Word = turn.Guess
		}
		_, least := evil.Answer(left, best.Word)
		r.Guesses = append(r.Guesses, grade.Judged[wordle.Word]{
			Turn: turn, Before: len(left), After: len(kept), Expected: float64(len(kept)), Best: best.Word, BestExpected: float64(len(least)),
			Skill: grade.Skill(needed, needed, total), Luck: game.NoLuck, Cut: grade.Bits(len(left), len(kept)), Proven: true,
		})
		best, left = after, kept
	}
	return r, err
}
