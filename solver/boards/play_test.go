package boards

import (
	"context"
	"errors"
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
		all := mustList(t, d).Boards
		for _, loose := range []bool{false, true} {
			l := List{Boards: neighbours(random, all, 60), Loose: loose}
			score := d.Score
			if loose {
				score = pokle.Score
			}
			wins := func(guess pokle.Board) int {
				classes := map[pokle.Feedback][]pokle.Board{}
				for _, b := range l.Boards {
					classes[score(guess, b)] = append(classes[score(guess, b)], b)
				}
				wins := len(classes[pokle.AllGreen])
				delete(classes, pokle.AllGreen)
				for _, class := range classes {
					most := 0
					for _, next := range class {
						n := 0
						for _, b := range class {
							if score(next, b) == pokle.AllGreen {
								n++
							}
						}
						most = max(most, n)
					}
					wins += most
				}
				return wins
			}
			most, first := 0, pokle.Board{}
			for _, b := range l.Boards {
				n := wins(b)
				if n > most {
					most, first = n, b
				}
				if got := nextWins(b, kindsOf(l), loose); got != n {
					t.Errorf("%s, loose %t: %v wins %d games, want %d", sample.Name, loose, b, got, n)
				}
			}
			if got := likeliest(t.Context(), l, 1<<30); got != first {
				t.Errorf("%s, loose %t: got %v with %d wins, want %v with %d", sample.Name, loose, got, wins(got), first, most)
			}
			if got := likeliest(t.Context(), l, 0); got != l.Boards[0] {
				t.Errorf("%s, loose %t, no work: got %v, want the first, %v", sample.Name, loose, got, l.Boards[0])
			}
		}
	}
}

// playDeal plays the solver against a board of the deal.
func playDeal(ctx context.Context, d pokle.Deal, hidden pokle.Board, limit int) ([]Step, error) {
	l, err := Fitting(ctx, d)
	if err != nil {
		return nil, err
	}
	return play(ctx, d, l, hidden, limit)
}

func TestPlay(t *testing.T) {
	racetest.Skip(t)
	random := rand.New(rand.NewPCG(11, 5))
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		all := mustList(t, d)
		hidden := all.Boards[random.IntN(len(all.Boards))]
		steps, err := playDeal(t.Context(), d, hidden, 0)
		if err != nil || len(steps) == 0 || len(steps) > pokle.Attempts {
			t.Fatalf("%s: %d steps, %v", sample.Name, len(steps), err)
		}
		for i, s := range steps {
			if left := After(d, all.Boards, steps[:i]); !slices.Contains(left, s.Guess) {
				t.Errorf("%s: guess %d, %v, is not possible", sample.Name, i+1, s.Guess)
			}
			if s.Feedback != d.Score(s.Guess, hidden) || (s.Feedback == pokle.AllGreen) != (i == len(steps)-1) {
				t.Errorf("%s: guess %d of %d gets %v", sample.Name, i+1, len(steps), s.Feedback)
			}
		}
		// With its flop in another order it is the same board.
		hidden[0], hidden[2] = hidden[2], hidden[0]
		before := runtime.GOMAXPROCS(1)
		again, err := playDeal(t.Context(), d, hidden, 0)
		runtime.GOMAXPROCS(before)
		if err != nil || !slices.Equal(again, steps) {
			t.Errorf("%s: on one processor %v, %v, before %v", sample.Name, again, err, steps)
		}
		one, err := playDeal(t.Context(), d, hidden, 1)
		if len(steps) > 1 && len(all.Boards) > playFew && !slices.Equal(one, steps[:1]) || len(one) != 1 || err != nil {
			t.Errorf("%s: with one guess %v, %v", sample.Name, one, err)
		}
	}
}

func TestPlayRefuses(t *testing.T) {
	d := mustSamples(t)[0].deal()
	_, other := randomDeal(rand.New(rand.NewPCG(12, 5)))
	if _, err := playDeal(t.Context(), d, other, 0); !errors.Is(err, ErrOtherHidden) {
		t.Errorf("another hidden board: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	l := mustList(t, d)
	if _, err := play(ended, d, l, l.Boards[0], 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
