package solver

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"fivefold/game/wordle"
)

// Solver answers for one pair of word lists.
type Solver struct {
	lists   *wordle.Lists
	lexicon func() *lexicon // made when it is first needed

	// opening is the suggestion for a game without guesses, nil until it was
	// first asked for. It costs a look at every guess against every answer and
	// is the same in both modes.
	opening atomic.Pointer[Suggestion]
}

// New returns a solver for the lists. It costs nothing until it is asked.
func New(lists *wordle.Lists) *Solver {
	return &Solver{lists: lists, lexicon: sync.OnceValue(func() *lexicon { return newLexicon(lists.Guesses()) })}
}

// Suggest returns the guess after which the fewest words are expected to
// remain. Of equals it prefers a word that can be the answer, then the
// alphabetical order. With hard set it considers only guesses that hard mode
// allows after the turns.
//
// It costs one scoring for each guess and remaining word, about 0.3 s for the
// first question about a game without guesses. The error is [ErrNothingFits] or
// the context's.
func (s *Solver) Suggest(ctx context.Context, turns []wordle.Turn, hard bool) (Suggestion, error) {
	if len(turns) > 0 {
		return s.search(ctx, turns, hard)
	}
	if opening := s.opening.Load(); opening != nil {
		return *opening, nil
	}
	opening, err := s.search(ctx, nil, hard)
	if err != nil {
		return Suggestion{}, err
	}
	s.opening.Store(&opening)
	return opening, nil
}

// search is Suggest without memory.
func (s *Solver) search(ctx context.Context, turns []wordle.Turn, hard bool) (Suggestion, error) {
	remaining := s.Remaining(turns)
	if len(remaining) == 0 {
		return Suggestion{}, ErrNothingFits
	}
	possible := make(map[wordle.Word]bool, len(remaining))
	for _, w := range remaining {
		possible[w] = true
	}
	var best Suggestion
	leastSquares := -1
	for _, w := range s.lists.Guesses() {
		if err := ctx.Err(); err != nil {
			return Suggestion{}, fmt.Errorf("suggesting a word: %w", err)
		}
		if hard && wordle.CheckHard(turns, w) != nil {
			continue
		}
		split := splitBy(w, remaining)
		if leastSquares < 0 || split.squares < leastSquares ||
			split.squares == leastSquares && possible[w] && !best.Possible {
			leastSquares = split.squares
			best = Suggestion{
				Word:      w,
				Remaining: len(remaining),
				Expected:  float64(split.squares) / float64(len(remaining)),
				Groups:    split.groups,
				Worst:     split.worst,
				Possible:  possible[w],
			}
		}
	}
	return best, nil
}

// split is how a guess divides a set of words by feedback.
type splitOld struct {
	squares int // Σx² over the groups' sizes x
	groups  int
	worst   int // the largest group
}

func splitBy(guess wordle.Word, words []wordle.Word) splitOld {
	var sizes [wordle.Feedbacks]int
	for _, w := range words {
		sizes[wordle.Score(guess, w)]++
	}
	var s splitOld
	for _, n := range sizes {
		if n > 0 {
			s.squares += n * n
			s.groups++
			s.worst = max(s.worst, n)
		}
	}
	return s
}
