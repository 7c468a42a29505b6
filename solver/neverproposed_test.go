package solver

import (
	"errors"
	"testing"
	"time"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/grade"
	"fivefold/solver/solvertest"
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
		if possible := s.Remaining(p.Turns); !lists.CanPropose(possible[0]) {
			continue // nothing else fits
		} else {
			for _, word := range possible {
				check(word, "Remaining")
			}
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

// TestNothingFitsButWithheldWords: then they are proposed, with every strategy and in both
// modes.
func TestNothingFitsButWithheldWords(t *testing.T) {
	s := New(wordletest.Embedded(t))
	for _, c := range []struct {
		turns []wordle.Turn
		want  []string
	}{
		{solvertest.Turns("sissy", "missy", "pussy", "khaki"), []string{"CISSY", "SISSY"}},
		{solvertest.Turns("spook", "spoke", "scoop"), []string{"SPOOK"}},
	} {
		counts, err := s.CountRemaining(t.Context(), c.turns)
		if n := s.NumRemaining(c.turns); err != nil || n != len(c.want) || counts[len(c.turns)] != n {
			t.Errorf("%v: %d and %v words fit, %v", c.turns, n, counts, err)
		}
		for _, hard := range []bool{false, true} {
			p := Position{Turns: c.turns, Hard: hard, Limit: wordle.Attempts}
			got, err := s.Solve(t.Context(), p, Effort{Top: 1})
			if err != nil || !got.Proven || got.Total != 2*len(c.want)-1 || got.Suggestions[0].Word.String() != c.want[0] {
				t.Errorf("hard %v, %v: %+v, %v", hard, c.turns, got, err)
			}
			for _, name := range StrategyNames() {
				strategy, err := s.Strategy(name, StrategyOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := strategy(t.Context(), p, 1); err != nil || got[0].Word.String() != c.want[0] {
					t.Errorf("%s, hard %v, %v: %+v, %v", name, hard, c.turns, got, err)
				}
			}
		}
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
