package boards

import (
	"context"
	"fmt"

	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

// Position is a deal with the guesses so far and the limit.
type Position struct {
	Deal  pokle.Deal
	Steps []Step
	Limit int // guesses in all; 0 means [pokle.Attempts]
}

// ContradictionError means that no board fits the feedback of a step together with the
// steps before it.
type ContradictionError struct {
	Step int // from 1
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("step %d: no board gets this feedback after the steps before", e.Step)
}

// Left lists the boards that would have given every step's feedback; the other fields
// of the list are those of the deal. The error is one of [Solver.List], or a
// *[ContradictionError].
func (s *Solver) Left(ctx context.Context, p Position) (List, error) {
	l, err := s.List(ctx, p.Deal)
	if err != nil {
		return List{}, err
	}
	return l.after(p)
}

// CountLeft returns how many boards [Solver.Left] lists after each number of the steps, from
// none to all; 0 where no board would have given their feedback. The error is one of
// [Solver.List].
func (s *Solver) CountLeft(ctx context.Context, p Position) ([]int, error) {
	permit, err := s.begin(ctx, parallel.Brief)
	if err != nil {
		return nil, err
	}
	defer permit.Release()
	l, err := s.list(ctx, p.Deal)
	if err != nil {
		return nil, err
	}
	counts := []int{len(l.Boards)}
	for _, step := range p.Steps {
		l.Boards = After(p.Deal, l.Boards, []Step{step})
		counts = append(counts, len(l.Boards))
	}
	return counts, nil
}

// after returns what the steps leave of the list of their deal.
func (l List) after(p Position) (List, error) {
	for i, step := range p.Steps {
		if l.Boards = After(p.Deal, l.Boards, []Step{step}); len(l.Boards) == 0 {
			return List{}, &ContradictionError{Step: i + 1}
		}
	}
	return l, nil
}

// limit returns how many guesses there are in all.
func (p Position) limit() int {
	if p.Limit == 0 {
		return pokle.Attempts
	}
	return p.Limit
}

// left returns how many guesses are left, at least one: for a game that is over, it is
// as if one more could be made.
func (p Position) left() int { return max(p.limit()-len(p.Steps), 1) }
