package weighted

import (
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver"
)

// maxFirst is how many pieces of advice are kept: some 300 kilobytes.
const maxFirst = 512

// firstAdvice keeps the advice after first guesses, which many players share: that for the
// positions that came last. The zero value is ready. It is safe for concurrent use.
type firstAdvice struct {
	mu    sync.Mutex // protects the fields below
	known map[firstKey][]Advice
	order []firstKey // the oldest first
}

// firstKey is a position after one guess, or none, and what is asked about it; the zero
// value is a position after more guesses.
type firstKey struct {
	turns    int // and one more
	turn     wordle.Turn
	hard     bool
	left     int
	strategy string
	k        int
}

func keyOf(p solver.Position, q *problem, strategy string, k int) firstKey {
	if len(p.Turns) > 1 {
		return firstKey{}
	}
	key := firstKey{turns: len(p.Turns) + 1, hard: p.Hard, left: q.left, strategy: strategy, k: k}
	if len(p.Turns) == 1 {
		key.turn = p.Turns[0]
	}
	return key
}

// recall returns a copy of the advice, and whether there is any.
func (f *firstAdvice) recall(key firstKey) ([]Advice, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	best, ok := f.known[key]
	return slices.Clone(best), ok
}

// keep keeps a copy of the advice.
func (f *firstAdvice) keep(key firstKey, best []Advice) {
	if key == (firstKey{}) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[firstKey][]Advice{}
	}
	if _, ok := f.known[key]; !ok {
		if len(f.order) == maxFirst {
			delete(f.known, f.order[0])
			f.order = slices.Delete(f.order, 0, 1)
		}
		f.order = append(f.order, key)
	}
	f.known[key] = slices.Clone(best)
}
