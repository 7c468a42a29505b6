package poker

import (
	"cmp"
	"context"
	"time"

	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// suggestTime is the default of [Solver.SuggestTime].
const suggestTime = time.Second

// Suggest returns the board to guess next; see [choose]. With up to [ByBitsAbove] possible boards, the suggestion
// needs few guesses on average; a board that is not found within the limit counts as one guess more. With more
// boards, its feedback has much information. When SuggestTime is up, or ctx ends after the boards are listed, Suggest
// returns the best found so far, without an error. SuggestTime is cut while others wait for a permit.
//
// The error is one of [Solver.Remaining].
//
// Suggest goes by the feedback of a game, which accepts boards that are alike in place of each other, about six of a
// kind. So [Best] may return another board.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	permit, err := s.begin(ctx, parallel.Search)
	if err != nil {
		return Suggestion{}, err
	}
	defer permit.Release()
	boards, err := s.list(ctx, p.Deal)
	if err == nil {
		boards, err = p.remaining(boards)
	}
	if err != nil {
		return Suggestion{}, err
	}
	timed, cancel := context.WithTimeout(ctx, permit.Limit(cmp.Or(s.SuggestTime, suggestTime)))
	defer cancel()
	best := choose(timed, p.Deal, boards, p.guessesLeft())
	return Suggestion{
		Board: best.board, Possible: best.possible, Remaining: len(boards),
		Entropy: entropy.Of(len(boards), best.logs), Guesses: float64(best.total) / float64(len(boards)), Proven: best.proven,
	}, nil
}
