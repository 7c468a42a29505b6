package lexicon

import (
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

func TestCluesAgainstCheckHard(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	guesses := solvertest.Sample(random, wordletest.Embedded(t).Guesses(), 1000)
	for range 1000 {
		guesses = append(guesses, solvertest.RandomWord(random))
	}
	x := New(guesses)
	allowed := 0
	for range 5000 {
		from := guesses[:1000] // of all letters, or of three
		if random.IntN(2) == 0 {
			from = guesses[1000:]
		}
		hidden := from[random.IntN(1000)]
		var turns []wordle.Turn
		for range random.IntN(4) {
			w := from[random.IntN(1000)]
			turns = append(turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, hidden)})
		}
		c := CluesOf(turns)
		for range 20 {
			g := random.IntN(len(guesses))
			want := wordle.CheckHard(turns, guesses[g]) == nil
			if got := c.Allow(x, int32(g)); got != want {
				t.Fatalf("after %v, %v is allowed: %v, want %v", turns, guesses[g], got, want)
			}
			if want && len(turns) > 0 {
				allowed++
			}
		}
	}
	if allowed < 1000 {
		t.Errorf("only %d cases were allowed", allowed)
	}
}
