package solver

import (
	"sync"

	"fivefold/game/wordle"
)

// start is what reviews remember of the position without guesses. Where no tree has
// it, it takes longer than all the rest of a review, and is the same in every game.
// It is safe for concurrent use.
type start struct {
	mu    sync.Mutex
	value figure // an estimate
	best  wordle.Word
	first wordle.Word // what the solver guesses
}

// start returns the one of the mode.
func (s *Solver) start(hard bool) *start {
	if hard {
		return &s.starts[1]
	}
	return &s.starts[0]
}

// estimated returns the estimate, 0 if there is none.
func (t *start) estimated() (value figure, best wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value, t.best
}

// estimateIs remembers the estimate.
func (t *start) estimateIs(value figure, best wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.value, t.best = value, best
}

// guess returns what the solver guesses, or the zero Word.
func (t *start) guess() wordle.Word {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.first
}

// guessIs remembers what the solver guesses.
func (t *start) guessIs(first wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.first = first
}
