package multi

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/grade"
	"fivefold/solver/solvertest"
)

// words reads words with spaces between them.
func words(text string) []wordle.Word {
	var all []wordle.Word
	for i := 0; i+wordle.Length <= len(text); i += wordle.Length + 1 {
		all = append(all, wordle.MustParse(text[i:i+wordle.Length]))
	}
	return all
}

func TestSuggest(t *testing.T) {
	s := New(wordletest.Embedded(t))
	for _, c := range []struct {
		name     string
		boards   [][]wordle.Turn
		never    []wordle.Word
		word     string // "" for any
		left     []int
		possible []int
		err      error
	}{
		{name: "an open board whose word is certain",
			boards: [][]wordle.Turn{solvertest.Turns("crane", "slate", "crone"), solvertest.Turns("fuzzy", "slate", "crone", "fuzzy")},
			word:   "CRANE", left: []int{1, 0}, possible: []int{0}},
		{name: "all found", boards: [][]wordle.Turn{solvertest.Turns("crane", "crane"), solvertest.Turns("slate", "crane", "slate")}, err: ErrAllFound},
		{name: "feedback that no word gets", boards: [][]wordle.Turn{nil, solvertest.Turns("qxzjk", "slate", "qxzjv")}, err: ErrNothingFits},
	} {
		best, err := s.Suggest(context.Background(), Position{Boards: c.boards, Never: c.never}, 1)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		if b := best[0]; b.Word.String() != c.word || !slices.Equal(b.Left, c.left) || !slices.Equal(b.Possible, c.possible) {
			t.Errorf("%s: %+v", c.name, b)
		}
	}
}

// TestReview: the words left are those of each open board, the best guess has full skill, and the first guess has a mean luck over all
// hidden words of 49.5.
func TestReview(t *testing.T) {
	s := New(wordletest.Lists(t, "crane slate brick fuzzy radar sheer", "crane slate brick fuzzy radar sheer mound"))
	luck := 0.0
	for _, one := range s.lists.Answers() {
		for _, other := range s.lists.Answers() {
			g := boards.New(one, other)
			for _, w := range words("sheer mound fuzzy") {
				g, _ = g.Guess(w)
			}
			left := s.Remaining(g)
			r, err := s.Review(context.Background(), g)
			if err != nil || len(r.Guesses) != g.Used() || len(left) != g.Used()+1 {
				t.Fatalf("%v and %v: %+v, %v, %v", one, other, r, left, err)
			}
			for i, j := range r.Guesses {
				if j.Before != left[i].Total() || j.After != left[i+1].Total() || math.Abs(j.Cut-left[i].Bits()+left[i+1].Bits()) > 1e-9 || j.Skill < 0 || j.Skill > grade.Max || (j.Best == j.Guess) != (j.Skill == grade.Max) {
					t.Errorf("%v and %v: %+v of %v", one, other, j, left)
				}
			}
			if left[0].Total() != 12 || len(left[g.Used()]) != len(slices.DeleteFunc([]int{g.Found(0), g.Found(1)}, func(n int) bool { return n > 0 })) {
				t.Errorf("%v and %v: %v", one, other, left)
			}
			luck += r.Guesses[0].Luck / 36
		}
	}
	if math.Abs(luck-grade.Mean) > 1e-9 {
		t.Errorf("the first guess has a luck of %v", luck)
	}
}
