package boards

import (
	"cmp"
	"context"
	"math"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// suggestTime is the default of [Solver.SuggestTime].
const suggestTime = time.Second

// fewBoards is the most boards for which a suggestion looks ahead. Nearly nine in ten
// sets of 300 to 500 boards are searched to the end within a second; larger ones take
// too long.
const fewBoards = 500

// Suggest returns the possible board to guess next. Of up to 500 boards it is one that
// needs the fewest guesses on average, if only possible boards are guessed; a board that
// is not found within the limit counts as one guess more than there are. Of more boards it is one
// whose feedback has the most information. When the time is up, or ctx ends after the
// boards are listed, it is the best found so far; that is not an error. If others wait for a
// permit too, there is less time.
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
	if len(left) > fewBoards {
		return ranked(left).suggestion(timed, 1), nil
	}
	search := newSearch(timed, left, math.MaxInt64)
	best := search.best(p.guessesLeft())
	return Suggestion{
		Board: left[best.guess], Remaining: len(left),
		Entropy: entropy.Of(len(left), classesOf(search.row(best.guess)).logs()),
		Guesses: float64(best.total) / float64(len(left)), Proven: best.proven,
	}, nil
}

// ranked is newRanking with the feedback of a game.
func ranked(boards []pokle.Board) *ranking {
	r := newRanking(boards)
	r.accepting = true
	return r
}
