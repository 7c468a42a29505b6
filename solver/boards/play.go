package boards

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game/pokle"
)

// ErrOtherHidden means that the hidden board does not fit the deal.
var ErrOtherHidden = errors.New("the hidden board does not fit the deal")

// mover chooses a guess, given the possible boards and the number of guesses left. Once ctx ends,
// any guess will do.
type mover func(ctx context.Context, boards []pokle.Board, left int) pokle.Board

// play plays against a hidden board until it is found or the guesses are used up. boards is the
// list of the deal. The error is [ErrOtherHidden] or ctx's.
func play(ctx context.Context, d pokle.Deal, boards []pokle.Board, hidden pokle.Board, move mover) ([]Step, error) {
	if _, found := slices.BinarySearchFunc(boards, hidden, pokle.Board.Compare); !found {
		return nil, ErrOtherHidden
	}
	p := Position{Deal: d}
	for {
		guess := move(ctx, boards, p.guessesLeft())
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
		step := Step{Guess: guess, Feedback: d.Score(guess, hidden)}
		p.Steps = append(p.Steps, step)
		if step.Feedback == pokle.AllGreen || len(p.Steps) == pokle.Attempts {
			return p.Steps, nil
		}
		boards = After(d, boards, []Step{step})
	}
}
