package poker

import (
	"context"

	"fivefold/game/pokle"
)

// Position is a deal with the guesses so far.
type Position struct {
	Deal  pokle.Deal
	Steps []Step
}

// Remaining lists the boards that give the feedback of every step. The list may be shared and must
// not be changed. The error is one of [Solver.List]; [ErrNothingFits] may also be due to the steps.
func (s *Solver) Remaining(ctx context.Context, p Position) ([]pokle.Board, error) {
	all, err := s.List(ctx, p.Deal)
	if err != nil {
		return nil, err
	}
	return p.remaining(all)
}

// CountRemaining counts the boards that remain before the first step and after each. The error is
// one of [Solver.List].
func (s *Solver) CountRemaining(ctx context.Context, p Position) ([]int, error) {
	boards, err := s.List(ctx, p.Deal)
	if err != nil {
		return nil, err
	}
	counts := []int{len(boards)}
	for _, step := range p.Steps {
		boards = After(p.Deal, boards, []Step{step})
		counts = append(counts, len(boards))
	}
	return counts, nil
}

// remaining returns the boards of the deal's list that remain, or [ErrNothingFits].
func (p Position) remaining(list []pokle.Board) ([]pokle.Board, error) {
	if len(p.Steps) > 0 {
		list = After(p.Deal, list, p.Steps)
	}
	if len(list) == 0 {
		return nil, ErrNothingFits
	}
	return list, nil
}

// guessesLeft returns the number of guesses left. It is at least one, even after the end of a game.
func (p Position) guessesLeft() int { return max(pokle.Attempts-len(p.Steps), 1) }
