package simulate

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
	"fivefold/solver/weighted"
)

// mustPlayAgainst plays without time to search, so that it comes out the same on
// every machine.
func mustPlayAgainst(t *testing.T, o AgainstOptions) AgainstResult {
	t.Helper()
	o.Weighted = weighted.New(wordletest.Embedded(t))
	o.Weighted.SuggestTime = 0
	r, err := Against(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(texts ...string) []wordle.Word {
	var words []wordle.Word
	for _, text := range texts {
		words = append(words, wordle.MustParse(text))
	}
	return words
}

func TestAgainst(t *testing.T) {
	// A word of the hidden list, one that may only be guessed, and none.
	hidden := parse("crane", "trees", "zzzzz")
	for _, hard := range []bool{false, true} {
		names := solver.StrategyNames()
		if racetest.Enabled { // the search
			names, hidden = names[:1], hidden[:2]
		}
		for _, strategy := range names {
			r := mustPlayAgainst(t, AgainstOptions{Strategy: strategy, Hidden: hidden, Hard: hard})
			if len(r.Games) != len(hidden) {
				t.Fatalf("%s: got %d games, want %d", strategy, len(r.Games), len(hidden))
			}
			for i, g := range r.Games {
				if g.Hidden != hidden[i] || g.Guesses[0] != r.Opener || len(g.Guesses) > wordle.Attempts {
					t.Errorf("%s: %+v is not a game for %v", strategy, g, hidden[i])
				}
				var turns []wordle.Turn
				for _, guess := range g.Guesses {
					if err := wordle.CheckHard(turns, guess); hard && err != nil {
						t.Errorf("%s: %v after %v: %v", strategy, guess, turns, err)
					}
					turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, g.Hidden)})
				}
				if want := i < 2; g.Won() != want {
					t.Errorf("%s: %v won: got %t, want %t", strategy, g.Hidden, g.Won(), want)
				}
			}
		}
	}
}

func TestAgainstOpener(t *testing.T) {
	racetest.Skip(t)
	r := mustPlayAgainst(t, AgainstOptions{Strategy: "parts", Hidden: parse("crane", "zzzzz"), Opener: wordle.MustParse("crane")})
	if won, all := r.Average(); won != 1 || all != 4 {
		t.Errorf("averages: got %v and %v, want 1 and 4", won, all)
	}
	if got, want := r.Distribution(), []int{1, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("distribution: got %v, want %v", got, want)
	}
	if lost := r.Lost(); len(lost) != 1 || lost[0].Hidden != wordle.MustParse("zzzzz") {
		t.Errorf("lost: got %v, want ZZZZZ", lost)
	}
}

func TestAgainstCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := AgainstOptions{Weighted: weighted.New(wordletest.Embedded(t)), Strategy: "parts",
		Hidden: wordletest.Embedded(t).Answers(), Workers: 1, Progress: func(int, int) { cancel() }}
	r, err := Against(ctx, o)
	if !errors.Is(err, context.Canceled) || len(r.Games) == 0 || len(r.Games) == len(o.Hidden) {
		t.Errorf("got %d games and %v, want some and %v", len(r.Games), err, context.Canceled)
	}
}

// TestAgainstTheOriginalAnswers plays every seventh word of a list that the
// dictionary does not come from.
func TestAgainstTheOriginalAnswers(t *testing.T) {
	if racetest.Enabled {
		t.Skip("only more games than in TestAgainst, which take minutes")
	}
	ours := wordletest.Embedded(t)
	var hidden []wordle.Word
	for i, w := range wordletest.Original(t).Answers() {
		if i%7 == 0 {
			hidden = append(hidden, w)
		}
	}
	r := mustPlayAgainst(t, AgainstOptions{Strategy: solver.Optimal, Hidden: hidden})
	if won, _ := r.Average(); won > 3.58 {
		t.Errorf("average: got %.3f, want 3.58 at most", won)
	}
	for _, g := range r.Lost() {
		if ours.CanPropose(g.Hidden) {
			t.Errorf("%v was lost, though it is in the dictionary: %v", g.Hidden, g.Guesses)
		}
	}
}
