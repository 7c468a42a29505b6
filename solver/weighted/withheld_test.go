package weighted

import (
	"errors"
	"testing"
	"time"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
	"fivefold/solver/grade"
)

// TestWithheldWordsAreNotProposed asks every strategy for all the guesses it knows
// of, where the feedback is that of a withheld word.
func TestWithheldWordsAreNotProposed(t *testing.T) {
	racetest.Skip(t)
	t.Parallel()
	lists := wordletest.Embedded(t)
	w := New(lists)
	w.SuggestTime = time.Millisecond
	words := wordletest.Withheld(t)
	for i := 0; i < len(words); i += 9 {
		word, salet := words[i], wordle.MustParse("salet")
		p := solver.Position{Turns: []wordle.Turn{{Guess: salet, Feedback: wordle.Score(salet, word)}}, Hard: i%2 == 1}
		for _, possible := range w.Possible(p.Turns) {
			if !lists.CanPropose(possible.Word) {
				t.Errorf("%v is possible after %v", possible.Word, p.Turns)
			}
		}
		for _, name := range solver.StrategyNames() {
			suggestions, err := w.Suggest(t.Context(), p, name, len(lists.Guesses()))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range suggestions {
				if !lists.CanPropose(s.Word) {
					t.Errorf("%v is proposed after %v (hard %v) by %s", s.Word, p.Turns, p.Hard, name)
				}
			}
		}
	}
}

// TestNothingFitsButAWithheldWord: it is not given away either.
func TestNothingFitsButAWithheldWord(t *testing.T) {
	w := New(wordletest.Embedded(t))
	turns := []wordle.Turn{{Guess: wordletest.Withheld(t)[0], Feedback: wordle.AllGreen}}
	if got := w.Possible(turns); len(got) > 0 {
		t.Errorf("Possible: got %v", got)
	}
	if _, err := w.Suggest(t.Context(), solver.Position{Turns: turns}, solver.Optimal, 1); !errors.Is(err, solver.ErrNothingFits) {
		t.Errorf("Suggest: got %v, want %v", err, solver.ErrNothingFits)
	}
}

// TestWithheldGuessesAreReviewed: a withheld word that a player guesses is graded like
// any other.
func TestWithheldGuessesAreReviewed(t *testing.T) {
	lists := wordletest.Embedded(t)
	w := New(lists)
	w.SuggestTime = 20 * time.Millisecond
	p := solver.Played{Hidden: wordle.MustParse("crane")}
	for _, text := range []string{"lynch", "slave", "crane"} {
		guess := wordle.MustParse(text)
		p.Turns = append(p.Turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, p.Hidden)})
	}
	got, err := w.Review(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range got.Guesses[:2] {
		if j.Guess != p.Turns[i].Guess || j.Skill <= 0 || j.Skill >= grade.Max || j.After >= j.Before || !lists.CanPropose(j.Best) {
			t.Errorf("guess %d is graded %+v", i+1, j)
		}
	}
	for _, turn := range got.Line {
		if !lists.CanPropose(turn.Guess) {
			t.Errorf("the solver plays %v", turn.Guess)
		}
	}
}
