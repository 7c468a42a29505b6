package optimal

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/search"
)

// The effort of an estimate. The numbers are a compromise: 99 % of 1000 random games
// are reviewed within 300 ms, and solver/README.md says how far estimates are off.
const (
	lookAt      = 256       // words, at most, that guesses are ranked by
	tryCells    = 1_000_000 // pairs of a guess and a word, at most, that a shortlist has
	fewestTries = 700       // guesses, at least, that a shortlist has in spite of tryCells
	tryFirst    = 4         // guesses tried on all words to find the best
	narrowBeam  = 2         // guesses tried on each class
	wideBeam    = 10        // guesses tried where the narrow beam finds no play within the limit
	largeSet    = 1000      // words from which on a class gets a shortlist of its own
)

// An estimate tries only guesses that look good. So it finds a total that is hard to beat in some hundredths of a
// second, even for a thousand words.

// shortlist is a problem with the guesses that look good.
type shortlist struct {
	*problem
	best  []wordle.Word // those that look best, best first
	tries []int32       // all that look good, in ascending order
}

// shortlist finds the guesses that look good for the problem.
func (q *problem) shortlist(s *search.Search) shortlist {
	words := q.words
	if len(words) > lookAt {
		words = make([]wordle.Word, lookAt)
		for i := range words {
			words[i] = q.words[i*len(q.words)/lookAt]
		}
	}
	part := *q
	part.words = words
	candidates, _ := part.candidates(s.Stop)
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

// estimate returns the total of the guess if guesses of the shortlist follow. When the search is stopped, the result
// means nothing.
func (l shortlist) estimate(s *search.Search, guess wordle.Word) int32 {
	o := openingOf(l.problem, guess)
	total := o.least()
	for _, c := range o.open() {
		if s.Stop.Load() {
			break
		}
		total += l.estimateClass(s, c) - c.least
	}
	return total
}

// estimateClass returns the value of the class with guesses of the shortlist.
func (l shortlist) estimateClass(s *search.Search, c *openingClass) int32 {
	allowed := slices.Concat(l.tries, l.Numbers(c.words))
	if c.clues != l.clues {
		// Few guesses are allowed, and few of those would be on the shortlist.
		allowed = l.allowedFor(c.words, c.clues)
	}
	slices.Sort(allowed)
	allowed = slices.Compact(allowed)
	if n := len(c.words); n >= largeSet {
		q := problem{Lexicon: l.Lexicon, words: c.words, allowed: allowed, hard: l.hard, clues: c.clues, left: n + 1}
		next := q.shortlist(s)
		return next.estimate(s, next.best[0])
	}
	t := c.set(s, allowed)
	if s.Stop.Load() {
		return search.Impossible
	}
	return s.Value(t, search.Impossible)
}
