package multi

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
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
