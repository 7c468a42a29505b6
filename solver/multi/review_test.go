package multi

import (
	"context"
	"math"
	"testing"

	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// played returns a game with these guesses.
func played(t *testing.T, hidden string, guesses ...string) boards.State {
	t.Helper()
	s := boards.New(words(hidden)...)
	for _, g := range guesses {
		next, err := s.Guess(wordle.MustParse(g))
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

func TestReviewSkill(t *testing.T) {
	solver := New(wordletest.Lists(t, "BATCH HATCH LATCH MATCH CRANE CRONE", "BATCH HATCH LATCH MATCH CRANE CRONE BLIMP FUZZY"))
	state := played(t, "LATCH CRONE", "crone", "fuzzy", "hatch", "latch")
	r, err := solver.Review(context.Background(), state)
	if err != nil {
		t.Fatal(err)
	}
	remaining := solver.Remaining(state)
	for i, j := range r.Guesses {
		if j.Before != remaining[i].Total() || j.After != remaining[i+1].Total() || math.Abs(j.Cut-remaining[i].Bits()+remaining[i+1].Bits()) > 1e-9 {
			t.Errorf("%v: %+v, want what remains: %v and %v", j.Guess, j, remaining[i], remaining[i+1])
		}
	}
	// FUZZY tells nothing. BLIMP tells BATCH, HATCH, LATCH and MATCH apart, which takes 2 guesses; HATCH first takes 2.5.
	for i, want := range []struct {
		best         string
		skill, luck  float64
		proven       bool
		before, left int
	}{
		1: {best: "BLIMP", skill: 0, luck: 49.5, proven: true, before: 4, left: 4},
		2: {best: "BLIMP", skill: 49.5, luck: 99 * 1.5 / 4, proven: true, before: 4, left: 3},
		3: {best: "LATCH", skill: 99, luck: 99 * 2.5 / 3, proven: true, before: 3, left: 0},
	} {
		if i == 0 {
			continue
		}
		j := r.Guesses[i]
		if j.Best.String() != want.best || math.Abs(j.Skill-want.skill) > 1e-6 || math.Abs(j.Luck-want.luck) > 1e-6 || j.Proven != want.proven || j.Before != want.before || j.After != want.left {
			t.Errorf("guess %d: %+v, want %+v", i+1, j, want)
		}
	}
	line := boards.New(words("LATCH CRONE")...)
	for _, turn := range r.Line {
		if line, err = line.Guess(turn.Guess); err != nil {
			t.Fatal(err)
		}
	}
	if line.Status() != marks.Won || len(r.Line) > 5 {
		t.Errorf("the solver plays %v", r.Line)
	}
}
