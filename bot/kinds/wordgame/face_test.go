package wordgame

import (
	"testing"

	"fivefold/game/wordle"
	"fivefold/solver"
)

func TestWordReason(t *testing.T) {
	for _, c := range []struct {
		s    solver.Suggestion
		want string
	}{
		{
			solver.Suggestion{Remaining: 1, Groups: 1, Worst: 1, Possible: true, Total: 1, Proven: true},
			"It is the only word left.",
		},
		{
			solver.Suggestion{Remaining: 87, Groups: 41, Worst: 6, Total: 208, Proven: true},
			"Best word, proven: 2.39 more guesses on average (87 words left). It cannot be the answer itself.",
		},
		{
			solver.Suggestion{Remaining: 2, Groups: 2, Worst: 1, Possible: true, Total: 4},
			"About 2 more guesses on average; not proven to be the best (2 words left).",
		},
		{
			solver.Suggestion{Remaining: 3, Groups: 2, Worst: 2, Possible: true, Proven: true},
			"No word is sure to win any more (3 words left).",
		},
		{
			solver.Suggestion{Remaining: 900, Groups: 80, Worst: 70},
			"It looks best, but that is not proven (900 words left). It cannot be the answer itself.",
		},
	} {
		if got := reason(c.s); got != c.want {
			t.Errorf("%+v\ngot  %s\nwant %s", c.s, got, c.want)
		}
	}
}

func TestWordJudgements(t *testing.T) {
	w := wordle.MustParse
	turn := func(guess, hidden string) wordle.Turn {
		return wordle.Turn{Guess: w(guess), Feedback: wordle.Score(w(guess), w(hidden))}
	}
	for _, c := range []struct {
		g    solver.Judged
		want string
	}{
		{solver.Judged{Turn: turn("slate", "major"), Before: 300, After: 150, Expected: 91.4, Best: w("crony"), Skill: 89.4, Luck: 21.4, Proven: true},
			"150 left (91 expected) · skill 89 · luck 21 · better: CRONY"},
		{solver.Judged{Turn: turn("slate", "major"), Before: 143, After: 7, Expected: 9.61, Best: w("crony"), Skill: 92.6, Luck: 61.4},
			"7 left (9.6 expected) · skill about 93 · luck 61 · better: CRONY"},
		{solver.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), Skill: 99, Luck: 24.75, Proven: true},
			"1 left (1.0 expected) · skill 99 · luck 25 · the best"},
		{solver.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), Skill: 99, Luck: 24.75},
			"1 left (1.0 expected) · skill about 99 · luck 25"},
		{solver.Judged{Turn: turn("major", "major"), Before: 1, After: 1, Expected: 1, Best: w("major"), Skill: 99, Luck: 49.5, Proven: true},
			"found · skill 99 · luck 50 · the best"},
	} {
		r := solver.Review{Guesses: []solver.Judged{c.g}}
		if got := Face(nil).Judgements(r)[0].Text; got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
