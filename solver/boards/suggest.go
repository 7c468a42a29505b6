package boards

import (
	"context"
	"math"
	"time"

	"fivefold/solver/entropy"
)

// suggestTime is how long a suggestion is searched for where [Solver.Time] is 0.
const suggestTime = time.Second

// fewBoards is up to how many boards a suggestion looks ahead. Of sets of 300 to 500
// boards nearly nine in ten are searched to the end within a second; larger ones take
// too long.
const fewBoards = 500

// Suggest returns the board to guess next, of those that are possible: of up to 500
// boards one that needs the fewest guesses on average, when none but possible boards
// are guessed and one that is not found in time counts as one guess more than there
// are; of more boards one whose feedback tells most. When the time is over, or ctx
// ends after the boards were listed, it is the best that was found; that is no error.
//
// The error is as of [Solver.Left].
//
// It looks at feedback as a game gives it, which takes boards that are alike for
// each other; there are some six to a kind. So of two boards that are left either
// may be sure to win, and [Best] may prefer another board than this.
func (s *Solver) Suggest(ctx context.Context, p Position) (Suggestion, error) {
	l, err := s.Left(ctx, p)
	if err != nil {
		return Suggestion{}, err
	}
	limit := s.Time
	if limit == 0 {
		limit = suggestTime
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// Who waits in vain gets what is found at once.
	if end, err := s.begin(timed); err == nil {
		defer end()
	}
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

// mostTelling is [Best] with the feedback of a game, and says nothing of guesses.
func mostInformative(ctx context.Context, l List) Suggestion {
	r := newRanking(l.Boards)
	r.accepting = !l.Loose
	best, seen := r.best(ctx, r.sample(len(l.Boards)))
	return Suggestion{
		Board: l.Boards[best.guess], Remaining: len(l.Boards),
		Entropy: entropy.Of(len(l.Boards), best.bits), Proven: seen == len(l.Boards),
	}
}
