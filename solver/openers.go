package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"fivefold/game/wordle"
	"fivefold/solver/parallel"
)

// The effort for the totals of openers. With a beam of 5 they exceed the exact totals by
// 0.03 % on average and take a third of a second, while exact ones take from half a
// second to minutes; README.md has the measurements.
const (
	openerBeam   = 5
	openerMemory = 32 << 20
	exactOpeners = 64 // how many of the best get exact totals
)

// opener is a first guess with its total.
type opener struct {
	total int32 // that some play reaches
	exact bool  // it is the least
}

// openerTable has the totals of all openers of one mode.
type openerTable struct {
	all  []opener // by guess
	best int      // the guess with the least total
}

func (t *openerTable) least() opener { return t.all[t.best] }

// The checked file of a table has 1 for hard mode or 0, the least total, the number of openers,
// and for each, in the order of the list, twice the difference of its total from the least, plus
// 1 if it is exact.
const openersMagic = "fivefold openers 1\n"

// errNoOpeners means that a file is not a table of openers.
var errNoOpeners = errors.New("not a table of openers of this program, or damaged")

// WriteOpeners computes the total of every opener for the solver's lists, in hard mode or not, for
// games without a limit: exact for the best ones, with a beam for the others. It writes the table:
// [Solver.Review] looks openers up in such tables, which are built in. That takes about twenty
// minutes for 11 000 words on two cores, and the table is the same every time, since every opener
// is searched by a single goroutine with a memory of its own. Progress, if not nil, is called with
// how many openers are done. The error is the context's or the writer's, or says that there are
// too many words.
func (s *Solver) WriteOpeners(ctx context.Context, w io.Writer, hard bool, progress func(done, of int)) error {
	q, err := s.newProblem(Position{Hard: hard})
	if err != nil {
		return err
	}
	if err := q.tooLarge(); err != nil {
		return err
	}
	q.left = len(q.words) + 1 // enough even after a useless guess
	all := make([]opener, len(q.Guesses))
	numbers := make([]int, len(all))
	for g := range numbers {
		numbers[g] = g
	}
	for _, beam := range []int{openerBeam, 0} {
		var mu sync.Mutex // protects done, and is held for progress
		done := 0
		parallel.Each(ctx, 0, len(numbers), func(_, i int) {
			g := numbers[i]
			all[g] = opener{q.openerTotal(ctx, q.Guesses[g], beam), beam == 0}
			mu.Lock()
			defer mu.Unlock()
			if done++; progress != nil {
				progress(done, len(numbers))
			}
		})
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("computing the totals of openers: %w", err)
		}
		slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(all[a].total, all[b].total) })
		numbers = numbers[:min(exactOpeners, len(numbers))]
	}
	_, err = w.Write(s.openersFile(all, hard))
	return err
}

// openerTotal returns the total of an opener; with a beam, that of the best play found.
// When ctx ends, the result means nothing.
func (q *problem) openerTotal(ctx context.Context, guess wordle.Word, beam int) int32 {
	team := newTeam(q, Effort{Workers: 1, Memory: openerMemory}, beam)
	return team.cost(ctx, openingOf(q, guess), impossible)
}

func newOpenerTable(all []opener) *openerTable {
	t := &openerTable{all: all}
	for g, o := range all {
		if o.total < t.least().total {
			t.best = g
		}
	}
	return t
}

// openersFile returns the file of a table.
func (s *Solver) openersFile(all []opener, hard bool) []byte {
	least := newOpenerTable(all).least().total
	numbers := []uint64{number(hard), uint64(least), uint64(len(all))}
	for _, o := range all {
		numbers = append(numbers, 2*uint64(o.total-least)+number(o.exact))
	}
	return s.file(openersMagic, numbers)
}

// readOpeners reads the table of the mode for the solver's lists. The error is errNoOpeners or
// [ErrOtherLists].
func (s *Solver) readOpeners(b []byte, hard bool) (*openerTable, error) {
	numbers, err := s.checked(b, openersMagic, errNoOpeners)
	if err != nil {
		return nil, err
	}
	ofHard, least, n := numbers.next(2) == 1, numbers.next(impossible), len(s.lists.Guesses())
	if numbers.next(n+1) != n || ofHard != hard {
		return nil, errNoOpeners
	}
	all := make([]opener, n)
	for g := range all {
		n := numbers.next(impossible)
		all[g] = opener{int32(least + n/2), n%2 == 1}
	}
	if err := numbers.end(); err != nil {
		return nil, err
	}
	return newOpenerTable(all), nil
}
