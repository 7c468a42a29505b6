package boards

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"fivefold/game/pokle"
	"fivefold/game/racetest"
)

// TestLikeliestAgainstPlain tries every pair of a guess and the one after it.
func TestLikeliestAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 5))
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		boards := neighbours(random, mustList(t, d), 60)
		most, first := 0, pokle.Board{}
		for _, guess := range boards {
			classes := map[pokle.Feedback][]pokle.Board{}
			for _, b := range boards {
				classes[d.Score(guess, b)] = append(classes[d.Score(guess, b)], b)
			}
			wins := len(classes[pokle.AllGreen])
			delete(classes, pokle.AllGreen)
			for _, class := range classes {
				best := 0
				for _, next := range class {
					best = max(best, len(After(d, class, []Step{{Guess: next, Feedback: pokle.AllGreen}})))
				}
				wins += best
			}
			if got := nextWins(guess, kindsOf(boards)); got != wins {
				t.Errorf("%s: %v wins %d games, want %d", sample.Name, guess, got, wins)
			}
			if wins > most {
				most, first = wins, guess
			}
		}
		if got := likeliest(t.Context(), boards, 1<<30); got != first {
			t.Errorf("%s: got %v, want %v with %d wins", sample.Name, got, first, most)
		}
		if got := likeliest(t.Context(), boards, 0); got != boards[0] {
			t.Errorf("%s, no work: got %v, want the first, %v", sample.Name, got, boards[0])
		}
	}
}

func TestPlay(t *testing.T) {
	racetest.Skip(t)
	random := rand.New(rand.NewPCG(11, 5))
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		all := mustList(t, d)
		hidden := all[random.IntN(len(all))]
		steps, err := play(t.Context(), d, all, hidden)
		if err != nil || len(steps) == 0 || len(steps) > pokle.Attempts {
			t.Fatalf("%s: %d steps, %v", sample.Name, len(steps), err)
		}
		for i, s := range steps {
			if left := After(d, all, steps[:i]); !slices.Contains(left, s.Guess) {
				t.Errorf("%s: guess %d, %v, is not possible", sample.Name, i+1, s.Guess)
			}
			if s.Feedback != d.Score(s.Guess, hidden) || s.Feedback == pokle.AllGreen && i < len(steps)-1 || s.Feedback != pokle.AllGreen && i == len(steps)-1 && i+1 < pokle.Attempts {
				t.Errorf("%s: guess %d of %d gets %v", sample.Name, i+1, len(steps), s.Feedback)
			}
		}
		// With its flop in another order it is the same board.
		hidden[0], hidden[2] = hidden[2], hidden[0]
		before := runtime.GOMAXPROCS(1)
		again, err := play(t.Context(), d, all, hidden)
		runtime.GOMAXPROCS(before)
		if err != nil || !slices.Equal(again, steps) {
			t.Errorf("%s: on one processor %v, %v, before %v", sample.Name, again, err, steps)
		}
	}
}
