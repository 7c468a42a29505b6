package optimal

import (
	"cmp"
	"sync/atomic"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/search"
)

// knownTotal is a total that some play reaches. n is 0 while none is known. Each word that the play misses counts one
// guess more than there are.
type knownTotal struct {
	n      int32
	missed int32 // words
	exact  bool  // no play misses fewer words, and none that misses as few has a smaller total
}

// better reports whether f is lower than what was known, or newly exact.
func (f knownTotal) better(known knownTotal) bool {
	return known.n == 0 || f.less(known) || f.exact && !known.exact
}

// less reports whether f misses fewer words, or as many with a lower total.
func (f knownTotal) less(other knownTotal) bool {
	return cmp.Or(cmp.Compare(f.missed, other.missed), cmp.Compare(f.n, other.n)) < 0
}

// unlessImpossible forgets an estimate that found no play.
func (f *knownTotal) unlessImpossible() {
	if f.n >= search.Impossible {
		*f = knownTotal{}
	}
}

// fewestMissed tries all guesses if there are up to tryAllUpTo. Of more, it tries the tryBest that look best.
const (
	tryAllUpTo = 64
	tryBest    = 6
)

// fewestMissed returns the total of the play that misses the fewest words, and its guess. It is
// for words that perhaps cannot all be found within the limit. Once stop is set, it may be the
// total of any play.
func (q *problem) fewestMissed(s *search.Search, stop *atomic.Bool) (best knownTotal, guess wordle.Word) {
	if q.allowed == nil {
		q.allowed = q.allowedFor(q.words, q.clues)
	}
	candidates, complete := q.candidates(stop)
	if q.left <= 2 { // the candidate that finds the most comes first
		guess = q.Guesses[candidates[0].guess]
		o := openingOf(q, guess)
		best = o.total(s, stop)
		best.exact = complete
		return best, guess
	}
	exact := complete && len(q.allowed) <= tryAllUpTo
	if !exact {
		candidates = candidates[:min(len(candidates), tryBest)]
	}
	for _, c := range candidates {
		o := openingOf(q, q.Guesses[c.guess])
		t := o.total(s, stop)
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

// fewWords is the most words for which the total with three guesses left is found quickly.
const fewWords = 64

// total returns the total of the opening. It is exact if no more than three guesses are left,
// the opening among them. Otherwise s searches for it, unless s is nil.
func (o *opening) total(s *search.Search, stop *atomic.Bool) knownTotal {
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
			if v := c.value(s, o.problem, search.Impossible); v < search.Impossible && !stop.Load() {
				t.n += v
				continue
			}
		}
		sub := problem{Lexicon: o.Lexicon, words: c.words, hard: o.hard, clues: c.clues, left: c.left}
		if o.hard == marks.Off {
			sub.allowed = o.allowed
		}
		most, _ := sub.fewestMissed(s, stop)
		t.n, t.missed, t.exact = t.n+most.n, t.missed+most.missed, t.exact && most.exact
	}
	return t
}
