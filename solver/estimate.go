package solver

import (
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
)

// The effort of an estimate. The numbers are a compromise: 99 % of 1000 random games
// are reviewed within 300 ms, and README.md says how far estimates are off.
const (
	lookAt        = 256       // words, at most, that guesses are ranked by
	tryCells      = 1_000_000 // pairs of a guess and a word that the shortlist may have,
	fewestTries   = 700       // but this many guesses at least
	tryFirst      = 4         // guesses tried on all words to find the best
	tryBeam       = 2         // guesses tried on each class
	tryBeamInTime = 10        // where no play is sure to find all words in time with fewer
	largeSet      = 1000      // words from which on a class gets a shortlist of its own
)

// estimator finds totals that are hard to beat, in some hundredths of a second even for
// a thousand words, by trying only guesses that look good. It is for one goroutine and
// one game.
type estimator struct{ s *search }

// shortlist is a problem with the guesses that look good.
type shortlist struct {
	*problem
	best  []wordle.Word // those that look best, best first
	tries []int32       // all that look good, in ascending order
}

func newEstimator(x *lexicon.Lexicon, hard bool, stop *atomic.Bool) *estimator {
	s := newSearch(x, rules{hard: hard}, suggestMemory, tryBeam)
	s.stop = stop
	return &estimator{s}
}

// withBeam returns an estimator that tries that many guesses on each class.
func (e *estimator) withBeam(beam int) *estimator {
	if beam == e.s.beam {
		return e
	}
	s := newSearch(e.s.Lexicon, e.s.rules, suggestMemory, beam)
	s.stop = e.s.stop
	return &estimator{s}
}

// shortlist finds the guesses that look good for the problem.
func (e *estimator) shortlist(q *problem) shortlist {
	words := q.words
	if len(words) > lookAt {
		words = make([]wordle.Word, lookAt)
		for i := range words {
			words[i] = q.words[i*len(q.words)/lookAt]
		}
	}
	part := *q
	part.words = words
	candidates, _ := part.candidates(e.s.stop)
	l := shortlist{problem: q}
	for i, c := range candidates[:min(len(candidates), max(tryCells/len(q.words), fewestTries))] {
		if i < tryFirst {
			l.best = append(l.best, q.Guesses[c.guess])
		}
		l.tries = append(l.tries, c.guess)
	}
	slices.Sort(l.tries)
	return l
}

// cost returns the total of the guess, followed by guesses of the shortlist. When the
// estimator is stopped, the result means nothing.
func (e *estimator) cost(l shortlist, guess wordle.Word) int32 {
	o := openingOf(l.problem, guess)
	total := o.least()
	for _, c := range o.open() {
		if e.s.stop.Load() {
			break
		}
		total += e.value(l, c) - c.least
	}
	return total
}

// value returns the value of the class with guesses of the shortlist.
func (e *estimator) value(l shortlist, c *openingClass) int32 {
	allowed := e.allowed(l, c)
	if n := len(c.words); n >= largeSet {
		q := problem{Lexicon: l.Lexicon, words: c.words, allowed: allowed, rules: l.rules, clues: c.clues, left: n + 1}
		next := e.shortlist(&q)
		return e.cost(next, next.best[0])
	}
	t := c.set(e.s, allowed, e.s.stop)
	if e.s.stop.Load() {
		return impossible
	}
	return e.s.value(t, 0, impossible)
}

// allowed returns the guesses of the shortlist that are allowed on the class, and the
// class's own words.
func (e *estimator) allowed(l shortlist, c *openingClass) []int32 {
	if l.hard && c.clues != l.clues {
		// Few guesses are allowed, and few of those would be on the shortlist.
		return l.allowedFor(c.words, c.clues)
	}
	all := append(slices.Clone(l.tries), l.Numbers(c.words)...)
	slices.Sort(all)
	return slices.Compact(all)
}
