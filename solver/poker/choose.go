package poker

import (
	"context"
	"math/rand/v2"
	"slices"

	"fivefold/game/pokle"
)

// ByBitsAbove is the most boards for which the solver looks ahead. With more, it compares guesses by
// their information.
const ByBitsAbove = 200

// The work of [choose] is counted, so that games and reviews are the same on every machine.
const (
	rankWork   = 128 << 20 // comparisons of two boards to rank possible boards, and as many to rank mixes
	aheadWork  = 16 << 20  // comparisons for looking ahead after possible boards
	mixWork    = 64 << 20  // comparisons for looking ahead after mixes, and after a guess that is judged
	maxMixes   = 1000      // mixes drawn
	climbs     = 4         // times that climb adds guesses
	climbFrom  = 4         // best guesses that climb changes each time
	triedMixes = 30        // mixes after which choose looks ahead
)

// choice is a guess with its figures.
type choice struct {
	board    pokle.Board
	possible bool
	logs     int64 // as in a [rankedGuess]
	total    int   // the sum of guesses over all boards; 0 if choose did not look ahead
	proven   bool  // no possible board has a smaller total or, if total is 0, more information
}

// choose returns the solver's guess for the possible boards and the number of guesses left. Boards mixed from the
// cards of several possible ones often tell more, so choose tries such mixes too.
//
// With up to [ByBitsAbove] boards, choose looks ahead to games in which only possible boards follow. With more, it
// takes the guess with the most information. Once ctx ends, it returns the best so far.
func choose(ctx context.Context, d pokle.Deal, boards []pokle.Board, left int) choice {
	n := len(boards)
	r := newRanking(boards)
	r.accepting = true
	if n > ByBitsAbove {
		sampled := min(n, rankWork/n)
		all := r.climb(ctx, d, r.rank(ctx, 1, slices.Concat(r.sample(sampled), r.mixes(min(maxMixes, rankWork/n)))))
		best := all[0]
		return choice{board: best.board, possible: best.possible, logs: best.logs, proven: sampled == n && ctx.Err() == nil}
	}
	s := newSearch(ctx, boards, aheadWork)
	move := s.best(left)
	best := choice{board: boards[move.guess], possible: true, total: move.total, proven: move.proven}
	row := s.row(move.guess)
	if best.total > 2*n { // a mix costs at least that
		all := r.climb(ctx, d, r.rank(ctx, 1, r.mixes(maxMixes)))
		s.allow(ctx, mixWork)
		for _, mix := range all[:min(len(all), triedMixes)] {
			mixed := feedbacks(d, mix.board, boards)
			if total := s.cost(s.all(), mixed, left, best.total); !s.stopped && total < best.total {
				best.board, best.possible, best.total = mix.board, false, total
				row = mixed
			}
		}
	}
	best.logs = classesOf(row).logs()
	return best
}

// climb returns the guesses and some more, the best first. Several times, it adds guesses that differ in one card
// from the best so far.
func (r *ranking) climb(ctx context.Context, d pokle.Deal, all []rankedGuess) []rankedGuess {
	slices.SortFunc(all, rankedGuess.compare)
	for range climbs {
		var changed []pokle.Board
		for _, g := range all[:min(climbFrom, len(all))] {
			for i := range g.board {
				for c := range pokle.Card(pokle.Deck) {
					b := g.board
					if b[i] = c; d.Allows(b) == nil {
						changed = append(changed, b.Canonical())
					}
				}
			}
		}
		all = append(all, r.rank(ctx, 1, r.impossible(changed))...)
		slices.SortFunc(all, rankedGuess.compare)
		all = slices.Compact(all)
	}
	return all
}

// mixes draws up to most impossible boards, the same each time. Each card is on the same street in some possible
// board.
func (r *ranking) mixes(most int) [][]pokle.Board {
	source := rand.NewPCG(uint64(len(r.boards)), 34)
	var all []pokle.Board
	for range most {
		var b pokle.Board
		for i := range b {
			at := i
			if i < pokle.Flop.Cards() {
				at = draw(source, pokle.Flop.Cards())
			}
			b[i] = r.boards[draw(source, len(r.boards))][at]
		}
		if pokle.SetOf(b[:]...).Len() == len(b) {
			all = append(all, b.Canonical())
		}
	}
	return r.impossible(all)
}

// impossible returns those of the boards that are not possible, without duplicates, in groups of one. It sorts its
// argument.
func (r *ranking) impossible(all []pokle.Board) (groups [][]pokle.Board) {
	slices.SortFunc(all, pokle.Board.Compare)
	for _, b := range slices.Compact(all) {
		if !r.possible(b) {
			groups = append(groups, []pokle.Board{b})
		}
	}
	return groups
}
