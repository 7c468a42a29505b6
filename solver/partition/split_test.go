package partition

import (
	"math"
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/entropy"
	"fivefold/solver/lexicon"
	"fivefold/solver/solvertest"
)

// TestSplitAgainstPlain compares with plain code on words of few letters, which
// make large groups, and of many.
func TestSplitAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	guesses := solvertest.Sample(random, wordletest.Embedded(t).Guesses(), 300)
	for range 300 {
		guesses = append(guesses, solvertest.RandomWord(random))
	}
	x := lexicon.New(guesses)
	for range 300 {
		words := solvertest.Sample(random, guesses, 1+random.IntN(3*longRow))
		r := NewSplitter(x, words)
		g := random.IntN(len(guesses))
		got, n := r.Split(x.PartsOf[g]), len(words)
		want, wantBits := splitPlain(guesses[g], words)
		bits := entropy.Of(n, got.Logs)
		if got.Squares != want.Squares || got.Classes != want.Classes || got.Worst != want.Worst || math.Abs(bits-wantBits) > 1e-8 {
			t.Fatalf("%v splits %v: %+v with %v bits, want %+v with %v", guesses[g], words, got, bits, want, wantBits)
		}
	}
}

// splitPlain returns the split without its logs, and the entropy.
func splitPlain(guess wordle.Word, words []wordle.Word) (Split, float64) {
	groups := map[wordle.Feedback]int{}
	for _, w := range words {
		groups[wordle.Score(guess, w)]++
	}
	s := Split{Classes: len(groups)}
	entropy := 0.0
	for _, x := range groups {
		s.Squares += x * x
		s.Worst = max(s.Worst, x)
		share := float64(x) / float64(len(words))
		entropy -= share * math.Log2(share)
	}
	return s, entropy
}
