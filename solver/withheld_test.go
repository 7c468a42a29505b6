package solver

import (
	"errors"
	"testing"
	"time"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/grade"
)

// TestWithheldWordsAreNotProposed asks every strategy for all the guesses it knows
// of, where the feedback is that of a withheld word.
func TestWithheldWordsAreNotProposed(t *testing.T) {
	racetest.Skip(t)
	t.Parallel()
	lists := wordletest.Embedded(t)
	s := New(lists)
	words := wordletest.Withheld(t)
	for i := 0; i < len(words); i += 9 {
		word, salet := words[i], wordle.MustParse("salet")
		p := Position{Turns: []wordle.Turn{{Guess: salet, Feedback: wordle.Score(salet, word)}}, Hard: i%2 == 1}
		check := func(word wordle.Word, by string) {
			t.Helper()
			if !lists.CanPropose(word) {
				t.Errorf("%v is proposed after %v (hard %v) by %s", word, p.Turns, p.Hard, by)
			}
		}
		for _, possible := range s.Remaining(p.Turns) {
			check(possible, "Remaining")
		}
		solution, err := s.Solve(t.Context(), p, Effort{Top: MaxSuggestions, searchTime: time.Millisecond})
		if err != nil && !errors.Is(err, ErrNothingFits) {
			t.Fatal(err)
		}
		for _, suggestion := range solution.Suggestions {
			check(suggestion.Word, "Solve")
		}
		for _, name := range StrategyNames() {
			if name == Optimal {
				continue // Solve
			}
			strategy, err := s.Strategy(name, StrategyOptions{})
			if err != nil {
				t.Fatal(err)
			}
			suggestions, err := strategy(t.Context(), p, len(lists.Guesses()))
			if err != nil {
				t.Fatal(err)
			}
			for _, suggestion := range suggestions {
				check(suggestion.Word, name)
			}
		}
	}
}

// TestNothingFitsButAWithheldWord: it is not given away either.
func TestNothingFitsButAWithheldWord(t *testing.T) {
	turns := []wordle.Turn{{Guess: wordletest.Withheld(t)[0], Feedback: wordle.AllGreen}}
	if got := New(wordletest.Embedded(t)).Remaining(turns); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// TestWithheldGuessesAreReviewed: a withheld word that a player guesses is graded like
// any other.
func TestWithheldGuessesAreReviewed(t *testing.T) {
	lists := wordletest.Embedded(t)
	p := Played{Hidden: wordle.MustParse("crane")}
	for _, text := range []string{"lynch", "slave", "crane"} {
		guess := wordle.MustParse(text)
		p.Turns = append(p.Turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, p.Hidden)})
	}
	got, err := New(lists).Review(t.Context(), p)
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

// TestBuiltInTreesProposeNoWithheldWord: hints and reviews read these first.
func TestBuiltInTreesProposeNoWithheldWord(t *testing.T) {
	lists := wordletest.Embedded(t)
	s := New(lists)
	trees, err := s.trees()
	if err != nil || len(trees) != 2 {
		t.Fatalf("there are %d trees, %v; go generate makes them", len(trees), err)
	}
	for _, tree := range trees {
		for _, n := range tree.nodes {
			if !lists.CanPropose(n.guess) {
				t.Errorf("hard %v: the tree guesses %v", tree.Hard, n.guess)
			}
		}
		table, err := s.openers(tree.Hard)
		if err != nil || table == nil {
			t.Fatalf("there are no totals of openers: %v; go generate makes them", err)
		}
		if best := lists.Guesses()[table.best]; !lists.CanPropose(best) {
			t.Errorf("hard %v: the best opener is %v", tree.Hard, best)
		}
	}
}
