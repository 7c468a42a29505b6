package boards

import (
	"context"

	"fivefold/game/pokle"
)

// Position is a deal with the guesses so far.
type Position struct {
	Deal  pokle.Deal
	Steps []Step
}

// Left lists the boards that would have given every step's feedback. The list may be shared, and
// must not be changed. The error is one of [Solver.List], [ErrNothingFits] also because of the steps.
func (s *Solver) Left(ctx context.Context, p Position) ([]pokle.Board, error) {
	all, err := s.List(ctx, p.Deal)
	if err != nil {
		return nil, err
	}
	return p.left(all)
}

// CountLeft returns how many boards [Solver.Left] lists after each number of the steps, from
// none to all; 0 where no board would have given their feedback. The error is one of
// [Solver.List].
func (s *Solver) CountLeft(ctx context.Context, p Position) ([]int, error) {
	left, err := s.List(ctx, p.Deal)
	if err != nil {
		return nil, err
	}
	counts := []int{len(left)}
	for _, step := range p.Steps {
		left = After(p.Deal, left, []Step{step})
		counts = append(counts, len(left))
	}
	return counts, nil
}

// left returns what the steps leave of the list of their deal, or [ErrNothingFits].
func (p Position) left(list []pokle.Board) ([]pokle.Board, error) {
	if len(p.Steps) > 0 {
		list = After(p.Deal, list, p.Steps)
	}
	if len(list) == 0 {
		return nil, ErrNothingFits
	}
	return list, nil
}

// guessesLeft returns how many guesses are left, at least one: for a game that is over, it is
// as if one more could be made.
func (p Position) guessesLeft() int { return max(pokle.Attempts-len(p.Steps), 1) }
