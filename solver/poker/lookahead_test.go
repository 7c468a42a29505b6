package poker

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/pokle"
	"fivefold/solver/solvertest"
)

// costPlain returns the least total of guesses for the boards when one of these
// guesses comes first, and then only possible boards.
func costPlain(score func(guess, hidden pokle.Board) pokle.Feedback, guesses, boards []pokle.Board, left int) int {
	p := solvertest.Plain[pokle.Board]{Score: score, Loss: 1, Guesses: func(_ []Step, possible []solvertest.Answer[pokle.Board]) (all []pokle.Board) {
		for _, a := range possible {
			all = append(all, a.Word)
		}
		return all
	}}
	least := int64(math.MaxInt64)
	for _, guess := range guesses {
		least = min(least, p.CostOf(guess, solvertest.Ones(boards), nil, left))
	}
	return int(least)
}

// neighbours returns some boards of a list that are much like each other, in order.
func neighbours(random *rand.Rand, all []pokle.Board, most int) []pokle.Board {
	near := min(len(all), most+1+random.IntN(3*most))
	from := random.IntN(len(all) - near + 1)
	some := slices.Clone(all[from:][:near])
	random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:1+random.IntN(min(most, len(some)))]
	slices.SortFunc(some, pokle.Board.Compare)
	return some
}

func TestSearchAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 5))
	alikes, lost := 0, 0
	for _, s := range mustSamples(t) {
		d := s.deal()
		all := mustList(t, d)
		for range 300 {
			left := 1 + random.IntN(3+3*random.IntN(2))
			most := 8
			if left <= 2 {
				most = 40 // plain code is fast enough
			}
			l := neighbours(random, all, most)
			want := costPlain(d.Score, l, l, left)
			search := newSearch(t.Context(), l, math.MaxInt64)
			got := search.best(left)
			if got.total != want || !got.proven {
				t.Fatalf("%v, %d guesses left: got %+v, want %d", l, left, got, want)
			}
			if of := costPlain(d.Score, []pokle.Board{l[got.guess]}, l, left); of != want {
				t.Errorf("%v, %d guesses left: %v costs %d, not %d", l, left, l[got.guess], of, want)
			}
			if want < costPlain(pokle.Score, l, l, left) {
				alikes++
			}
			if want < costPlain(d.Score, l, l, left+1) {
				lost++
			}
			if len(l) > 8 {
				continue
			}
			_, other := randomDeal(random)
			for _, guess := range []pokle.Board{other, all[random.IntN(len(all))], l[0]} {
				if d.Allows(guess) != nil {
					continue
				}
				want := costPlain(d.Score, []pokle.Board{guess}, l, 99)
				if got, exact := search.total(feedbacks(d, guess, l)); got != want || !exact {
					t.Errorf("%v: %v costs %d, exact %t, want %d", l, guess, got, exact, want)
				}
			}
		}
	}
	if alikes < 20 || lost < 20 {
		t.Errorf("%d lists where it matters what is alike, %d where the limit does: too few", alikes, lost)
	}
}

// TestSearchIsAnytime: however little work is allowed there is a guess with a total
// that can be reached, and with more work no worse one.
func TestSearchIsAnytime(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, s := range mustSamples(t) {
		d := s.deal()
		l := mustList(t, d)
		l = l[:min(len(l), 120)]
		exact := newSearch(t.Context(), l, math.MaxInt64).best(6)
		last := math.MaxInt
		for _, work := range []int64{-1, 0, 1000, 30000, math.MaxInt64} {
			got := newSearch(t.Context(), l, work).best(6)
			if got.total > last || got.total < exact.total || got.proven && got.total > exact.total || work <= 0 && got.proven {
				t.Errorf("%s, work %d: got %+v, before %d, exact %+v", s.Name, work, got, last, exact)
			}
			last = got.total
		}
		stopped := newSearch(ended, l, math.MaxInt64)
		if got := stopped.best(6); got.proven || got.total < exact.total || got.total > 6*len(l) {
			t.Errorf("%s, cancelled: got %+v, exact %+v", s.Name, got, exact)
		}
		row := feedbacks(d, l[0], l)
		want, _ := newSearch(t.Context(), l, math.MaxInt64).total(row)
		if got, exact := stopped.total(row); exact || got < want || got > 9*len(l) {
			t.Errorf("%s, cancelled: a guess costs %d, exact %t, want %d or some more", s.Name, got, exact, want)
		}
	}
}
