package boards

import (
	"context"

	"fivefold/game/pokle"
)

// The work of [acceptMove] for a guess, in comparisons of two boards.
const (
	acceptFew   = 200      // boards up to which it looks ahead
	acceptAhead = 16 << 20 // if it does
	acceptWork  = 2 << 20  // if it does not
)

// acceptMove plays possible boards alone, and decides which deals [Solver.Generate] accepts: those that
// it wins. It is weaker than [choose], and stays as it is, numbers and order too: whoever plays a past
// daily puzzle gets the deal of its day.
func acceptMove(ctx context.Context, left []pokle.Board, guesses int) pokle.Board {
	if len(left) <= acceptFew {
		return left[newSearch(ctx, left, acceptAhead).best(guesses).guess]
	}
	return likeliest(ctx, left, acceptWork)
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

// kindsOf groups the boards into kinds that are alike.
func kindsOf(boards []pokle.Board) map[pokle.Likeness][]pokle.Board {
	kinds := map[pokle.Likeness][]pokle.Board{}
	for _, b := range boards {
		kinds[b.Likeness()] = append(kinds[b.Likeness()], b)
	}
	return kinds
}

// nextWins returns for how many of the boards the guess or the one after it wins.
func nextWins(guess pokle.Board, kinds map[pokle.Likeness][]pokle.Board) int {
	wins := 0
	var most [pokle.Feedbacks]int32 // of a kind in the class
	var count [pokle.Feedbacks]int32
	var room [16]pokle.Feedback // for a kind: four suits of the turn and of the river
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
