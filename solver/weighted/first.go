package weighted

import (
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// maxFirst is how many lists of suggestions are kept: some 300 kilobytes.
const maxFirst = 512

// firstSuggestions keeps suggestions for positions before and after a first guess, which many
// players share. Once it is full, it begins anew. The zero value is ready. It is safe for concurrent use.
type firstSuggestions struct {
	mu    sync.Mutex // protects known
	known map[firstKey][]Suggestion
}

// firstKey is a position after one guess, or none, and what is asked about it; the zero
// value is a position after more guesses.
type firstKey struct {
	turns    int // their number plus 1, so that the key of no such position is zero
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

// recall returns a copy of the suggestions, and whether there are any.
func (f *firstSuggestions) recall(key firstKey) ([]Suggestion, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	best, ok := f.known[key]
	return slices.Clone(best), ok
}

// keep keeps a copy of the suggestions.
func (f *firstSuggestions) keep(key firstKey, best []Suggestion) {
	if key == (firstKey{}) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) == maxFirst {
		f.known = map[firstKey][]Suggestion{}
	}
	f.known[key] = slices.Clone(best)
}
