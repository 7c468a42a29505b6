package poker

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game/pokle"
)

func mustReview(tb testing.TB, s *Solver, p Played) Review {
	tb.Helper()
	r, err := s.Review(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestReviewAgainstPlain judges games among few boards by the definition. Some of their
// guesses are not among these boards.
func TestReviewAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 5))
	skills := 0
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		all := mustList(t, d)
		for range 15 {
			few := neighbours(random, all, 8)
			var s Solver
			s.store(d, few)
			hidden := few[random.IntN(len(few))]
			p := Played{Deal: d, Hidden: hidden}
			for range 4 {
				guess := few[random.IntN(len(few))]
				if random.IntN(3) == 0 {
					guess = all[random.IntN(len(all))]
				}
				p.Guesses = append(p.Guesses, guess)
				if d.Score(guess, hidden) == pokle.AllGreen {
					break
				}
			}
			r := mustReview(t, &s, p)
			checkLine(t, p, few, r.Line)
			left := few
			for i, j := range r.Guesses {
				guess := p.Guesses[i]
				n := len(left)
				possible := costPlain(d.Score, left, left, 99)
				least := min(possible, costPlain(d.Score, []pokle.Board{j.Best}, left, 99)) // perhaps that of a mix
				total := costPlain(d.Score, []pokle.Board{guess}, left, 99)
				skill := min(max(99*float64(n+least-total)/float64(n), 0), 99)
				after := After(d, left, []Step{j.Turn})
				want := Judged{
					Turn: Step{Guess: guess, Feedback: d.Score(guess, hidden)}, Before: n, After: len(after),
					Expected: expectedPlain(d, guess, left), Best: j.Best, BestExpected: expectedPlain(d, j.Best, left),
					Skill: skill, Luck: luckPlain(d, guess, hidden, left),
					Cut: math.Log2(float64(n) / float64(len(after))), Proven: true,
				}
				if !nearly(j, want) {
					t.Errorf("%v of %v:\n got %+v\nwant %+v", guess, left, j, want)
				}
				switch {
				case total <= least && j.Best != guess:
					t.Errorf("%v of %v is as good as any, but the best is %v", guess, left, j.Best)
				case total > least && costPlain(d.Score, []pokle.Board{j.Best}, left, 99) != least,
					total > least && least == possible && !slices.Contains(left, j.Best):
					t.Errorf("%v is not the best of %v", j.Best, left)
				}
				if skill < 98 {
					skills++
				}
				left = after
			}
		}
	}
	if skills < 30 {
		t.Errorf("%d guesses that are not the best: too few", skills)
	}
}

// checkLine compares the line of a review with what the solver chooses.
func checkLine(t *testing.T, p Played, all []pokle.Board, line []Step) {
	t.Helper()
	for i, s := range line {
		if want := choose(t.Context(), p.Deal, After(p.Deal, all, line[:i]), pokle.Attempts-i).board; s.Guess != want || s.Feedback != p.Deal.Score(want, p.Hidden) {
			t.Errorf("guess %d of the line is %v, want %v", i+1, s, want)
		}
		if won := s.Feedback == pokle.AllGreen; won != (i == len(line)-1) {
			t.Errorf("guess %d of %d of the line: won %t", i+1, len(line), won)
		}
	}
}

func nearly(a, b Judged) bool {
	for _, pair := range [][2]*float64{
		{&a.Expected, &b.Expected}, {&a.BestExpected, &b.BestExpected}, {&a.Skill, &b.Skill}, {&a.Luck, &b.Luck}, {&a.Cut, &b.Cut},
	} {
		if math.Abs(*pair[0]-*pair[1]) > 1e-9 {
			return false
		}
		*pair[0] = *pair[1]
	}
	return a == b
}

// expectedPlain returns how many boards stay possible on average.
func expectedPlain(d pokle.Deal, guess pokle.Board, boards []pokle.Board) float64 {
	sum := 0
	for _, hidden := range boards {
		sum += len(After(d, boards, []Step{{Guess: guess, Feedback: d.Score(guess, hidden)}}))
	}
	return float64(sum) / float64(len(boards))
}

// luckPlain ranks what the guess left among what it could have left.
func luckPlain(d pokle.Deal, guess, hidden pokle.Board, boards []pokle.Board) float64 {
	rank := func(hidden pokle.Board) int {
		f := d.Score(guess, hidden)
		if f == pokle.AllGreen {
			return 0
		}
		return len(After(d, boards, []Step{{Guess: guess, Feedback: f}}))
	}
	came, luck := rank(hidden), 0.0
	for _, b := range boards {
		switch other := rank(b); {
		case other > came:
			luck++
		case other == came:
			luck += 0.5
		}
	}
	return 99 * luck / float64(len(boards))
}

// TestReviewByBits judges first guesses among many boards by the definition.
func TestReviewByBits(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	if len(all) <= ByBitsAbove {
		t.Fatalf("%d boards are few", len(all))
	}
	possible, most := 0.0, bitsPlain(d.Score, choose(t.Context(), d, all, pokle.Attempts).board, all)
	for _, b := range all {
		possible = max(possible, bitsPlain(d.Score, b, all))
	}
	if most < possible-1e-9 {
		t.Errorf("the solver's guess has %v bits, a possible board %v", most, possible)
	}
	random := rand.New(rand.NewPCG(15, 5))
	_, outside := randomDeal(random)
	for d.Allows(outside) != nil {
		_, outside = randomDeal(random)
	}
	sum := 0.0
	for i, guess := range append(slices.Clone(all), outside) {
		if i%70 != 0 && guess != outside {
			continue
		}
		r := mustReview(t, &s, Played{d, []pokle.Board{guess}, all[i%len(all)]})
		j := r.Guesses[0]
		if want := 99 * bitsPlain(d.Score, guess, all) / most; math.Abs(j.Skill-want) > 1e-4 || !j.Proven {
			t.Errorf("%v: skill %v, proven %t, want %v", guess, j.Skill, j.Proven, want)
		}
		if bits := bitsPlain(d.Score, j.Best, all); math.Abs(bits-most) > 1e-6 {
			t.Errorf("the best, %v, has %v bits, not %v", j.Best, bits, most)
		}
		sum += j.Skill
		again := j.Best // in another order it is as good
		again[0], again[1] = again[1], again[0]
		if j := mustReview(t, &s, Played{d, []pokle.Board{again}, all[1]}).Guesses[0]; j.Skill != 99 || j.Best != again {
			t.Errorf("the best guess, %v, is judged %+v", again, j)
		}
	}
	if sum == 0 {
		t.Error("no skill at all")
	}
}

// endingContext ends after it was asked that many times whether it has.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestReviewCancelled: whenever ctx ends, there is either the whole review or none.
func TestReviewCancelled(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	p := Played{d, []pokle.Board{all[7], all[100], all[30]}, all[200]}
	want := mustReview(t, &s, p)
	cancelled := 0
	for asked := 0; ; asked = asked*5/4 + 1 {
		got, err := s.Review(&endingContext{t.Context(), asked}, p)
		if err == nil && reflect.DeepEqual(got, want) {
			break
		}
		if cancelled++; !errors.Is(err, context.Canceled) || !reflect.DeepEqual(got, Review{}) {
			t.Fatalf("cancelled after %d looks: %+v, %v", asked, got, err)
		}
	}
	if cancelled < 10 {
		t.Errorf("only %d were cancelled", cancelled)
	}
}

// TestReviewOfPlay: a repeated guess changes nothing, a board that is taken for the hidden
// one wins, and the line is what the solver plays.
func TestReviewOfPlay(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	first := all[0]
	for _, hidden := range all[50:] {
		near := slices.IndexFunc(all, func(b pokle.Board) bool {
			return b != hidden && b.Alike(hidden) && d.Score(first, b) == d.Score(first, hidden)
		})
		if near < 0 {
			continue
		}
		p := Played{d, []pokle.Board{first, first, all[near]}, hidden}
		r := mustReview(t, &s, p)
		checkLine(t, p, all, r.Line)
		again, last := r.Guesses[1], r.Guesses[2]
		if again.Skill != 0 || again.Luck != 49.5 || again.Cut != 0 || again.Before != again.After || again.Before != r.Guesses[0].After {
			t.Errorf("a repeated guess: %+v", again)
		}
		if last.Feedback != pokle.AllGreen || last.After < 2 || last.After > last.Before {
			t.Errorf("a board that is taken for the hidden one: %+v", last)
		}
		if !reflect.DeepEqual(mustReview(t, &s, p), r) {
			t.Error("the same game is judged otherwise")
		}
		return
	}
	t.Error("no board is taken for another")
}

func TestReviewRefuses(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	hidden, other := all[5], all[200]
	held := other
	held[4] = d.Holes[1][0]
	_, misfit := randomDeal(rand.New(rand.NewPCG(16, 5)))
	var heldError *pokle.HeldError
	for name, c := range map[string]struct {
		guesses []pokle.Board
		hidden  pokle.Board
		want    func(error) bool
		number  string
	}{
		"after the win":       {[]pokle.Board{hidden, other}, hidden, func(err error) bool { return errors.Is(err, ErrOver) }, "guess 2"},
		"a card that is held": {[]pokle.Board{other, held}, hidden, func(err error) bool { return errors.As(err, &heldError) }, "guess 2"},
		"another hidden":      {[]pokle.Board{other}, misfit, func(err error) bool { return errors.Is(err, ErrOtherHidden) }, ""},
	} {
		r, err := s.Review(t.Context(), Played{d, c.guesses, c.hidden})
		if !c.want(err) || len(r.Guesses) > 0 || !strings.HasPrefix(err.Error(), c.number) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if err != nil && (strings.Contains(err.Error(), c.hidden.String()) || strings.Contains(err.Error(), c.hidden.Plain())) {
			t.Errorf("%s: the error contains the hidden board: %v", name, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if r, err := s.Review(ended, Played{d, []pokle.Board{other}, hidden}); !errors.Is(err, context.Canceled) || len(r.Guesses) > 0 {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
	if r := mustReview(t, &s, Played{Deal: d, Hidden: hidden}); len(r.Guesses) != 0 || len(r.Line) == 0 {
		t.Errorf("without a guess: %+v", r)
	}
}

// TestReviewWorkIsBounded: where the work or the time is not enough, the skill is not proven.
func TestReviewWorkIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	d := mustSamples(t)[2].deal()
	ended, end := context.WithCancel(t.Context())
	end()
	few := mustList(t, d)[:ByBitsAbove]
	huge := mustDeal(t, large[0].holes, large[0].places)
	for name, c := range map[string]struct {
		ctx    context.Context
		deal   pokle.Deal
		boards []pokle.Board
		proven bool
	}{
		"many":          {t.Context(), d, mustList(t, d), true},
		"too many":      {t.Context(), huge, mustList(t, huge), false},
		"few":           {t.Context(), d, few, true},
		"few, no time":  {ended, d, few, false},
		"many, no time": {ended, d, mustList(t, d), false},
	} {
		step := Step{Guess: c.boards[9], Feedback: d.Score(c.boards[9], c.boards[0])}
		if got := judge(c.ctx, c.deal, c.boards, step, choose(c.ctx, c.deal, c.boards, len(c.boards))); got.Proven != c.proven || got.Skill < 0 || got.Skill > 99 || got.Best == (pokle.Board{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// large are deals with many boards, drawn like those of [Solver.Generate], without its bounds.
var large = []struct{ holes, places [3]string }{
	{[3]string{"9S 10H", "8C 5S", "3D 4S"}, [3]string{"1 3 2", "2 3 1", "1 3 2"}}, // 20 326
	{[3]string{"10S QH", "3H 8C", "2C 7H"}, [3]string{"2 1 3", "3 1 2", "1 2 3"}}, // 25 403
	{[3]string{"QS 10C", "3S QD", "7C 4D"}, [3]string{"1 2 3", "2 3 1", "1 3 2"}}, // 28 834
}

func mustDeal(tb testing.TB, holes, places [3]string) pokle.Deal {
	tb.Helper()
	var d pokle.Deal
	for i := range d.Holes {
		var err error
		if d.Holes[i], err = pokle.ParseHole(holes[i]); err != nil {
			tb.Fatal(err)
		}
		if d.Places[i], err = pokle.ParsePlaces(places[i]); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}
