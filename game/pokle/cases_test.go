package pokle

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"fivefold/game/racetest"
)

// sample is a deal of testdata/cases.json and what is known of its boards.
type sample struct {
	Name   string
	Hands  [Players]Hole
	Places struct{ Flop, Turn, River Places }

	// The flops that give the right places, the pairs of flop and turn that do,
	// and the boards that fit.
	Flops, Turns, Boards int
	SHA256               string
	BestEntropyBits      float64 `json:"best_entropy_bits"`
}

func (s sample) deal() Deal {
	return Deal{Holes: s.Hands, Places: [Streets]Places{s.Places.Flop, s.Places.Turn, s.Places.River}}
}

func samples(tb testing.TB) []sample {
	tb.Helper()
	var file struct{ Cases []sample }
	mustRead(tb, "cases.json", &file)
	if len(file.Cases) != 5 {
		tb.Fatalf("%d samples, want 5", len(file.Cases))
	}
	return file.Cases
}

// mustSample returns the sample of this name.
func mustSample(tb testing.TB, name string) sample {
	tb.Helper()
	for _, s := range samples(tb) {
		if s.Name == name {
			return s
		}
	}
	tb.Fatalf("no sample %q", name)
	return sample{}
}

// listing is what list finds.
type listing struct {
	flops, turns int
	boards       []Board // canonical ones
}

// list goes through the boards street by street.
func list(d Deal) listing {
	var l listing
	var deck []Card
	holes := d.Holes[0].Cards() | d.Holes[1].Cards() | d.Holes[2].Cards()
	for c := range Card(Deck) {
		if !holes.Has(c) {
			deck = append(deck, c)
		}
	}
	// then calls next with each card that is not on the board, where it leads to
	// the places of the street, and with the cards used so far.
	then := func(s Street, board, used Cards, next func(c Card, used Cards)) {
		for _, c := range deck {
			if board.Has(c) {
				continue
			}
			if places, core := Showdown(d.Hands(board.Add(c))); places == d.Places[s] {
				next(c, used|core)
			}
		}
	}
	for i, third := range deck {
		for j, second := range deck[:i] {
			for _, first := range deck[:j] {
				flop := SetOf(first, second, third)
				places, used := Showdown(d.Hands(flop))
				if places != d.Places[Flop] {
					continue
				}
				l.flops++
				then(Turn, flop, used, func(turn Card, used Cards) {
					l.turns++
					then(River, flop.Add(turn), used, func(river Card, used Cards) {
						if flop.Add(turn).Add(river)&^used == 0 {
							l.boards = append(l.boards, Board{first, second, third, turn, river})
						}
					})
				})
			}
		}
	}
	return l
}

// TestCases lists all boards of the samples, and looks for the guess with
// the most information.
func TestCases(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.Name, func(t *testing.T) {
			l := list(s.deal())
			if l.flops != s.Flops || l.turns != s.Turns || len(l.boards) != s.Boards {
				t.Errorf("%d flops, %d with a turn, %d boards; want %d, %d, %d",
					l.flops, l.turns, len(l.boards), s.Flops, s.Turns, s.Boards)
			}
			var lines []string
			for _, b := range l.boards {
				if err := s.deal().Fits(b); err != nil || b != b.Canonical() {
					t.Fatalf("%v is listed: %v", b, err)
				}
				lines = append(lines, b.Plain()+"\n")
			}
			slices.Sort(lines)
			sum := sha256.Sum256([]byte(strings.Join(lines, "")))
			if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
				t.Errorf("the list has the sum %s, want %s", got, s.SHA256)
			}
			if (testing.Short() || racetest.Enabled) && len(l.boards) > 2000 {
				return
			}
			if got := bestEntropy(l.boards); math.Abs(got-s.BestEntropyBits) > 1e-6 {
				t.Errorf("the best guess gives %.6f bits, want %.6f", got, s.BestEntropyBits)
			}
		})
	}
}

// bestEntropy returns the highest Shannon entropy, in bits, of the feedback that
// one of the boards gets when all are equally likely to be hidden.
func bestEntropy(boards []Board) float64 {
	best := 0.0
	for _, guess := range boards {
		var counts [Feedbacks]int
		for _, hidden := range boards {
			counts[Score(guess, hidden)]++
		}
		bits := 0.0
		for _, n := range counts {
			if n > 0 {
				p := float64(n) / float64(len(boards))
				bits -= p * math.Log2(p)
			}
		}
		best = max(best, bits)
	}
	return best
}

// BenchmarkList lists the boards of the sample with the most turns to look at.
func BenchmarkList(b *testing.B) {
	d := mustSample(b, "readme").deal()
	for b.Loop() {
		sink += uint64(len(list(d).boards))
	}
}
