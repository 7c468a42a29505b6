package solver

import (
	"context"
	"runtime"
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
	q, err := s.problem(p, e.OnlyPossible)
	if err != nil {
		return Solution{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newRootSearch(ctx, q, e.withDefaults())
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
	case len(q.words)*len(c.candidates) <= onTableCells:
		c.onTable()
	default:
		c.classByClass()
	}
	return c.solution(), nil
}

// narrowCells is up to how many pairs of a guess and a remaining word a question
// is searched as a whole, and no class after class.
const onTableCells = 8 << 20
