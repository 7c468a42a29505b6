package solver

import (
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := wordletest.Embedded(t)
	var tab table
	for range 20 {
		guesses, words := sample(random, all.Guesses(), 1+random.IntN(300)), sample(random, all.Guesses(), random.IntN(40))
		for range 20 { // letters that repeat more than dictionaries have them
			guesses = append(guesses, randomWord(random))
			words = append(words, randomWord(random))
		}
		x := newLexicon(guesses)
		tab.build(x, numbers(x), words)
		for g, guess := range guesses {
			row := tab.row(int32(g))
			for i, w := range words {
				if want := wordle.Score(guess, w); wordle.Feedback(row[i]) != want {
					t.Fatalf("%v for %v: %v, want %v", guess, w, wordle.Feedback(row[i]), want)
				}
			}
		}
	}
}

func randomWord(random *rand.Rand) wordle.Word {
	b := make([]byte, wordle.Length)
	for i := range b {
		b[i] = 'a' + byte(random.IntN(3))
	}
	return wordle.MustParse(string(b))
}

func BenchmarkTable(b *testing.B) {
	lists := wordletest.Original(b)
	x := newLexicon(lists.Guesses())
	var tab table
	for b.Loop() {
		tab.build(x, numbers(x), lists.Answers())
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

// numbers returns all guesses of a lexicon.
func numbers(x *lexicon) []int32 {
	all := make([]int32, len(x.guesses))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
