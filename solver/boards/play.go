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

// mover returns a guess when these boards are possible and that many guesses left. If ctx ends, it is
// any of them.
type mover func(ctx context.Context, boards []pokle.Board, left int) pokle.Board

// play plays the moves against a hidden board of the deal's list until it is found or the guesses are
// used up. The error is [ErrOtherHidden] or ctx's.
func play(ctx context.Context, d pokle.Deal, left []pokle.Board, hidden pokle.Board, move mover) ([]Step, error) {
	if _, found := slices.BinarySearchFunc(left, hidden, pokle.Board.Compare); !found {
		return nil, ErrOtherHidden
	}
	p := Position{Deal: d}
	for {
		guess := move(ctx, left, p.guessesLeft())
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
		step := Step{Guess: guess, Feedback: d.Score(guess, hidden)}
		p.Steps = append(p.Steps, step)
		if step.Feedback == pokle.AllGreen || len(p.Steps) == pokle.Attempts {
			return p.Steps, nil
		}
		left = After(d, left, []Step{step})
	}
}
