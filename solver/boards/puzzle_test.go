package boards

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/pokle"
)

func mustGenerate(tb testing.TB, seed uint64) Puzzle {
	tb.Helper()
	p, err := new(Solver).Generate(tb.Context(), seed)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// golden are puzzles that must never change: a change to one would change games that were
// played and reviewed. Seeds 0x16 and 0x18 leave out a deal that possible boards alone do not win.
var golden = []struct {
	seed    uint64
	holes   string
	hidden  string
	boards  int
	guesses int
}{
	{0x0, "4H 4C, 5C 9C, QC 6D", "5D 9S QS 4S 6C", 649, 3},
	{0x1, "KD 10H, 3D 9C, 6D QS", "3H 6C 9S 10S 6S", 500, 3},
	{0x2, "3S 2S, JD AS, 2C QC", "2H 3C AH JH 2D", 545, 4},
	{0x3, "2S 6D, QC 4H, 3S KD", "2C 3H 6S QH 4C", 7621, 4},
	{0x4, "7D JC, 9S 5C, 4S KC", "6D 7S AC 8D 5D", 15224, 6},
	{0x5, "9C 10D, 6S 2D, QH JH", "9D 10S JC QS 9S", 21341, 4},
	{0x8, "5S 4D, 10S QD, 3D AC", "3C 3S 5C 10H 10D", 4208, 2},
	{0xd, "6S 7C, 3D 4D, 10S 2C", "2H 6D 7D 10D 2S", 630, 2},
	{0x16, "QH 5C, AD AH, 2S 9H", "3H 4C 7D 6S 5S", 6972, 4},
	{0x18, "8D 7H, 7S JS, 3D 4C", "3H 8C AC JH 3S", 3200, 4},
	{0x33, "7D 10C, 10H AD, 9D JS", "7H 9H QH 10D 8C", 837, 3},
	{0x2db, "4C 3D, QH 5H, 6D 5S", "2H 4D KC 5C AC", 6960, 6},
	{0x7ea, "3S KS, 10D 5D, 6S KC", "3H 5C 9S KD 9D", 2764, 5},
	{0x8000000000000000, "KD JD, QD 4H, 6C 8H", "4D 4S 8C 8D 8S", 68, 2},
	{0xffffffffffffffff, "10D JS, 4C AD, 8D 2D", "8S KC AS 10H QS", 7518, 4},
}

// TestGenerate: puzzles stay the same, are like the published ones, and are won. The lists of
// their boards are kept.
func TestGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	for _, want := range golden {
		var s Solver
		p, err := s.Generate(t.Context(), want.seed)
		if err != nil {
			t.Fatal(err)
		}
		holes := p.Deal.Holes[0].Plain() + ", " + p.Deal.Holes[1].Plain() + ", " + p.Deal.Holes[2].Plain()
		if holes != want.holes || p.Hidden.Plain() != want.hidden || p.Boards != want.boards || p.Guesses != want.guesses {
			t.Errorf("seed %d: got %s, hidden %s, %d boards, %d guesses, want %+v", want.seed, holes, p.Hidden.Plain(), p.Boards, p.Guesses, want)
		}
		if err := p.Deal.Fits(p.Hidden); err != nil || p.Hidden != p.Hidden.Canonical() {
			t.Errorf("seed %d: %v does not fit: %v", want.seed, p.Hidden, err)
		}
		if kept, l := s.cached(p.Deal), mustList(t, p.Deal); p.Boards != len(l) || p.Boards > maxBoards || !slices.Equal(kept, l) {
			t.Errorf("seed %d: %d boards, %d are listed and %d kept", want.seed, p.Boards, len(l), len(kept))
		}
		places := p.Deal.Places
		if places[0] == places[1] || places[1] == places[2] {
			t.Errorf("seed %d: the order stays: %v", want.seed, places)
		}
		if slices.Sort(places[0][:]); places[0] != (pokle.Places{1, 2, 3}) {
			t.Errorf("seed %d: equal hands on the flop: %v", want.seed, p.Deal.Places)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if p, err := new(Solver).Generate(ended, 1); p != (Puzzle{}) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", p, err)
	}
}

func TestDifficulty(t *testing.T) {
	for boards, want := range map[int]string{1: "easy", 650: "easy", 651: "medium", 2900: "medium", 2901: "hard", maxBoards: "hard"} {
		if got := DifficultyOf(boards).String(); got != want {
			t.Errorf("%d boards: %s, want %s", boards, got, want)
		}
	}
}

// TestListingStops: no more boards are listed than are needed to see that there are
// too many, but for those of one flop.
func TestListingStops(t *testing.T) {
	for _, s := range mustSamples(t) {
		for _, most := range []int{1, 100, s.Boards, 1 << 30} {
			l := newLister(s.deal())
			l.limit = most
			if err := l.flops(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := len(l.boards)
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
}

// BenchmarkGenerate makes the deals from number 1 on; with -benchtime 1000x it reports what solver/README.md says of them.
func BenchmarkGenerate(b *testing.B) {
	var fitting, guesses []int
	for b.Loop() {
		p := mustGenerate(b, uint64(len(guesses)+1))
		fitting, guesses = append(fitting, p.Boards), append(guesses, p.Guesses)
	}
	slices.Sort(fitting)
	for _, part := range []int{10, 25, 50, 75, 90, 100} {
		b.ReportMetric(float64(fitting[max(part*len(fitting)/100, 1)-1]), fmt.Sprintf("boards-in-%d%%", part))
	}
	total, in := 0, map[int]int{}
	for _, n := range guesses {
		total += n
		in[n]++
	}
	b.ReportMetric(float64(total)/float64(len(guesses)), "guesses/deal")
	for n, deals := range in {
		b.ReportMetric(float64(deals), fmt.Sprintf("deals-in-%d", n))
	}
}
