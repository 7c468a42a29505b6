package optimal

import (
	"cmp"
	"slices"
	"sync/atomic"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/search"
)

// problem is a position in the form that the search needs.
type problem struct {
	*lexicon.Lexicon
	words   []wordle.Word // the possible words
	allowed []int32       // the guesses, in ascending order
	hard    marks.Hardness
	clues   lexicon.Clues
	left    int // how many guesses are left; see [Position.GuessesLeft]
}

func (s *Solver) newProblem(p Position) (problem, error) {
	q := problem{Lexicon: s.lexicon(), words: s.Remaining(p.Turns), hard: p.Hard, clues: lexicon.CluesOf(p.Hard, p.Turns)}
	if len(q.words) == 0 {
		return q, ErrNothingFits
	}
	q.left = p.GuessesLeft(len(q.words))
	q.allowed = q.allowedFor(q.words, q.clues)
	if q.left < 1 || len(q.allowed) == 0 {
		return q, ErrNothingAllowed
	}
	return q, nil
}

// allowedFor returns the guesses that are allowed for these words with these clues, in
// ascending order.
func (q *problem) allowedFor(words []wordle.Word, c lexicon.Clues) []int32 {
	own := q.Numbers(words) // they fit the clues
	allowed := q.Allowed(c)
	if _, ok := slices.BinarySearch(allowed, own[0]); !ok { // only withheld words fit
		allowed = append(allowed, own...)
		slices.Sort(allowed)
	}
	return allowed
}

// candidate is a guess for a problem.
type candidate struct {
	guess    int32
	own      bool // it is one of the words
	familiar bool // see [lexicon.Lexicon.Familiar]
	partition.Split
	order int   // candidates are tried in this order, the least first
	least int32 // a lower bound of its total
	total int32 // a total that some play reaches, 0 while none is known
}

// candidates returns all guesses that split the words, those that look best first. When
// stop is set it returns those it has ranked so far, at least one, and false.
func (q *problem) candidates(stop *atomic.Bool) (all []candidate, complete bool) {
	all, complete = q.rank(stop)
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(a.order-b.order, a.comparePreferred(b), int(a.guess-b.guess))
	})
	return all, complete
}

// rank returns the candidates in any order.
func (q *problem) rank(stop *atomic.Bool) (all []candidate, complete bool) {
	r := partition.NewSplitter(q.Lexicon, q.words)
	n := len(q.words)
	all = make([]candidate, 0, len(q.allowed))
	complete = true
	add := func(g int32, own bool) {
		c := candidate{guess: g, own: own, familiar: q.Familiar[g], Split: r.Split(q.PartsOf[g])}
		if c.Classes == 1 && !own {
			return
		}
		c.least = int32(3*n - c.Classes)
		if own {
			c.least--
		}
		c.order = 2*c.Squares + n*int(c.least)
		switch {
		case n > 1 && q.left == 1:
			if !own {
				return // it cannot win, while a possible word can
			}
			c.least = search.Impossible
		case c.Worst > 1 && q.left == 2:
			c.least = search.Impossible
			c.order = 6*n*n - c.Classes // one word of each class can then be found
		case c.Worst <= 2:
			c.total = c.least
		}
		all = append(all, c)
	}
	every := min(256, 1+1<<20/n) // a few milliseconds with many words
	next := 0                    // the index of a word
	for i, g := range q.allowed {
		for next < n && q.words[next].Compare(q.Guesses[g]) < 0 {
			next++
		}
		if i%every == 0 && stop.Load() {
			complete = false
			break
		}
		add(g, next < n && q.words[next] == q.Guesses[g])
	}
	if len(all) == 0 { // there was no time to rank any
		add(q.Numbers(q.words[:1])[0], true)
	}
	return all, complete
}

// comparePreferred orders guesses with equal totals: possible words first, since they may end the game, then familiar
// words.
func (c candidate) comparePreferred(o candidate) int {
	rank := func(c candidate) int {
		switch {
		case c.own:
			return 0
		case c.familiar:
			return 1
		}
		return 2
	}
	return rank(c) - rank(o)
}

// exact reports whether the total is proven to be the least with the guess.
func (c *candidate) exact() bool { return c.total == c.least }

// suggestion returns the candidate as callers see it.
func (q *problem) suggestion(c candidate, proven bool) Suggestion {
	s := suggestionOf(c.Split, q.Guesses[c.guess], len(q.words), c.own)
	s.Total, s.Proven = int(c.total), proven
	return s
}
