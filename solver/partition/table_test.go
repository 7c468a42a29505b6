package partition

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/lexicon"
	"fivefold/solver/solvertest"
)

func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := wordletest.Embedded(t)
	var tab Table
	for range 20 {
		guesses, words := solvertest.Sample(random, all.Guesses(), 1+random.IntN(300)), solvertest.Sample(random, all.Guesses(), random.IntN(40))
		for range 20 { // letters that repeat more than dictionaries have them
			guesses = append(guesses, solvertest.RandomWord(random))
			words = append(words, solvertest.RandomWord(random))
		}
		x := lexicon.New(guesses)
		tab.Build(x, everyGuess(x), words, new(atomic.Bool))
		for g, guess := range guesses {
			row := tab.Row(int32(g))
			for i, w := range words {
				if want := wordle.Score(guess, w); wordle.Feedback(row[i]) != want {
					t.Fatalf("%v for %v: %v, want %v", guess, w, wordle.Feedback(row[i]), want)
				}
			}
		}
	}
}

// TestTableStops: once the flag is set, no more than a few rows are filled.
func TestTableStops(t *testing.T) {
	lists := wordletest.Embedded(t)
	x := lexicon.New(lists.Guesses())
	stop := new(atomic.Bool)
	stop.Store(true)
	var tab Table
	tab.Build(x, everyGuess(x), lists.Answers(), stop)
	filled := 0
	for g := range x.Guesses {
		if slices.Max(tab.Row(int32(g))) > 0 {
			filled++
		}
	}
	if filled >= lookEvery {
		t.Errorf("%d of %d rows were filled", filled, len(x.Guesses))
	}
}

func BenchmarkTable(b *testing.B) {
	lists := wordletest.Original(b)
	x := lexicon.New(lists.Guesses())
	var tab Table
	for b.Loop() {
		tab.Build(x, everyGuess(x), lists.Answers(), new(atomic.Bool))
	}
}

// everyGuess returns the numbers of all guesses.
func everyGuess(x *lexicon.Lexicon) []int32 {
	all := make([]int32, len(x.Guesses))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
