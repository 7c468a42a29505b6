package solver

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// withheld returns the built-in guesses that must not be proposed.
func withheld(t *testing.T, lists *wordle.Lists) []wordle.Word {
	t.Helper()
	words := slices.DeleteFunc(slices.Clone(lists.Guesses()), lists.CanPropose)
	if len(words) == 0 {
		t.Fatal("no word is withheld")
	}
	return words
}

// TestWithheldWordsAreNotProposed asks every strategy for all the guesses it knows
// of, where the feedback is that of a withheld word.
func TestWithheldWordsAreNotProposed(t *testing.T) {
	t.Parallel()
	lists := wordletest.Embedded(t)
	s, w := New(lists), NewWeighted(lists)
	w.AdviseTime = time.Millisecond
	check := func(word wordle.Word, p Position, by string) {
		t.Helper()
		if !lists.CanPropose(word) {
			t.Errorf("%v is proposed after %v (hard %v) by %s", word, p.Turns, p.Hard, by)
		}
	}
	all := len(lists.Guesses())
	words := withheld(t, lists)
	for i := 0; i < len(words); i += 9 {
		word, salet := words[i], wordle.MustParse("salet")
		p := Position{Turns: []wordle.Turn{{Guess: salet, Feedback: wordle.Score(salet, word)}}, Hard: i%2 == 1}
		for _, possible := range s.Remaining(p.Turns) {
			check(possible, p, "Remaining")
		}
		for _, possible := range w.Possible(p.Turns) {
			check(possible.Word, p, "Possible")
		}
		solution, err := s.Solve(t.Context(), p, Effort{Top: MaxSuggestions, searchTime: time.Millisecond})
		if err != nil && !errors.Is(err, ErrNothingFits) {
			t.Fatal(err)
		}
		for _, suggestion := range solution.Suggestions {
			check(suggestion.Word, p, "Solve")
		}
		for _, name := range StrategyNames() {
			advice, err := w.Advise(t.Context(), p, name, all)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range advice {
				check(a.Word, p, name+" by weight")
			}
			if name == Optimal {
				continue // Solve
			}
			strategy, err := s.Strategy(name, StrategyOptions{})
			if err != nil {
				t.Fatal(err)
			}
			suggestions, err := strategy(t.Context(), p, all)
			if err != nil {
				t.Fatal(err)
			}
			for _, suggestion := range suggestions {
				check(suggestion.Word, p, name)
			}
		}
	}
}

// TestNothingFitsButAWithheldWord: it is not given away either.
func TestNothingFitsButAWithheldWord(t *testing.T) {
	lists := wordletest.Embedded(t)
	turns := []wordle.Turn{{Guess: withheld(t, lists)[0], Feedback: wordle.AllGreen}}
	s, w := New(lists), NewWeighted(lists)
	if got := s.Remaining(turns); len(got) > 0 {
		t.Errorf("Remaining: got %v", got)
	}
	if got := w.Possible(turns); len(got) > 0 {
		t.Errorf("Possible: got %v", got)
	}
	if _, err := w.Advise(t.Context(), Position{Turns: turns}, Optimal, 1); !errors.Is(err, ErrNothingFits) {
		t.Errorf("Advise: got %v, want %v", err, ErrNothingFits)
	}
}

// TestWithheldGuessesAreReviewed: a withheld word that a player guesses is judged
// as any other, in our games and in those played elsewhere.
func TestWithheldGuessesAreReviewed(t *testing.T) {
	lists := wordletest.Embedded(t)
	s, w := New(lists), NewWeighted(lists)
	w.AdviseTime = 20 * time.Millisecond
	hidden := wordle.MustParse("crane")
	for _, review := range []struct {
		name   string
		review func(context.Context, Played) (Review, error)
	}{{"ours", s.Review}, {"elsewhere", w.Review}} {
		p := Played{Hidden: hidden}
		for _, text := range []string{"lynch", "slave", "crane"} {
			guess := wordle.MustParse(text)
			p.Turns = append(p.Turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
		}
		got, err := review.review(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", review.name, err)
		}
		for i, j := range got.Guesses[:2] {
			if j.Guess != p.Turns[i].Guess || j.Skill <= 0 || j.Skill >= top || j.After >= j.Before || !lists.CanPropose(j.Best) {
				t.Errorf("%s: guess %d is judged %+v", review.name, i+1, j)
			}
		}
		for _, turn := range got.Line {
			if !lists.CanPropose(turn.Guess) {
				t.Errorf("%s: the solver plays %v", review.name, turn.Guess)
			}
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
