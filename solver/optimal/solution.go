package optimal

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/search"
)

// Effort limits what [Solver.Solve] may spend, apart from the time that its context
// limits. The zero value asks for the best guess, whatever it takes.
type Effort struct {
	// Workers is how many goroutines search; 0 means one for each processor.
	Workers int
	// Memory is how many bytes the transposition tables of all workers may use together; 0
	// means 128 MiB. Apart from that a search needs little more than a byte for each pair
	// of a guess and a remaining word.
	Memory int
	// Top is how many of the best guesses get a total, up to [MaxSuggestions]; 0 means 1.
	Top int
	// Progress, if not nil, is called from time to time with how much is done, in
	// arbitrary units. Calls do not overlap.
	Progress func(done, of int)

	// How long to search once all guesses are ranked: 0 means as long as it takes, and a
	// negative time not at all.
	searchTime time.Duration
}

const (
	defaultMemory = 128 << 20
	// MaxSuggestions is the most guesses that a [Solution] lists.
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

// Solution is the result of [Solver.Solve].
type Solution struct {
	// Remaining are the words that are still possible, in alphabetical order.
	Remaining []wordle.Word
	// Suggestions has from 1 to [MaxSuggestions] guesses, the best first. Those with a total
	// come before those without.
	Suggestions []Suggestion
}

// Solve looks for the guess with which the remaining words, all equally likely, need the
// fewest guesses on average, and none more than the limit allows.
//
// When ctx ends, it returns the best found so far; that is not an error. The result for a
// position is always the same if it is proven or ctx did not end. If a tree has the answer,
// there is no search, except for the totals of other guesses that Top asks for. The error is
// [ErrNothingFits] or [ErrNothingAllowed].
func (s *Solver) Solve(ctx context.Context, p Position, e Effort) (Solution, error) {
	q, err := s.newProblem(p)
	if err != nil {
		return Solution{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newRootSearch(ctx, q, e.withDefaults())
	c.consult(s, p)
	if e.searchTime != 0 {
		timed, cancel := context.WithTimeout(ctx, e.searchTime)
		defer cancel()
		c.within(timed)
	}
	c.search()
	if q.hard != marks.Off && len(c.best) == 0 && c.least() < search.Impossible && len(q.words)*len(c.candidates) <= onTableCells {
		c.keepSure(ctx)
	}
	solution := c.solution()
	if best := solution.Suggestions[0]; best.Proven && best.Total == 0 && q.left > 2 {
		c.missFewest(&solution)
	}
	return solution, nil
}

// maxCells is the most pairs of a guess and a word for which a problem is searched at all. A
// search makes a table with a byte for each pair of a guess and a word of a class, and the
// largest class has up to about a tenth of the words.
const maxCells = 1 << 30

// tooLarge returns an error that says why the problem is too large to be searched, or nil.
func (q *problem) tooLarge() error {
	words, guesses := len(q.words), len(q.allowed)
	switch {
	case words > search.MaxWords:
		return fmt.Errorf("up to %d hidden words can be searched, not %d", search.MaxWords, words)
	case words > maxCells/guesses:
		return fmt.Errorf("with %d words to guess, up to %d hidden words can be searched, not %d", guesses, maxCells/guesses, words)
	}
	return nil
}

// onTableCells is the most pairs of a guess and a word for which a problem is searched on
// one table. Larger ones are searched class by class.
const onTableCells = 8 << 20
