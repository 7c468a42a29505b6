package poker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/pokle"
)

// golden are puzzles that must never change: a change to one would change games that were
// played and reviewed.
var golden = []struct {
	seed   uint64
	holes  string
	hidden string
	boards int
}{
	{0x0, "4H 4C, 5C 9C, QC 6D", "5D 9S QS 4S 6C", 649},
	{0x3, "2S 6D, QC 4H, 3S KD", "2C 3H 6S QH 4C", 7621},
	{0x4, "7D JC, 9S 5C, 4S KC", "6D 7S AC 8D 5D", 15224},
	{0x5, "9C 10D, 6S 2D, QH JH", "9D 10S JC QS 9S", 21341},
	{0x2db, "4C 3D, QH 5H, 6D 5S", "2H 4D KC 5C AC", 6960},
	{0x8000000000000000, "KD JD, QD 4H, 6C 8H", "4D 4S 8C 8D 8S", 68},
	{0xffffffffffffffff, "4C 7C, KC JC, 9C 7S", "9H AC AS 4H 4S", 1986},
}

// TestGenerate: puzzles stay the same, and are like the published ones. The lists of their boards are
// kept.
func TestGenerate(t *testing.T) {
	for _, want := range golden {
		var s Solver
		p, err := s.Generate(t.Context(), want.seed)
		if err != nil {
			t.Fatal(err)
		}
		holes := p.Deal.Holes[0].Plain() + ", " + p.Deal.Holes[1].Plain() + ", " + p.Deal.Holes[2].Plain()
		kept, _ := s.cache.Get(p.Deal)
		if holes != want.holes || p.Hidden.Plain() != want.hidden || len(kept) != want.boards {
			t.Errorf("seed %#x: got %s, hidden %s, %d boards, want %+v", want.seed, holes, p.Hidden.Plain(), len(kept), want)
		}
		if err := p.Deal.Fits(p.Hidden); err != nil || p.Hidden != p.Hidden.Canonical() {
			t.Errorf("seed %#x: %v does not fit: %v", want.seed, p.Hidden, err)
		}
		if l := mustList(t, p.Deal); len(l) > maxBoards || !slices.Equal(kept, l) {
			t.Errorf("seed %#x: %d boards are listed and %d kept", want.seed, len(l), len(kept))
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
