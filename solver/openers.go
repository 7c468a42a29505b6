package solver

import (
	"cmp"
	"context"
	"fmt"
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

// computeOpeners returns the total of every opener, in the order of the list, for games
// without a limit: exact for the best ones, with a beam for the others.
//
// Every opener is searched by a single goroutine with a memory of its own, so the totals
// are the same each time.
func (s *Solver) computeOpeners(ctx context.Context, hard bool, workers int, progress func(done, of int)) ([]opener, error) {
	q, err := s.newProblem(Position{Hard: hard}, false)
	if err != nil {
		return nil, err
	}
	if err := q.tooLarge(); err != nil {
		return nil, err
	}
	q.left = len(q.words) + 1 // enough even after a useless guess
	all := make([]opener, len(q.Guesses))
	numbers := make([]int, len(all))
	for g := range numbers {
		numbers[g] = g
	}
	if err := q.compute(ctx, all, numbers, openerBeam, workers, progress); err != nil {
		return nil, err
	}
	return all, q.exactOpeners(ctx, all, workers, progress)
}

// exactOpeners makes the least totals exact.
func (q *problem) exactOpeners(ctx context.Context, all []opener, workers int, progress func(done, of int)) error {
	numbers := make([]int, len(all))
	for g := range numbers {
		numbers[g] = g
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(all[a].total, all[b].total) })
	return q.compute(ctx, all, numbers[:min(exactOpeners, len(numbers))], 0, workers, progress)
}

// compute finds the totals of the openers with these numbers.
func (q *problem) compute(ctx context.Context, all []opener, numbers []int, beam, workers int, progress func(done, of int)) error {
	var mu sync.Mutex // protects done, and is held for progress
	done := 0
	parallel.Each(ctx, workers, len(numbers), func(_, i int) {
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
	return nil
}

// openerTotal returns the total of an opener; with a beam, that of the best play found.
// When ctx ends, the result means nothing.
func (q *problem) openerTotal(ctx context.Context, guess wordle.Word, beam int) int32 {
	team := newTeam(q.Lexicon, q.rules, Effort{Workers: 1, Memory: openerMemory}, beam)
	return team.cost(ctx, openingOf(q, guess), impossible)
}
