package dodge_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/dodge"
	"fivefold/solver/solvertest"
)

// TestSuggest compares the fewest guesses and the word with plain enumeration, on small lists of similar words.
func TestSuggest(t *testing.T) {
	all := wordletest.Embedded(t).Answers()
	found := map[int]int{}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 38))
		guesses := solvertest.Alike(random, all, 3+random.IntN(12))
		if len(guesses) < 2 {
			continue
		}
		guesses = guesses[:min(len(guesses), 20)]
		answers := solvertest.Sample(random, guesses, 1+random.IntN(len(guesses)))
		slices.SortFunc(answers, wordle.Word.Compare)
		lists := wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses))
		got, err := dodge.New(lists).Suggest(context.Background(), answers, nil)
		if err != nil {
			t.Fatalf("%v of %v: %v", answers, guesses, err)
		}
		if want := plain(answers, guesses); got != want {
			t.Errorf("%v of %v: %+v, want %+v", answers, guesses, got, want)
		}
		found[got.Fewest]++
	}
	t.Log(found)
	if len(found) < 4 {
		t.Errorf("by guesses %v: too few are hard", found)
	}
}

// plain is Suggest by the rules alone.
func plain(left, guesses []wordle.Word) dodge.Suggestion {
	best := dodge.Suggestion{Fewest: len(left) + 1}
	least := [2]int{}
	if len(left) == 1 {
		return dodge.Suggestion{Word: left[0], Fewest: 1, Proven: true, Left: 1}
	}
	for _, g := range guesses {
		kept := keeps(left, g)
		if len(kept) == len(left) {
			continue
		}
		rank := [2]int{1, len(kept)}
		if slices.Contains(left, g) {
			rank[0] = 0
		}
		n := 1 + plain(kept, guesses).Fewest
		if n < best.Fewest || n == best.Fewest && slices.Compare(rank[:], least[:]) < 0 {
			best = dodge.Suggestion{Word: g, Fewest: n, Proven: true, Left: len(left)}
			least = rank
		}
	}
	return best
}

// keeps returns the words that a guess keeps by the rule: most words, fewest greens, fewest yellows,
// and then the least mark at the first place where they differ.
func keeps(left []wordle.Word, guess wordle.Word) (kept []wordle.Word) {
	better := func(a, b []wordle.Word) bool {
		rank := func(words []wordle.Word) []int {
			f := wordle.Score(guess, words[0])
			r := []int{-len(words), 0, 0}
			for i := range wordle.Length {
				switch f.Mark(i) {
				case wordle.Green:
					r[1]++
				case wordle.Yellow:
					r[2]++
				}
				r = append(r, int(f.Mark(i)))
			}
			return r
		}
		return slices.Compare(rank(a), rank(b)) < 0
	}
	classes := map[wordle.Feedback][]wordle.Word{}
	for _, w := range left {
		f := wordle.Score(guess, w)
		classes[f] = append(classes[f], w)
	}
	for _, c := range classes {
		if kept == nil || better(c, kept) {
			kept = c
		}
	}
	return kept
}
