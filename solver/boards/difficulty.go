package boards

import (
	"context"

	"fivefold/game/pokle"
)

// Difficulty is how hard a puzzle is, by the number of guesses that our solver needs
// for its hidden board.
type Difficulty uint8

// The difficulties.
const (
	Easy   Difficulty = iota // up to three guesses
	Medium                   // four
	Hard                     // five or more, or not found in time
)

// String returns "easy", "medium" or "hard".
func (d Difficulty) String() string { return [...]string{"easy", "medium", "hard"}[d] }

// rate is [Solver.Rate] for the list of the deal.
func rate(ctx context.Context, p Puzzle, l List) (Difficulty, int, error) {
	steps, err := play(ctx, p.Deal, l, p.Hidden, pokle.Attempts)
	if err != nil {
		return 0, 0, err
	}
	guesses := len(steps)
	if steps[guesses-1].Feedback != pokle.AllGreen {
		guesses++
	}
	switch {
	case guesses <= 3:
		return Easy, guesses, nil
	case guesses == 4:
		return Medium, guesses, nil
	}
	return Hard, guesses, nil
}
