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
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game/pokle"
	"fivefold/game/racetest"
	"fivefold/solver/entropy"
)

// sample is a deal of game/pokle/testdata/cases.json and what is known of its boards.
type sample struct {
	Name            string
	Hands           [pokle.Players]pokle.Hole
	Places          struct{ Flop, Turn, River pokle.Places }
	Boards          int
	SHA256          string
	BestEntropyBits float64 `json:"best_entropy_bits"`
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

func mustList(tb testing.TB, d pokle.Deal) []pokle.Board {
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
			var lines []string
			for _, b := range l {
				lines = append(lines, b.Plain()+"\n")
			}
			slices.Sort(lines)
			sum := sha256.Sum256([]byte(strings.Join(lines, "")))
			if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
				t.Errorf("the boards have the sum %s, want %s", got, s.SHA256)
			}
			if !slices.IsSortedFunc(l, pokle.Board.Compare) {
				t.Error("the boards are out of order")
			}
			if len(l) > 2000 && (testing.Short() || racetest.Enabled) {
				return
			}
			best, err := Best(t.Context(), l)
			if err != nil || len(l) != s.Boards || math.Abs(best.Entropy-s.BestEntropyBits) > 1e-6 || !best.Proven || best.Remaining != s.Boards {
				t.Errorf("got %+v, %v, want %v bits", best, err, s.BestEntropyBits)
			}
		})
	}
}

// randomDeal returns the deal of random holes and a random board that fits it.
func randomDeal(random *rand.Rand) (pokle.Deal, pokle.Board) {
	for source := rand.NewPCG(random.Uint64(), 0); ; {
		if d, b := drawDeal(source); d.Fits(b) == nil {
			return d, b
		}
	}
}

// TestFittingAgainstPlain asks of random boards whether they fit, by the rules, and
// whether they are listed.
func TestFittingAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	listed := 0
	for range racetest.Cases(5) {
		d, hidden := randomDeal(random)
		l := mustList(t, d)
		check := func(b pokle.Board) {
			want := d.Fits(b) == nil
			if want {
				listed++
			}
			if _, got := slices.BinarySearchFunc(l, b.Canonical(), pokle.Board.Compare); got != want {
				t.Fatalf("%+v: %v is listed: got %t, want %t", d, b, got, want)
			}
		}
		check(hidden)
		for range racetest.Cases(1000) {
			_, b := randomDeal(random)
			check(b)
		}
		for range racetest.Cases(200) { // like one that is listed, but for a card
			b := l[random.IntN(len(l))]
			b[random.IntN(len(b))] = pokle.Card(random.IntN(pokle.Deck))
			check(b)
		}
	}
	if listed < racetest.Cases(racetest.Cases(50)) { // of fewer deals, fewer boards
		t.Errorf("%d boards that are listed: too few", listed)
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
	if _, err := Fitting(t.Context(), twice); !errors.As(err, new(*pokle.TwiceError)) {
		t.Errorf("a card twice: %v", err)
	}
	if _, err := Fitting(t.Context(), badPlaces); !errors.As(err, new(*pokle.StreetError)) {
		t.Errorf("no places: %v", err)
	}
	if _, err := Fitting(ended, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// Two pairs of aces cannot swap first and last place twice.
	never := mustDeal(t, [3]string{"AH AD", "AC AS", "KH KD"}, [3]string{"1 3 2", "3 1 2", "1 3 2"})
	if l, err := Fitting(t.Context(), never); !errors.Is(err, ErrNothingFits) {
		t.Errorf("no board can do that: got %d boards, %v", len(l), err)
	}
}

func TestAfter(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	for range racetest.Cases(4) {
		d, _ := randomDeal(random)
		all := mustList(t, d)
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

// TestBestAgainstPlain counts the feedback of every guess again, by the cards alone and as a
// game gives it, and that of mixes.
func TestBestAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range racetest.Cases(10) {
		d, _ := randomDeal(random)
		boards := neighbours(random, mustList(t, d), 60)
		got, err := Best(t.Context(), boards)
		if best, most := bestPlain(pokle.Score, boards); err != nil || !got.Proven || !got.Possible || math.Abs(got.Entropy-most) > 1e-6 || got.Board != best || got.Remaining != len(boards) {
			t.Errorf("among %d boards: got %+v, %v, want %v with %v bits", len(boards), got, err, best, most)
		}
		r := newRanking(boards)
		r.accepting = true
		all := r.rank(t.Context(), 1, slices.Concat(r.sample(len(boards)), r.mixes(50)))
		possible := 0
		for _, g := range all {
			score := pokle.Score
			if g.possible {
				possible++
				score = d.Score
			}
			if bits := bitsPlain(score, g.board, boards); math.Abs(entropy.Of(len(boards), g.logs)-bits) > 1e-6 {
				t.Errorf("among %d boards: %+v has %v bits, want %v", len(boards), g, entropy.Of(len(boards), g.logs), bits)
			}
		}
		slices.SortFunc(all, rankedGuess.compare)
		own := slices.DeleteFunc(all, func(g rankedGuess) bool { return !g.possible })
		if best, _ := bestPlain(d.Score, boards); possible != len(boards) || own[0].board != best {
			t.Errorf("the best of %d is %v, want %v", possible, own[0].board, best)
		}
	}
	if _, err := Best(t.Context(), nil); !errors.Is(err, ErrNothingFits) {
		t.Errorf("of no boards: %v", err)
	}
}

// bestPlain returns the first of the boards with the most bits.
func bestPlain(score func(guess, hidden pokle.Board) pokle.Feedback, boards []pokle.Board) (best pokle.Board, most float64) {
	most = -1
	for _, b := range boards {
		if bits := bitsPlain(score, b, boards); bits > most+1e-9 {
			best, most = b, bits
		}
	}
	return best, most
}

// TestMixes: mixes may be guessed, are not possible, have cards of possible boards in their places, and are the
// same each time.
func TestMixes(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 5))
	mixed := 0
	for range racetest.Cases(10) {
		d, _ := randomDeal(random)
		boards := neighbours(random, mustList(t, d), 60)
		groups := newRanking(boards).mixes(300)
		if !reflect.DeepEqual(groups, newRanking(boards).mixes(300)) {
			t.Errorf("of %v: other mixes", boards)
		}
		seen := map[pokle.Board]bool{}
		for _, g := range groups {
			for _, b := range g.boards {
				if seen[b] || g.possible || slices.Contains(boards, b) || d.Allows(b) != nil || b.Cards(pokle.Flop) != g.boards[0].Cards(pokle.Flop) {
					t.Errorf("%v, possible %v, seen %v, allowed %v", b, g.possible, seen[b], d.Allows(b))
				}
				seen[b] = true
				for i, c := range b {
					if !slices.ContainsFunc(boards, func(p pokle.Board) bool { return p[i] == c || i < 3 && p.Cards(pokle.Flop).Has(c) }) {
						t.Errorf("%v: %v is in its place on no board", b, c)
					}
				}
			}
		}
		mixed += len(seen)
	}
	if mixed < racetest.Cases(300) {
		t.Errorf("only %d mixes", mixed)
	}
}

// bitsPlain returns the information of a guess with the score, in bits.
func bitsPlain(score func(guess, hidden pokle.Board) pokle.Feedback, guess pokle.Board, boards []pokle.Board) float64 {
	counts := map[pokle.Feedback]float64{}
	for _, b := range boards {
		counts[score(guess, b)]++
	}
	bits := 0.0
	for _, x := range counts {
		bits -= x / float64(len(boards)) * math.Log2(x/float64(len(boards)))
	}
	return bits
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
		boards := mustList(b, s.deal())
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Best(b.Context(), boards); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
