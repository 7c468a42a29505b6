package solver

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Position is a game in progress as its players see it.
type Position struct {
	Turns []wordle.Turn
	Hard  bool // hard mode: guesses must use every clue
	// Limit is how many guesses the game has in all, including Turns; 0 means no limit.
	Limit int
}

// ErrNothingFits means that no known word fits the feedback of every turn.
var ErrNothingFits = errors.New("no word fits the feedback")

// ErrNothingAllowed means that no guesses are left, or that hard mode allows none. (It
// always allows the hidden word, if that is on the list.)
var ErrNothingAllowed = errors.New("no guess is allowed")

// Remaining returns the words that are still possible after the turns, in
// alphabetical order: every answer that would have got the same feedback.
//
// If there is no such answer, the hidden word is not on the list (an operator may have
// replaced the list since the game began), and every proposal that fits is returned; if none
// does either, every guess that fits. The caller owns the slice.
func (s *Solver) Remaining(turns []wordle.Turn) []wordle.Word {
	for _, list := range s.possible() {
		if words := fitting(list, turns); len(words) > 0 {
			return words
		}
	}
	return nil
}

// possible returns the words that may be hidden: first those that are if any of them fits.
func (s *Solver) possible() [3][]wordle.Word {
	return [...][]wordle.Word{s.lists.Answers(), s.lists.Proposals(), s.lists.Guesses()}
}

// NumRemaining returns how many words [Solver.Remaining] has. It allocates nothing, since it
// is called after every guess.
func (s *Solver) NumRemaining(turns []wordle.Turn) int {
	n := 0
	for _, list := range s.possible() {
		for _, w := range list {
			if lexicon.Fits(w, turns) {
				n++
			}
		}
		if n > 0 {
			break
		}
	}
	return n
}

// CountRemaining returns how many words [Solver.Remaining] has after each number of the
// turns, from none to all. The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) CountRemaining(ctx context.Context, turns []wordle.Turn) ([]int, error) {
	permit, err := s.Permits.Acquire(ctx, parallel.Brief)
	if err != nil {
		return nil, fmt.Errorf("waiting for other searches: %w", err)
	}
	defer permit.Release()
	counts := make([]int, len(turns)+1)
	for _, list := range s.possible() {
		if counts[len(turns)] > 0 {
			break
		}
		for i, n := range countFitting(list, turns) {
			if counts[i] == 0 {
				counts[i] = n
			}
		}
	}
	return counts, nil
}

// countFitting returns how many words fit each number of the turns.
func countFitting(words []wordle.Word, turns []wordle.Turn) []int {
	counts := make([]int, len(turns)+1)
	for _, w := range words {
		fits := 0
		for fits < len(turns) && lexicon.Fits(w, turns[fits:fits+1]) {
			fits++
		}
		counts[fits]++
	}
	for i := len(turns) - 1; i >= 0; i-- {
		counts[i] += counts[i+1]
	}
	return counts
}

func fitting(words []wordle.Word, turns []wordle.Turn) []wordle.Word {
	var fit []wordle.Word
	for _, w := range words {
		if lexicon.Fits(w, turns) {
			fit = append(fit, w)
		}
	}
	return fit
}

// GuessesLeft returns how many guesses are left when that many words are possible: at most
// their number, since more are never needed.
func (p Position) GuessesLeft(words int) int {
	if p.Limit > 0 {
		return min(words, p.Limit-len(p.Turns))
	}
	return words
}
