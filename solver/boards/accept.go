package boards

import (
	"context"

	"fivefold/game/pokle"
)

// The work of [acceptMove] for a guess, in comparisons of two boards.
const (
	acceptFew   = 200      // the most boards for which it looks ahead
	acceptAhead = 16 << 20 // the work of looking ahead
	acceptWork  = 2 << 20  // the work of [likeliest]
)

// acceptMove is the mover that decides which deals [Solver.Generate] accepts: those that it wins. It
// guesses possible boards only, and is weaker than [choose]. Its numbers and order must never change,
// since a past daily puzzle must have the deal of its day.
func acceptMove(ctx context.Context, boards []pokle.Board, left int) pokle.Board {
	if len(boards) <= acceptFew {
		return boards[newSearch(ctx, boards, acceptAhead).best(left).guess]
	}
	return likeliest(ctx, boards, acceptWork)
}

// likeliest returns the board after which the next guess is most likely to win; the first of
// equal ones. It ranks as many boards as the work, in comparisons, allows, but at least one,
// spread evenly over all.
//
// In each class, the next guess wins for one kind of boards that are alike: the largest.
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

// kindsOf groups the boards into kinds that are alike.
func kindsOf(boards []pokle.Board) map[pokle.Likeness][]pokle.Board {
	kinds := map[pokle.Likeness][]pokle.Board{}
	for _, b := range boards {
		kinds[b.Likeness()] = append(kinds[b.Likeness()], b)
	}
	return kinds
}

// nextWins counts the boards that the guess or the one after it finds.
func nextWins(guess pokle.Board, kinds map[pokle.Likeness][]pokle.Board) int {
	wins := 0
	var most [pokle.Feedbacks]int32 // boards of a kind, by feedback
	var count [pokle.Feedbacks]int32
	var room [16]pokle.Feedback // a kind has four suits of the turn and of the river
	for likeness, kind := range kinds {
		if guess.Likeness() == likeness {
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
