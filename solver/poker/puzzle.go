package poker

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

// Puzzle is a deal made for players, with the board to find.
type Puzzle struct {
	Deal   pokle.Deal
	Hidden pokle.Board // canonical
}

// maxBoards is the most boards that may fit the deal of a puzzle. The published deals keep to it.
const maxBoards = 29000

// Generate makes the puzzle of a seed. A seed has the same puzzle in every release and on every machine. As in the
// published puzzles, all cards of the board are used, the turn and the river each change the places, and no hands are
// equal on the flop.
//
// Deals that are drawn evenly are harder than the published ones: eight times as many boards fit, and fewer hidden
// cards have a rank that a player holds. Half of the published games 746 to 798 have at most 1410 boards. All 5
// hidden cards have such a rank in 21 of the games, 4 in 14, 3 in 14, and 2 in 4. So Generate accepts a deal with n
// boards with a probability of about 1 / √n, times 1 / 4 for each hidden card whose rank no player holds.
//
// The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) Generate(ctx context.Context, seed uint64) (Puzzle, error) {
	permit, err := s.begin(ctx, parallel.Search)
	if err != nil {
		return Puzzle{}, err
	}
	defer permit.Release()
	// Puzzles that were played depend on every draw, so nothing here may change.
	source := rand.NewPCG(seed, 0x706f6b6c65) // "pokle"
	choice := rand.NewPCG(seed, 5)
	for {
		if err := ctx.Err(); err != nil {
			return Puzzle{}, fmt.Errorf("making a puzzle: %w", err)
		}
		d, hidden := drawDeal(source)
		if !likePublished(d, hidden) || draw(choice, 1<<(2*unheld(d, hidden))) > 0 {
			continue
		}
		l := newLister(d)
		k := 1 + draw(choice, 20)
		l.limit = maxBoards / (k * k) // at least n if k is at most √(maxBoards / n)
		if err := l.flops(ctx); err != nil {
			return Puzzle{}, err
		}
		if len(l.boards) <= l.limit {
			s.store(d, l.boards)
			return Puzzle{d, hidden}, nil
		}
	}
}

// drawDeal draws eleven cards and returns the deal and its board.
func drawDeal(source *rand.PCG) (pokle.Deal, pokle.Board) {
	var deck [pokle.Deck]pokle.Card
	for i := range deck {
		deck[i] = pokle.Card(i)
	}
	for i := range pokle.Players*pokle.HoleCards + pokle.BoardCards {
		j := i + draw(source, len(deck)-i)
		deck[i], deck[j] = deck[j], deck[i]
	}
	var holes [pokle.Players]pokle.Hole
	for i := range holes {
		holes[i] = pokle.Hole(deck[i*pokle.HoleCards:])
	}
	b := pokle.Board(deck[pokle.Players*pokle.HoleCards:]).Canonical()
	return pokle.NewDeal(holes, b), b
}

// draw returns a number from 0 to n-1, each equally likely. It does not call the functions of math/rand/v2 for this:
// a release of Go may change them, but not the sources.
func draw(source *rand.PCG, n int) int {
	// The upper half of a product with n is below n. Without the lowest 2⁶⁴ mod n values
	// of the lower half, each number comes from equally many of the rest.
	for {
		high, low := bits.Mul64(source.Uint64(), uint64(n))
		if low >= -uint64(n)%uint64(n) {
			return int(high)
		}
	}
}

// likePublished reports whether a deal and its board follow the rules of the published ones.
func likePublished(d pokle.Deal, hidden pokle.Board) bool {
	flop, turn, river := d.Places[pokle.Flop], d.Places[pokle.Turn], d.Places[pokle.River]
	tied := flop[0] == flop[1] || flop[0] == flop[2] || flop[1] == flop[2]
	return flop != turn && turn != river && !tied && d.Fits(hidden) == nil
}

// unheld counts the cards of the board whose rank no player holds.
func unheld(d pokle.Deal, b pokle.Board) int {
	held, n := 0, 0
	for _, hole := range d.Holes {
		held |= 1<<hole[0].Rank() | 1<<hole[1].Rank()
	}
	for _, c := range b {
		n += 1 - held>>c.Rank()&1
	}
	return n
}
