package lexicon

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
	"fivefold/solver/transposition"
)

func TestCluesAgainstCheckClues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	guesses := solvertest.Sample(random, wordletest.Embedded(t).Guesses(), 1000)
	for range 1000 {
		guesses = append(guesses, solvertest.RandomWord(random))
	}
	x := New(guesses)
	var allowed [3]int
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
		for hard := range allowed {
			hard := marks.Hardness(hard)
			c := CluesOf(hard, turns)
			for range 20 {
				g := random.IntN(len(guesses))
				want := wordle.CheckClues(hard, turns, guesses[g]) == nil
				if got := c.Allow(x, int32(g)); got != want {
					t.Fatalf("%v: after %v, %v is allowed: %v, want %v", hard, turns, guesses[g], got, want)
				}
				if want && len(turns) > 0 {
					allowed[hard]++
				}
			}
		}
	}
	if slices.Min(allowed[:]) < 1000 {
		t.Errorf("only %v cases were allowed", allowed)
	}
}

// TestKeysTellCluesApart: different clues have different keys, in every mode.
func TestKeysTellCluesApart(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	known, same := map[transposition.Key]Clues{}, 0
	for range 20_000 {
		hidden := solvertest.RandomWord(random)
		var turns []wordle.Turn
		for range 1 + random.IntN(2) {
			guess := solvertest.RandomWord(random)
			turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
		}
		for hard := marks.Off; hard <= marks.Ultra; hard++ {
			c := CluesOf(hard, turns)
			other, ok := known[c.Key()]
			if ok && other != c {
				t.Fatalf("%+v and %+v have the same key", c, other)
			}
			if known[c.Key()] = c; ok {
				same++
			}
		}
	}
	if len(known) < 1000 || same < 1000 {
		t.Errorf("%d clues, %d of them again: too few", len(known), same)
	}
}
