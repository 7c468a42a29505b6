package poker

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
			if len(l) > 2000 && testing.Short() {
				return
			}
			if _, err := Best(t.Context(), nil); !errors.Is(err, ErrNothingFits) {
				t.Errorf("of no boards: %v", err)
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
	for range 3 {
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
		for range 1000 {
			_, b := randomDeal(random)
			check(b)
		}
		for range 200 { // like one that is listed, but for a card
			b := l[random.IntN(len(l))]
			b[random.IntN(len(b))] = pokle.Card(random.IntN(pokle.Deck))
			check(b)
		}
	}
	if listed < 30 {
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

// TestRankAgainstPlain counts the feedback of each board and of mixes as a game gives it.
// Mixes are allowed, differ from each other and from the boards, and have each card in a
// place where a board has it.
func TestRankAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 5))
	for _, s := range mustSamples(t) {
		d := s.deal()
		boards := neighbours(random, mustList(t, d), 60)
		r := newRanking(boards)
		r.accepting = true
		mixes := r.mixes(300)
		var want []pokle.Board
		for _, m := range mixes {
			want = append(want, m...)
			for _, b := range m {
				if slices.Contains(boards, b) || d.Allows(b) != nil {
					t.Errorf("%s: the mix %v is possible or not allowed", s.Name, b)
				}
				for i, c := range b {
					if !slices.ContainsFunc(boards, func(p pokle.Board) bool { return p[i] == c || i < 3 && p.Cards(pokle.Flop).Has(c) }) {
						t.Errorf("%s: the mix %v has %v where no board has it", s.Name, b, c)
					}
				}
			}
		}
		if len(want) < 5 {
			t.Errorf("%s: %d mixes", s.Name, len(want))
		}
		all := r.rank(t.Context(), 1, slices.Concat(r.sample(len(boards)), mixes))
		slices.SortFunc(all, rankedGuess.compare)
		var got []pokle.Board
		for _, g := range all {
			got = append(got, g.board)
			score := pokle.Score
			if g.possible {
				score = d.Score
			}
			if bits := bitsPlain(score, g.board, boards); math.Abs(entropy.Of(len(boards), g.logs)-bits) > 1e-6 {
				t.Errorf("%s: %+v has %v bits, want %v", s.Name, g, entropy.Of(len(boards), g.logs), bits)
			}
		}
		first := all[slices.IndexFunc(all, func(g rankedGuess) bool { return g.possible })].board
		if best, _ := bestPlain(d.Score, boards); first != best {
			t.Errorf("%s: the best board is %v, want %v", s.Name, first, best)
		}
		want = append(want, boards...)
		slices.SortFunc(got, pokle.Board.Compare)
		slices.SortFunc(want, pokle.Board.Compare)
		if !slices.Equal(got, want) || len(slices.Compact(want)) < len(got) {
			t.Errorf("%s: ranked are %v, want %v", s.Name, got, want)
		}
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
