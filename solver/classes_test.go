package solver

import (
	"errors"
	"fmt"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

func TestClasses(t *testing.T) {
	s := New(wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
	for _, c := range []struct {
		turns []wordle.Turn
		guess string
		want  string
		text  string
	}{
		{
			nil, "blown",
			"[{BBBBB [CATCH HATCH MATCH PATCH]} {GBBBB [BATCH]} {BYBBB [LATCH]} {BBBYB [WATCH]}]",
			"BLOWN splits the 7 words into 4 groups of at most 4",
		},
		{
			solvertest.Turns("watch", "match"), "catch",
			"[{BGGGG [BATCH HATCH LATCH PATCH WATCH]} {GGGGG [CATCH]}]",
			"CATCH splits the 6 words into 2 groups of at most 5",
		},
		{solvertest.Turns("watch", "blown"), "zzzzz", "[{BBBBB [WATCH]}]", "ZZZZZ is not the one word left"},
	} {
		classes, suggestion, err := s.Classes(c.turns, wordle.MustParse(c.guess))
		if got := fmt.Sprint(classes); err != nil || got != c.want {
			t.Errorf("%s after %v: %s, %v; want %s", c.guess, c.turns, got, err, c.want)
		}
		checkFigures(t, []Suggestion{suggestion}, s.Remaining(c.turns))
		if suggestion.String() != c.text {
			t.Errorf("%s after %v: %v", c.guess, c.turns, suggestion)
		}
	}
	if _, _, err := s.Classes(solvertest.Turns("pizza", "watch"), wordle.MustParse("catch")); !errors.Is(err, ErrNothingFits) {
		t.Errorf("got %v", err)
	}
}
