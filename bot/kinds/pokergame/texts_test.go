package pokergame

import (
	"testing"

	"fivefold/solver/boards"
)

func TestBoardReason(t *testing.T) {
	for _, c := range []struct {
		s    boards.Suggestion
		left int
		want string
	}{
		{boards.Suggestion{Remaining: 1, Guesses: 1, Proven: true}, 6, "It is the only possible board."},
		{boards.Suggestion{Remaining: 2, Guesses: 1, Proven: true}, 6, "It wins, whichever board is hidden."},
		{boards.Suggestion{Remaining: 3, Entropy: 1.5, Guesses: 5.0 / 3, Proven: true}, 3, "Best board, proven: 1.67 more guesses on average."},
		{boards.Suggestion{Remaining: 30, Entropy: 4, Guesses: 2.5}, 5, "About 2.5 more guesses on average; not proven to be the best."},
		{boards.Suggestion{Remaining: 4, Entropy: 1, Guesses: 2.25, Proven: true}, 2,
			"Best board, proven: 2.25 more guesses on average. A board not found in time counts as 3 guesses."},
		{boards.Suggestion{Remaining: 9000, Entropy: 6.25}, 6, "It should leave about 1 board in 76."},
		{boards.Suggestion{Remaining: 3, Entropy: 1, Proven: true}, 6, "It should leave about 1 board in 2.0; no other possible board leaves fewer."},
	} {
		if got := BoardReason(c.s, c.left); got != c.want {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}
