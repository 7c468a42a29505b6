package solver

import (
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
)

// How an estimate is made. The numbers are a compromise: the review of 1000 random
// games takes 300 ms or less for 99 % of them, and README.md has how far
// estimates are off.
const (
	lookAt      = 256       // so many words at most are looked at to see which guesses are good
	tryCells    = 1_000_000 // so many pairs of a good guess and a word are looked at further,
	fewestTries = 700       // but at least so many guesses
	tryFirst    = 4         // so many guesses are tried on all words, to find the best
	tryBeam     = 2         // so many on each class
	largeSet    = 1000      // from so many words on, a class is looked at for itself
)

// estimator finds totals that are hard to beat in some hundredths of a second, also
// for a thousand words, by trying only guesses that look good. It is for one
// goroutine and one game.
type estimator struct{ s *search }

// looked is a question with the guesses that look good.
type shortlist struct {
	*problem
	best  []wordle.Word // those that look best, best first
	tries []int32       // those that look good, in ascending order
}

func newEstimator(x *lexicon.Lexicon, hard bool, stop *atomic.Bool) *estimator {
	s := newSearch(x, rules{hard: hard}, suggestMemory, tryBeam)
	s.stop = stop
	return &estimator{s}
}

// look finds out which guesses look good for the question.
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

// cost returns what the guess costs with the guesses that look good after it.
func (e *estimator) cost(l shortlist, guess wordle.Word) int32 {
	o := openingOf(l.problem, guess)
	total := o.least()
	for _, c := range o.open() {
		total += e.value(l, c) - c.least
	}
	return total
}

// value returns the value of the class with the guesses that look good.
func (e *estimator) value(l shortlist, c *openingClass) int32 {
	allowed := e.allowed(l, c)
	if n := len(c.words); n >= largeSet {
		q := problem{Lexicon: l.Lexicon, words: c.words, allowed: allowed, rules: l.rules, clues: c.clues, left: n + 1}
		next := e.shortlist(&q)
		return e.cost(next, next.best[0])
	}
	return e.s.value(c.set(e.s, allowed), 0, impossible)
}

// allowed returns the good guesses that may be made on the class, its words among
// them.
func (e *estimator) allowed(l shortlist, c *openingClass) []int32 {
	if l.hard && c.clues != l.clues {
		// Few are allowed, and few of them would be among those that looked good.
		return l.allowedFor(c.words, c.clues)
	}
	all := append(slices.Clone(l.tries), l.Numbers(c.words)...)
	slices.Sort(all)
	return slices.Compact(all)
}
