package play

import (
	"testing"

	"fivefold/solver"
)

func TestReason(t *testing.T) {
	for _, c := range []struct {
		s    solver.Suggestion
		want string
	}{
		{
			solver.Suggestion{Remaining: 1, Groups: 1, Worst: 1, Possible: true, Total: 1, Proven: true},
			"Going by the guesses alone, it is the only word that is possible.",
		},
		{
			solver.Suggestion{Remaining: 87, Groups: 41, Worst: 6, Total: 208, Proven: true},
			"Going by the guesses alone, 87 words are possible. It splits them into 41 groups, at worst 6 stay. " +
				"It cannot be the answer. It is proven best: from here it takes 2.39 guesses on average.",
		},
		{
			solver.Suggestion{Remaining: 2, Groups: 2, Worst: 1, Possible: true, Total: 4},
			"Going by the guesses alone, 2 words are possible. It tells them all apart. It can be the answer itself. " +
				"With it, 2.00 guesses are enough on average; that none is better is not proven.",
		},
		{
			solver.Suggestion{Remaining: 3, Groups: 2, Worst: 2, Possible: true, Proven: true},
			"Going by the guesses alone, 3 words are possible. It splits them into 2 groups, at worst 2 stay. " +
				"It can be the answer itself. No play is sure to find the word in the attempts left; that is proven.",
		},
		{
			solver.Suggestion{Remaining: 900, Groups: 80, Worst: 70},
			"Going by the guesses alone, 900 words are possible. It splits them into 80 groups, at worst 70 stay. " +
				"It cannot be the answer. It looks best; that is not proven.",
		},
	} {
		if got := reason(c.s); got != c.want {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}
