package boards

import (
	"cmp"
	"context"
	"time"

	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// suggestTime is the default of [Solver.SuggestTime].
const suggestTime = time.Second

// Suggest returns the board to guess next, as a review does: see [choose]. With up to [ByBitsAbove]
// boards it is one that needs few guesses on average; a board that is not found within the limit
// counts as one guess more than there are. With more it is one whose feedback has much information.
// When the time is up, or ctx ends after the boards are listed, it is the best found so far; that is
// not an error. If others wait for a permit too, there is less time.
//
// The error is one of [Solver.Left].
//
// Suggest goes by the feedback of a game, which accepts boards that are alike in place of
// each other, about six of a kind. So of two boards that are left either may be sure to win,
// and [Best] may return another board.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	permit, err := s.begin(ctx, parallel.Search)
	if err != nil {
		return Suggestion{}, err
	}
	defer permit.Release()
	left, err := s.list(ctx, p.Deal)
	if err == nil {
		left, err = p.left(left)
	}
	if err != nil {
		return Suggestion{}, err
	}
	timed, cancel := context.WithTimeout(ctx, permit.Limit(cmp.Or(s.SuggestTime, suggestTime)))
	defer cancel()
	best := choose(timed, p.Deal, left, p.guessesLeft())
	return Suggestion{
		Board: best.board, Possible: best.possible, Remaining: len(left),
		Entropy: entropy.Of(len(left), best.logs), Guesses: float64(best.total) / float64(len(left)), Proven: best.proven,
	}, nil
}
