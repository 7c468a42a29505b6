package boards

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/pokle"
	"fivefold/game/racetest"
)

func mustGenerate(tb testing.TB, seed uint64) Puzzle {
	tb.Helper()
	p, err := new(Solver).Generate(tb.Context(), seed)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// golden are puzzles as they are for ever: players have played them. Whoever changes
// one changes a game that was reviewed, and a difficulty that was shown.
var golden = []struct {
	seed       uint64
	holes      string
	hidden     string
	boards     int
	difficulty Difficulty
	guesses    int
}{
	{0x0, "3S KH, 5D 2D, QS KC", "2S 4C 5S 6D 3H", 6777, Easy, 3},
	{0x1, "AD 7H, 3H 9S, KH JH", "5H 5S 6D 9H 8H", 3026, Easy, 3},
	{0x2, "3S 2S, JD AS, 2C QC", "2H 3C AH JH 2D", 545, Medium, 4},
	{0x3, "8C 5S, JD 8S, 9S 10H", "2C 2H 5D JH 9D", 3431, Easy, 3},
	{0x4, "3S 7H, JH 2C, QD AH", "9H 9S AD 7S JS", 12562, Hard, 7},
	{0x5, "QS 7H, 3S QH, 9H 5S", "3H 5H 6C 7D 8C", 1930, Easy, 2},
	{0x8, "4H 8D, KS 6S, 5H 4D", "5S 7C 9H 6D 3S", 5574, Medium, 4},
	{0xd, "2H QD, 8S 3D, 4S 9S", "9D JD KD QH 10D", 8402, Easy, 3},
	{0x2db, "5S 9H, JD 4C, AH QD", "4H 9D JS AC QH", 2004, Easy, 3}, // 48 boards fit the first deal
	{0x7ea, "AS 4D, 8H 6D, 4C KS", "JC QC AD 10S 9D", 6061, Easy, 3},
	{0x8000000000000000, "6D 8D, 3H 10H, 7S 8C", "5C 6H 9D 10S 7D", 1319, Medium, 4},
	{0xffffffffffffffff, "5S QS, 8D 6H, JS KH", "2D 4S 5C 3S KS", 13734, Medium, 4},
}

func TestGolden(t *testing.T) {
	racetest.Skip(t)
	for _, want := range golden {
		p := mustGenerate(t, want.seed)
		holes := p.Deal.Holes[0].Plain() + ", " + p.Deal.Holes[1].Plain() + ", " + p.Deal.Holes[2].Plain()
		if holes != want.holes || p.Hidden.Plain() != want.hidden || p.Boards != want.boards {
			t.Errorf("seed %d: got %s, hidden %s, %d boards, want %+v", want.seed, holes, p.Hidden.Plain(), p.Boards, want)
		}
		difficulty, guesses, err := new(Solver).Rate(t.Context(), p)
		if difficulty != want.difficulty || guesses != want.guesses || err != nil {
			t.Errorf("seed %d: got %v, %d guesses, %v, want %v, %d", want.seed, difficulty, guesses, err, want.difficulty, want.guesses)
		}
	}
}

// TestGenerate: puzzles are like the published ones.
func TestGenerate(t *testing.T) {
	seen := map[pokle.Deal]bool{}
	seeds := uint64(100)
	if testing.Short() {
		seeds = 20
	}
	if racetest.Enabled {
		seeds = 5
	}
	for seed := range seeds {
		p := mustGenerate(t, seed)
		if err := p.Deal.Fits(p.Hidden); err != nil || p.Hidden != p.Hidden.Canonical() {
			t.Errorf("seed %d: %v does not fit: %v", seed, p.Hidden, err)
		}
		l := mustList(t, p.Deal)
		if p.Boards != len(l.Boards) || p.Boards < 50 || p.Boards > 15000 || l.Loose {
			t.Errorf("seed %d: %d boards, listed are %d, loose %t", seed, p.Boards, len(l.Boards), l.Loose)
		}
		places := p.Deal.Places
		if places[0] == places[1] || places[1] == places[2] {
			t.Errorf("seed %d: the order stays: %v", seed, places)
		}
		if slices.Sort(places[0][:]); places[0] != (pokle.Places{1, 2, 3}) {
			t.Errorf("seed %d: equal hands on the flop: %v", seed, p.Deal.Places)
		}
		if seen[p.Deal] {
			t.Errorf("seed %d: the puzzle of another one", seed)
		}
		seen[p.Deal] = true
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if p, err := new(Solver).Generate(ended, 1); p != (Puzzle{}) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", p, err)
	}
}

// TestLikePublished counts why random deals are refused, each reason by itself.
func TestLikePublished(t *testing.T) {
	source := rand.NewPCG(2, 2)
	only := map[string]int{}
	for range racetest.Cases(200_000) {
		d, b := drawDeal(source)
		var faults []string
		if d.Places[0] == d.Places[1] {
			faults = append(faults, "turn")
		}
		if d.Places[1] == d.Places[2] {
			faults = append(faults, "river")
		}
		flop := d.Places[0]
		if slices.Sort(flop[:]); flop != (pokle.Places{1, 2, 3}) {
			faults = append(faults, "tied")
		}
		if d.Fits(b) != nil {
			faults = append(faults, "unused")
		}
		if got := likePublished(d, b); got != (len(faults) == 0) {
			t.Fatalf("%+v, %v: got %t, though %v", d, b, got, faults)
		}
		if len(faults) < 2 {
			only[strings.Join(faults, "")]++
		}
	}
	if len(only) != 5 {
		t.Errorf("deals with one fault or none: %v, want five kinds", only)
	}
}

// TestListingStops: no more boards are listed than are needed to see that there are
// too many, but for those of one flop.
func TestListingStops(t *testing.T) {
	for _, s := range mustSamples(t) {
		for _, most := range []int{1, 100, s.Boards, 1 << 30} {
			l := newLister(s.deal(), false)
			l.most = most
			if err := l.flops(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := len(l.Boards)
			if got < min(most+1, s.Boards) || got > most+43*42 {
				t.Errorf("%s: %d boards of %d when %d are enough", s.Name, got, s.Boards, most)
			}
		}
	}
}

func TestDraw(t *testing.T) {
	source := rand.NewPCG(1, 1)
	for n := 1; n <= pokle.Deck; n++ {
		counts := make([]int, n)
		for range 200 * n {
			counts[draw(source, n)]++
		}
		for i, x := range counts {
			if x < 120 || x > 280 { // more than five standard deviations away
				t.Errorf("of %d: %d was drawn %d times of %d", n, i, x, 200*n)
			}
		}
	}
	cards := [pokle.Deck]int{}
	for range 10000 {
		d, b := drawDeal(source)
		if d.Allows(b) != nil || d.Validate() != nil || b != b.Canonical() {
			t.Fatalf("%+v, %v", d, b)
		}
		for _, c := range b {
			cards[c]++
		}
	}
	for c, x := range cards {
		if x < 800 || x > 1130 { // 961 with a standard deviation of 29
			t.Errorf("%v was on %d of 10000 boards", pokle.Card(c), x)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	seed := uint64(0)
	for b.Loop() {
		mustGenerate(b, seed)
		seed++
	}
}
