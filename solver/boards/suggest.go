package boards

import (
	"context"
	"math"
	"time"

	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// suggestTime is the default Time of a solver.
const suggestTime = time.Second

// fewBoards is the most boards for which a suggestion looks ahead. Nearly nine in ten
// sets of 300 to 500 boards are searched to the end within a second; larger ones take
// too long.
const fewBoards = 500

// Suggest returns the possible board to guess next. Of up to 500 boards it is one that
// needs the fewest guesses on average, if only possible boards are guessed; a board that
// is not found in time counts as one guess more than there are. Of more boards it is one
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
	l, err := s.list(ctx, p.Deal)
	if err != nil {
		return Suggestion{}, err
	}
	if l, err = l.after(p); err != nil {
		return Suggestion{}, err
	}
	limit := s.Time
	if limit == 0 {
		limit = suggestTime
	}
	timed, cancel := context.WithTimeout(ctx, permit.Limit(limit))
	defer cancel()
	if len(l.Boards) > fewBoards {
		return mostInformative(timed, l), nil
	}
	search := newSearch(timed, l, math.MaxInt64)
	best := search.best(p.left())
	n := float64(len(l.Boards))
	return Suggestion{
		Board: l.Boards[best.guess], Remaining: len(l.Boards),
		Entropy: classesOf(search.row(best.guess)).entropy(),
		Guesses: float64(best.total) / n, Proven: best.proven,
	}, nil
}

// mostInformative is [Best] with the feedback of a game.
func mostInformative(ctx context.Context, l List) Suggestion {
	r := newRanking(l.Boards)
	r.accepting = !l.Loose
	best, seen := r.best(ctx, 1, r.sample(len(l.Boards)))
	return Suggestion{
		Board: l.Boards[best.guess], Remaining: len(l.Boards),
		Entropy: entropy.Of(len(l.Boards), best.bits), Proven: seen == len(l.Boards),
	}
}
