package boards

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
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
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	random := rand.New(rand.NewPCG(11, 5))
	for _, sample := range mustSamples(t)[1:4] {
		d := sample.deal()
		all := mustList(t, d)
		hidden := all[random.IntN(len(all))]
		for name, move := range map[string]mover{"accept": acceptMove, "choose": func(ctx context.Context, boards []pokle.Board, left int) pokle.Board {
			return choose(ctx, d, boards, left).board
		}} {
			steps, err := play(t.Context(), d, all, hidden, move)
			if err != nil || len(steps) == 0 || len(steps) > pokle.Attempts {
				t.Fatalf("%s, %s: %d steps, %v", sample.Name, name, len(steps), err)
			}
			for i, s := range steps {
				if left := After(d, all, steps[:i]); name == "accept" && !slices.Contains(left, s.Guess) {
					t.Errorf("%s: guess %d, %v, is not possible", sample.Name, i+1, s.Guess)
				}
				if s.Feedback != d.Score(s.Guess, hidden) || s.Feedback == pokle.AllGreen && i < len(steps)-1 || s.Feedback != pokle.AllGreen && i == len(steps)-1 && i+1 < pokle.Attempts {
					t.Errorf("%s, %s: guess %d of %d gets %v", sample.Name, name, i+1, len(steps), s.Feedback)
				}
			}
			// With its flop in another order it is the same board.
			turned := hidden
			turned[0], turned[2] = turned[2], turned[0]
			before := runtime.GOMAXPROCS(1)
			again, err := play(t.Context(), d, all, turned, move)
			runtime.GOMAXPROCS(before)
			if err != nil || !slices.Equal(again, steps) {
				t.Errorf("%s, %s: on one processor %v, %v, before %v", sample.Name, name, again, err, steps)
			}
		}
	}
}

// TestChooseAgainstPlain: among few boards the total is what the guess costs, and no possible board costs
// less. A guess that is not possible costs less than any that is.
func TestChooseAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 5))
	mixed := 0
	for _, s := range mustSamples(t) {
		d := s.deal()
		all := mustList(t, d)
		for range 80 {
			left := 1 + random.IntN(4)
			most := 12
			if left <= 2 {
				most = 40 // plain code is fast enough
			}
			l := neighbours(random, all, most)
			got := choose(t.Context(), d, l, left)
			of := costPlain(d.Score, []pokle.Board{got.board}, l, left)
			if of != got.total || got.possible != slices.Contains(l, got.board) {
				t.Errorf("%v, %d guesses left: %+v costs %d", l, left, got, of)
			}
			if bits := bitsPlain(d.Score, got.board, l); math.Abs(entropy.Of(len(l), got.logs)-bits) > 1e-6 {
				t.Errorf("%v: %+v has %v bits", l, got, bits)
			}
			least := costPlain(d.Score, l, l, left)
			if !got.proven || got.total > least || got.possible && got.total < least {
				t.Errorf("%v, %d guesses left: got %+v, a possible board costs %d", l, left, got, least)
			}
			if of < least {
				mixed++
			}
		}
	}
	if mixed < 10 {
		t.Errorf("a mix is better in %d cases: too few", mixed)
	}
}
