package solver

import (
	"sync/atomic"

	"fivefold/game/wordle"
)

// Of up to allInTime guesses all are tried on words that cannot all be found in time, of more
// only those that look best.
const (
	allInTime   = 64
	triedInTime = 6
)

// most returns the total of the play that misses the fewest words, and its guess. It is for
// words that perhaps cannot all be found in time. Once stop is set, some play is as good as
// another.
func (q *problem) most(s *search, stop *atomic.Bool) (best knownTotal, guess wordle.Word) {
	if q.allowed == nil {
		q.allowed = q.allowedFor(q.words, q.clues)
	}
	candidates, complete := q.candidates(stop)
	if q.left <= 2 { // the one that finds the most comes first
		guess = q.Guesses[candidates[0].guess]
		o := openingOf(q, guess)
		best = o.after(s, stop)
		best.exact = complete
		return best, guess
	}
	exact := complete && len(q.allowed) <= allInTime
	if !exact {
		candidates = candidates[:min(len(candidates), triedInTime)]
	}
	for _, c := range candidates {
		o := openingOf(q, q.Guesses[c.guess])
		t := o.after(s, stop)
		exact = exact && t.exact
		if t.exact = false; t.better(best) {
			best, guess = t, q.Guesses[c.guess]
		}
		if stop.Load() {
			return best, guess
		}
	}
	best.exact = exact
	return best, guess
}

// fewInTime is the most words for which it does not take long to see what three guesses find.
const fewInTime = 64

// after returns the total of the opening. It is exact if no more than three guesses are left,
// the opening among them. Otherwise it is searched for, unless s is nil.
func (o *opening) after(s *search, stop *atomic.Bool) knownTotal {
	t := knownTotal{n: int32(len(o.words)), exact: true}
	for i := range o.classes {
		c := &o.classes[i]
		n := int32(len(c.words))
		switch {
		case c.feedback == wordle.AllGreen:
			continue
		case c.left == 0:
			t.n, t.missed = t.n+n, t.missed+n
			continue
		case c.left == 1:
			t.n, t.missed = t.n+2*n-1, t.missed+n-1
			continue
		case n <= 2:
			t.n += 2*n - 1
			continue
		}
		if c.left > 2 {
			if v := c.value(s, o.problem, impossible); v < impossible && !stop.Load() {
				t.n += v
				continue
			}
		}
		sub := problem{Lexicon: o.Lexicon, words: c.words, hard: o.hard, clues: c.clues, left: c.left}
		if !o.hard {
			sub.allowed = o.allowed
		}
		most, _ := sub.most(s, stop)
		t.n, t.missed, t.exact = t.n+most.n, t.missed+most.missed, t.exact && most.exact
	}
	return t
}
