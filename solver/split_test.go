package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/entropy"
)

// TestSplitAgainstPlain compares with plain code on words of few letters, which
// make large groups, and of many.
func TestSplitAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	guesses := sample(random, wordletest.Embedded(t).Guesses(), 300)
	for range 300 {
		guesses = append(guesses, randomWord(random))
	}
	x := newLexicon(guesses)
	var r rater
	for range 300 {
		words := sample(random, guesses, 1+random.IntN(3*shortRow))
		r.take(x, words)
		g := random.IntN(len(guesses))
		got, n := r.rate(x.of[g]), len(words)
		want, wantBits := splitPlain(guesses[g], words)
		bits := entropy.Of(n, got.logs)
		if got.squares != want.squares || got.groups != want.groups || got.worst != want.worst || math.Abs(bits-wantBits) > 1e-8 {
			t.Fatalf("%v splits %v: %+v with %v bits, want %+v with %v", guesses[g], words, got, bits, want, wantBits)
		}
	}
}

// splitPlain returns the split without its logs, and the entropy.
func splitPlain(guess wordle.Word, words []wordle.Word) (split, float64) {
	groups := map[wordle.Feedback]int{}
	for _, w := range words {
		groups[wordle.Score(guess, w)]++
	}
	s := split{groups: len(groups)}
	entropy := 0.0
	for _, x := range groups {
		s.squares += x * x
		s.worst = max(s.worst, x)
		share := float64(x) / float64(len(words))
		entropy -= share * math.Log2(share)
	}
	return s, entropy
}

// BenchmarkScan rates every guess for the opening on the original lists.
func BenchmarkScan(b *testing.B) {
	lists := wordletest.Original(b)
	x := newLexicon(lists.Guesses())
	var sink int
	b.Run("table", func(b *testing.B) { // at hand
		var tab table
		tab.build(x, numbers(x), lists.Answers())
		r := newRater(x, lists.Answers())
		for b.Loop() {
			for g := range x.guesses {
				sink += r.split(tab.row(int32(g))[:len(lists.Answers())]).squares
			}
		}
	})
	b.Run("parts", func(b *testing.B) { // from nothing, without a table
		for b.Loop() {
			r := newRater(x, lists.Answers())
			for g := range x.guesses {
				sink += r.rate(x.of[g]).squares
			}
		}
	})
}
