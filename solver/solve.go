package solver

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"fivefold/game/wordle"
)

// Effort says how much [Solver.Solve] may spend on a question, besides what its
// context says of time. The zero value asks for the best guess, whatever it takes.
type Effort struct {
	// Workers is how many goroutines search; 0 means one for each processor.
	Workers int
	// Memory is how many bytes may be spent on remembering what was found out, by
	// all workers together; 0 means 128 MiB. What else a search needs is little
	// more than a byte for each pair of a guess and a remaining word.
	Memory int
	// Top is how many of the best guesses are wanted with their totals, up to
	// [MaxSuggestions]; 0 means 1.
	Top int
	// Beam is how many guesses are tried at a set of words, those that look best;
	// 0 means as many as it takes to be sure. With a beam an answer comes sooner,
	// and is never proven unless it is obvious. 10 hardly ever miss the best.
	Beam int
	// OnlyPossible keeps the guesses, this one and all later ones, to words that can
	// still be the hidden one.
	OnlyPossible bool
	// Progress, if not nil, is told from time to time how much is done, in units
	// of no meaning. It is called by one goroutine at a time.
	Progress func(done, of int)

	// Instead of, or besides, the context: how long to search once every guess was
	// looked at; 0 means as long as it takes, and a negative time not at all.
	searchTime time.Duration
}

const (
	defaultMemory = 128 << 20
	// MaxSuggestions is how many guesses a [Solution] lists at most.
	MaxSuggestions = 10
)

func (e Effort) withDefaults() Effort {
	if e.Workers <= 0 {
		e.Workers = runtime.GOMAXPROCS(0)
	}
	if e.Memory <= 0 {
		e.Memory = defaultMemory
	}
	e.Top = min(max(e.Top, 1), MaxSuggestions)
	return e
}

// Solution is the answer to a question.
type Solution struct {
	// Remaining are the words that are still possible, in alphabetical order.
	Remaining []wordle.Word
	// Suggestions are at most [MaxSuggestions] guesses and at least one. The first
	// is the one to make. Those with a total come before those without.
	Suggestions []Suggestion
	// Total is the sum of guesses with which every remaining word can be found when
	// the first suggestion comes next: it is the least of all if Proven is set. It
	// is 0 if no play was found that is sure to find every word within the limit.
	Total int
	// Least is a proven bound: no play needs less in sum. It equals Total if Proven
	// is set, unless there is no play; then it is 0 too.
	Least int
	// Proven reports whether Total is certain to be the least possible or, when it is
	// 0, that no play is sure to find every word within the limit.
	Proven bool
}

// Solve looks for the guess with which the remaining words, all equally likely,
// need the fewest guesses on average, and none more than the limit allows.
//
// When ctx ends it returns the best it has found so far; that is no error. The
// answer is the same for the same question, as long as it is proven or was found
// without interruption. Where a tree has the answer, there is no search, except for
// what Top asks beyond it. The error is [ErrNothingFits] or [ErrNothingAllowed].
func (s *Solver) Solve(ctx context.Context, p Position, e Effort) (Solution, error) {
	q, err := s.question(p, e.OnlyPossible)
	if err != nil {
		return Solution{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newContest(ctx, q, e.withDefaults())
	if !e.OnlyPossible {
		if err := c.consult(s, p); err != nil {
			return Solution{}, err
		}
	}
	if e.searchTime != 0 {
		ctx, cancel := context.WithTimeout(ctx, e.searchTime)
		defer cancel()
		c.within(ctx)
	}
	switch {
	case c.settled() || len(q.words) > maxColumns: // it would be of no use to search so many
	case len(q.words)*len(c.candidates) <= narrowCells:
		c.narrow()
	default:
		c.wide()
	}
	return c.solution(), nil
}

// narrowCells is up to how many pairs of a guess and a remaining word a question
// is searched as a whole, and no class after class.
const narrowCells = 8 << 20

// question is a position as the search sees it.
type question struct {
	*lexicon
	words   []wordle.Word // that remain
	allowed []int32       // what may be guessed, in ascending order
	rules
	clues clues // in hard mode
	left  int   // how many guesses are left; never more than words, since they suffice
}

// rules are what all guesses must keep to.
type rules struct {
	hard         bool // hard mode
	onlyPossible bool // they must be among the words that remain
}

func (s *Solver) question(p Position, onlyPossible bool) (question, error) {
	q := question{lexicon: s.lexicon(), words: s.Remaining(p.Turns), rules: rules{p.Hard, onlyPossible}}
	if len(q.words) == 0 {
		return q, ErrNothingFits
	}
	q.left = len(q.words)
	if p.Limit > 0 {
		q.left = min(q.left, p.Limit-len(p.Turns))
	}
	if q.hard {
		q.clues = cluesOf(p.Turns)
	}
	q.allowed = q.allowedFor(q.words, q.clues)
	if q.left < 1 || len(q.allowed) == 0 {
		return q, ErrNothingAllowed
	}
	return q, nil
}

// allowedFor returns what may be guessed for these words with these clues, in
// ascending order.
func (q *question) allowedFor(words []wordle.Word, c clues) []int32 {
	if q.onlyPossible {
		return q.numbers(words) // which keep to the clues, since they fit them
	}
	allowed := make([]int32, 0, len(q.guesses))
	for g := range q.guesses {
		if c.allow(q.lexicon, int32(g)) {
			allowed = append(allowed, int32(g))
		}
	}
	return allowed
}

// candidate is a guess for a question.
type candidate struct {
	guess int32
	own   bool // it is one of the words
	split
	order int   // candidates are tried in the order of this number, the least first
	least int32 // a bound: its total is not smaller
	total int32 // it can be reached; 0 is not known. It is exact when it is equal to least.
}

// candidates returns all guesses that tell something, those that look best first.
// When stop is set it returns those that it has looked at, at least one, and false.
func (q *question) candidates(stop *atomic.Bool) (all []candidate, complete bool) {
	r := newRater(q.lexicon, q.words)
	n := len(q.words)
	all = make([]candidate, 0, len(q.allowed))
	complete = true
	add := func(g int32, own bool) {
		c := candidate{guess: g, own: own, split: r.rate(q.of[g])}
		if c.groups == 1 && !own {
			return
		}
		c.least = int32(3*n - c.groups)
		if own {
			c.least--
		}
		c.order = 2*c.squares + n*int(c.least)
		switch {
		case n > 1 && q.left == 1:
			if !own {
				return // there is a chance to be right, and this misses it
			}
			c.least = impossible
		case c.worst > 1 && q.left == 2:
			c.least = impossible
			c.order = 6*n*n - c.groups // of so many words one can then be found in each class
		case c.worst <= 2:
			c.total = c.least
		}
		all = append(all, c)
	}
	next := 0 // of the words
	for i, g := range q.allowed {
		for next < n && q.words[next].Compare(q.guesses[g]) < 0 {
			next++
		}
		if i%256 == 0 && stop.Load() {
			complete = false
			break
		}
		add(g, next < n && q.words[next] == q.guesses[g])
	}
	if len(all) == 0 { // there was no time even for a look
		add(q.numbers(q.words[:1])[0], true)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		switch {
		case a.order != b.order:
			return a.order - b.order
		case a.own != b.own && a.own:
			return -1
		case a.own != b.own:
			return 1
		}
		return int(a.guess - b.guess)
	})
	return all, complete
}

// suggestion returns the candidate as callers see it.
func (q *question) suggestion(c candidate, proven bool) Suggestion {
	n := len(q.words)
	s := Suggestion{
		Word: q.guesses[c.guess], Possible: c.own, Remaining: n,
		Expected: float64(c.squares) / float64(n), Entropy: c.entropy(n),
		Groups: c.groups, Worst: c.worst, Total: int(c.total), Proven: proven,
	}
	return s
}
