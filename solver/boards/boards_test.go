package boards

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"fivefold/game/pokle"
	"fivefold/game/racetest"
)

// sample is a deal of game/pokle/testdata/cases.json and what is known of its boards.
type sample struct {
	Name                 string
	Hands                [pokle.Players]pokle.Hole
	Places               struct{ Flop, Turn, River pokle.Places }
	Flops, Turns, Boards int
	SHA256               string
	BestEntropyBits      float64 `json:"best_entropy_bits"`
}

func (s sample) deal() pokle.Deal {
	return pokle.Deal{Holes: s.Hands, Places: [pokle.Streets]pokle.Places{s.Places.Flop, s.Places.Turn, s.Places.River}}
}

func mustSamples(tb testing.TB) []sample {
	tb.Helper()
	text, err := os.ReadFile("../../game/pokle/testdata/cases.json")
	if err != nil {
		tb.Fatal(err)
	}
	var file struct{ Cases []sample }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) != 5 {
		tb.Fatalf("%d samples, %v", len(file.Cases), err)
	}
	return file.Cases
}

func mustList(tb testing.TB, d pokle.Deal) List {
	tb.Helper()
	l, err := Fitting(tb.Context(), d)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestSamples(t *testing.T) {
	for _, s := range mustSamples(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			l := mustList(t, s.deal())
			if l.Flops != s.Flops || l.Turns != s.Turns || len(l.Boards) != s.Boards || l.Loose {
				t.Errorf("got %d flops, %d turns, %d boards, loose %t; want %d, %d, %d", l.Flops, l.Turns, len(l.Boards), l.Loose, s.Flops, s.Turns, s.Boards)
			}
			var lines []string
			for _, b := range l.Boards {
				lines = append(lines, b.Plain()+"\n")
			}
			slices.Sort(lines)
			sum := sha256.Sum256([]byte(strings.Join(lines, "")))
			if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
				t.Errorf("the boards have the sum %s, want %s", got, s.SHA256)
			}
			if !slices.IsSortedFunc(l.Boards, pokle.Board.Compare) {
				t.Error("the boards are out of order")
			}
			if len(l.Boards) > 2000 && (testing.Short() || racetest.Enabled) {
				return
			}
			best, err := Best(t.Context(), l.Boards)
			if err != nil || math.Abs(best.Entropy-s.BestEntropyBits) > 1e-6 || !best.Proven || best.Remaining != s.Boards {
				t.Errorf("got %+v, %v, want %v bits", best, err, s.BestEntropyBits)
			}
		})
	}
}

// randomDeal returns the deal of random holes and a random board, whether that has
// all of its cards used or not.
func randomDeal(random *rand.Rand) (pokle.Deal, pokle.Board) {
	cards := random.Perm(pokle.Deck)
	card := func(i int) pokle.Card { return pokle.Card(cards[i]) }
	var holes [pokle.Players]pokle.Hole
	for i := range holes {
		holes[i] = pokle.Hole{card(2 * i), card(2*i + 1)}
	}
	b := pokle.Board{card(6), card(7), card(8), card(9), card(10)}.Canonical()
	return pokle.NewDeal(holes, b), b
}

// TestFittingAgainstPlain asks of random boards whether they fit, by the rules, and
// whether they are listed.
func TestFittingAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	listed := 0
	for range racetest.Cases(10) {
		d, hidden := randomDeal(random)
		l := mustList(t, d)
		has := func(b pokle.Board) bool {
			_, found := slices.BinarySearchFunc(l.Boards, b, pokle.Board.Compare)
			return found
		}
		if got, want := has(hidden), d.Fits(hidden) == nil || l.Loose; got != want {
			t.Errorf("%+v: %v is listed: got %t, want %t", d, hidden, got, want)
		}
		check := func(b pokle.Board) {
			err := d.Fits(b)
			want := err == nil || l.Loose && errors.Is(err, pokle.ErrUnused)
			if want {
				listed++
			}
			if got := has(b.Canonical()); got != want {
				t.Fatalf("%+v: %v is listed: got %t, want %t (%v)", d, b, got, want, err)
			}
		}
		for range racetest.Cases(2000) {
			_, b := randomDeal(random)
			check(b)
		}
		for range racetest.Cases(200) { // like one that is listed, but for a card
			b := l.Boards[random.IntN(len(l.Boards))]
			b[random.IntN(len(b))] = pokle.Card(random.IntN(pokle.Deck))
			check(b)
		}
	}
	if listed < racetest.Cases(racetest.Cases(100)) { // of fewer deals, fewer boards
		t.Errorf("%d boards that are listed: too few", listed)
	}
}

// TestLoose lists without the rule of use: all that keeps to the places, and no more.
func TestLoose(t *testing.T) {
	unused := 0
	for _, s := range mustSamples(t) {
		l := newLister(s.deal(), true)
		if err := l.flops(t.Context()); err != nil {
			t.Fatal(err)
		}
		used := 0
		for _, b := range l.Boards {
			switch err := s.deal().Fits(b); {
			case err == nil:
				used++
			case errors.Is(err, pokle.ErrUnused):
				unused++
			default:
				t.Errorf("%s: %v is listed: %v", s.Name, b, err)
			}
		}
		if used != s.Boards {
			t.Errorf("%s: %d boards that use all cards, want %d", s.Name, used, s.Boards)
		}
	}
	if unused == 0 {
		t.Error("no board has an unused card")
	}
}

func TestFittingRefuses(t *testing.T) {
	d, _ := randomDeal(rand.New(rand.NewPCG(3, 5)))
	twice := d
	twice.Holes[1] = twice.Holes[0]
	badPlaces := d
	badPlaces.Places[1] = pokle.Places{1, 3, 3}
	ended, end := context.WithCancel(t.Context())
	end()
	var cardTwice *pokle.TwiceError
	if _, err := Fitting(t.Context(), twice); !errors.As(err, &cardTwice) {
		t.Errorf("a card twice: %v", err)
	}
	var street *pokle.StreetError
	if _, err := Fitting(t.Context(), badPlaces); !errors.As(err, &street) {
		t.Errorf("no places: %v", err)
	}
	if _, err := Fitting(ended, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// Two pairs of aces cannot swap first and last place twice.
	holes := [pokle.Players]pokle.Hole{}
	for i, text := range []string{"AH AD", "AC AS", "KH KD"} {
		hole, err := pokle.ParseHole(text)
		if err != nil {
			t.Fatal(err)
		}
		holes[i] = hole
	}
	never := pokle.Deal{Holes: holes, Places: [pokle.Streets]pokle.Places{{1, 3, 2}, {3, 1, 2}, {1, 3, 2}}}
	if l, err := Fitting(t.Context(), never); !errors.Is(err, ErrNothingFits) {
		t.Errorf("no board can do that: got %d boards, %v", len(l.Boards), err)
	}
}

func TestAfter(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	for range racetest.Cases(4) {
		d, _ := randomDeal(random)
		all := mustList(t, d).Boards
		hidden := all[random.IntN(len(all))]
		var steps []Step
		for range 3 {
			guess := all[random.IntN(len(all))]
			steps = append(steps, Step{Guess: guess, Feedback: d.Score(guess, hidden)})
			left := After(d, all, steps)
			if !slices.Contains(left, hidden) {
				t.Errorf("%+v: %v is gone after %v", d, hidden, steps)
			}
			next := 0 // of those that stay
			for _, b := range all {
				want := !slices.ContainsFunc(steps, func(s Step) bool { return d.Score(s.Guess, b) != s.Feedback })
				got := next < len(left) && left[next] == b
				if got {
					next++
				}
				if got != want {
					t.Fatalf("%+v, %v: %v stays: got %t, want %t", d, steps, b, got, want)
				}
			}
		}
	}
}

// TestAfterNearMiss: a board that is accepted in place of the hidden one leaves that
// one possible.
func TestAfterNearMiss(t *testing.T) {
	found := 0
	for _, s := range mustSamples(t) {
		d := s.deal()
		all := mustList(t, d).Boards
		for i, b := range all[1:] {
			hidden := all[i]
			if pokle.Score(b, hidden) == pokle.AllGreen || d.Score(b, hidden) != pokle.AllGreen {
				continue
			}
			found++
			if left := After(d, all, []Step{{Guess: b, Feedback: pokle.AllGreen}}); !slices.Contains(left, hidden) || !slices.Contains(left, b) {
				t.Errorf("%s: after %v, all green, %v or itself is gone", s.Name, b, hidden)
			}
			break
		}
	}
	if found == 0 {
		t.Error("no two boards that are taken for each other")
	}
}

// TestBestAgainstPlain counts the feedback of every guess again.
func TestBestAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range racetest.Cases(10) {
		d, _ := randomDeal(random)
		boards := mustList(t, d).Boards
		random.Shuffle(len(boards), func(i, j int) { boards[i], boards[j] = boards[j], boards[i] })
		boards = boards[:min(len(boards), 1+random.IntN(200))]
		slices.SortFunc(boards, pokle.Board.Compare)
		entropy := func(guess pokle.Board) float64 {
			counts := map[pokle.Feedback]int{}
			for _, b := range boards {
				counts[pokle.Score(guess, b)]++
			}
			bits := 0.0
			for _, x := range counts {
				p := float64(x) / float64(len(boards))
				bits -= p * math.Log2(p)
			}
			return bits
		}
		most, first := -1.0, pokle.Board{}
		for _, b := range boards {
			if e := entropy(b); e > most+1e-9 {
				most, first = e, b
			}
		}
		got, err := Best(t.Context(), boards)
		if err != nil || !got.Proven || math.Abs(got.Entropy-most) > 1e-6 || got.Board != first {
			t.Errorf("among %d boards: got %+v, %v, want %v with %v bits", len(boards), got, err, first, most)
		}
		again, err := Best(t.Context(), boards)
		if err != nil || again != got {
			t.Errorf("again: got %+v, %v, want %+v", again, err, got)
		}
	}
	if _, err := Best(t.Context(), nil); !errors.Is(err, ErrNothingFits) {
		t.Errorf("of no boards: %v", err)
	}
}

// TestBestIsAnytime: without any time there is a board, and no claim.
func TestBestIsAnytime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, s := range mustSamples(t) {
		l := mustList(t, s.deal())
		got, err := Best(ctx, l.Boards)
		if err != nil || got.Proven || got.Entropy <= 0 || !slices.Contains(l.Boards, got.Board) {
			t.Errorf("%s: got %+v, %v", s.Name, got, err)
		}
	}
}

func TestSpread(t *testing.T) {
	for n := 1; n < 500; n++ {
		seen := map[int]bool{}
		for i := range n {
			seen[i*spread(n)%n] = true
		}
		if len(seen) != n {
			t.Errorf("of %d places it comes to %d", n, len(seen))
		}
	}
}

func BenchmarkFitting(b *testing.B) {
	for _, s := range mustSamples(b) {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				mustList(b, s.deal())
			}
		})
	}
}

func BenchmarkBest(b *testing.B) {
	for _, s := range mustSamples(b) {
		boards := mustList(b, s.deal()).Boards
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Best(b.Context(), boards); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
