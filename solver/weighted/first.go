package weighted

import (
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// maxFirst is the most lists of suggestions in the cache: some 300 kilobytes.
const maxFirst = 512

// firstSuggestions is a cache for positions before and after a first guess, which many players
// share. It is emptied when it is full. The zero value is ready. It is safe for concurrent use.
type firstSuggestions struct {
	mu    sync.Mutex // protects cache
	cache map[firstKey][]Suggestion
}

// firstKey is a position after at most one guess, and the question about it. The zero value is any
// other position.
type firstKey struct {
	turns    int // their number plus 1, never 0
	turn     wordle.Turn
	hard     bool
	left     int
	strategy string
	k        int
}

func keyOf(p optimal.Position, q *problem, strategy string, k int) firstKey {
	if len(p.Turns) > 1 {
		return firstKey{}
	}
	key := firstKey{turns: len(p.Turns) + 1, hard: p.Hard, left: q.left, strategy: strategy, k: k}
	if len(p.Turns) == 1 {
		key.turn = p.Turns[0]
	}
	return key
}

// get returns a copy of the suggestions, and whether there are any.
func (f *firstSuggestions) get(key firstKey) ([]Suggestion, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	best, ok := f.cache[key]
	return slices.Clone(best), ok
}

// put adds a copy of the suggestions.
func (f *firstSuggestions) put(key firstKey, best []Suggestion) {
	if key == (firstKey{}) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cache == nil || len(f.cache) == maxFirst {
		f.cache = map[firstKey][]Suggestion{}
	}
	f.cache[key] = slices.Clone(best)
}
