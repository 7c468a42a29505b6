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

// The work that play does for a guess, counted and not timed. Which puzzles there are
// depends on these numbers and on the order in which guesses are tried.
const (
	playFew   = 200      // boards up to which it looks ahead
	playAhead = 16 << 20 // comparisons of two boards if it does
	playWork  = 2 << 20  // comparisons if it does not
)

// play plays the solver against a hidden board of the deal's list until it wins or the
// guesses are used up. The same game has the same guesses on every machine: its work is counted,
// there is no clock, and all numbers are whole. With up to 200 boards left it looks ahead like
// [Solver.Suggest]; otherwise it takes a board that makes it most likely to win with the guess
// after it, which wins sooner than the one whose feedback has the most information.
//
// The error is [ErrOtherHidden] or ctx's.
func play(ctx context.Context, d pokle.Deal, left []pokle.Board, hidden pokle.Board) ([]Step, error) {
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

// move returns the solver's guess when these boards are left. If ctx ends, it is any of them.
func move(ctx context.Context, left []pokle.Board, guesses int) pokle.Board {
	if len(left) <= playFew {
		return left[newSearch(ctx, left, playAhead).best(guesses).guess]
	}
	return likeliest(ctx, left, playWork)
}

// likeliest returns the board after which the next guess is most likely to win, and of
// equal ones the first. It ranks as many boards, spread evenly over all, as the work, in
// comparisons, allows; at least one.
//
// In each class, the next guess wins for one kind of boards that are alike; the largest
// kind counts.
func likeliest(ctx context.Context, boards []pokle.Board, work int) pokle.Board {
	n := len(boards)
	kinds := kindsOf(boards)
	guesses := min(n, max(work/n, 1))
	var best pokle.Board
	most := -1
	for i := 0; i < guesses && (i == 0 || ctx.Err() == nil); i++ {
		guess := boards[i*n/guesses]
		if wins := nextWins(guess, kinds); wins > most {
			best, most = guess, wins
		}
	}
	return best
}

// kindsOf groups the boards into kinds that are alike, in their order.
func kindsOf(boards []pokle.Board) [][]pokle.Board {
	var kinds [][]pokle.Board
	number := map[pokle.Likeness]int{}
	for _, b := range boards {
		i, known := number[b.Likeness()]
		if !known {
			i = len(kinds)
			number[b.Likeness()] = i
			kinds = append(kinds, nil)
		}
		kinds[i] = append(kinds[i], b)
	}
	return kinds
}

// nextWins returns for how many of the boards the guess or the one after it wins.
func nextWins(guess pokle.Board, kinds [][]pokle.Board) int {
	wins := 0
	var most [pokle.Feedbacks]int32 // of a kind in the class
	var count [pokle.Feedbacks]int32
	var room [16]pokle.Feedback // for a kind: four suits of the turn and of the river
	for _, kind := range kinds {
		if guess.Alike(kind[0]) {
			wins += len(kind)
			continue
		}
		seen := room[:0]
		for _, b := range kind {
			f := pokle.Score(guess, b)
			seen = append(seen, f)
			count[f]++
			most[f] = max(most[f], count[f])
		}
		for _, f := range seen {
			count[f] = 0
		}
	}
	for _, x := range most {
		wins += int(x)
	}
	return wins
}
