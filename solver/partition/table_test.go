package partition

import (
	"math/rand/v2"
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
		tab.Build(x, everyGuess(x), words)
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

func BenchmarkTable(b *testing.B) {
	lists := wordletest.Original(b)
	x := lexicon.New(lists.Guesses())
	var tab Table
	for b.Loop() {
		tab.Build(x, everyGuess(x), lists.Answers())
	}
}

func BenchmarkTableNaive(b *testing.B) {
	lists := wordletest.Original(b)
	cells := make([]byte, len(lists.Guesses())*len(lists.Answers()))
	for b.Loop() {
		i := 0
		for _, g := range lists.Guesses() {
			for _, w := range lists.Answers() {
				cells[i] = byte(wordle.Score(g, w))
				i++
			}
		}
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
