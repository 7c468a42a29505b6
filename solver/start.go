package solver

import (
	"sync"

	"fivefold/game/wordle"
)

// startCache remembers what reviews need to know of the position before the first guess:
// that is the same in every game and, where no tree has it, takes longer to find than all
// the rest of a review. It is safe for concurrent use.
type startCache struct {
	mu    sync.Mutex
	value knownTotal // an estimate
	best  wordle.Word
	first wordle.Word // what the solver guesses
}

// startCache returns the cache of the mode.
func (s *Solver) startCache(hard bool) *startCache {
	if hard {
		return &s.startCaches[1]
	}
	return &s.startCaches[0]
}

// estimated returns the estimate, 0 while there is none.
func (t *startCache) estimated() (value knownTotal, best wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value, t.best
}

// estimateIs remembers the estimate.
func (t *startCache) estimateIs(value knownTotal, best wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.value, t.best = value, best
}

// guess returns what the solver guesses, or the zero Word while that is not known.
func (t *startCache) guess() wordle.Word {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.first
}

// guessIs remembers what the solver guesses.
func (t *startCache) guessIs(first wordle.Word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.first = first
}
