package boards

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"fivefold/game/pokle"
)

// Puzzle is a deal made for players, with the board to find.
type Puzzle struct {
	Deal   pokle.Deal
	Hidden pokle.Board // canonical
	Boards int         // how many fit the deal, the hidden one among them
}

// How many boards may fit the deal of a puzzle. Of the published deals some have two
// and some 29 000; nearly all are between these.
const (
	fewestBoards = 50
	mostBoards   = 15000
)

// generate is [Solver.Generate], and returns the list of the deal too.
func generate(ctx context.Context, seed uint64) (Puzzle, List, error) {
	// Puzzles that were played depend on every draw: nothing here may change.
	source := rand.NewPCG(seed, 0x706f6b6c65) // "pokle"
	for {
		if err := ctx.Err(); err != nil {
			return Puzzle{}, List{}, fmt.Errorf("making a puzzle: %w", err)
		}
		d, hidden := drawDeal(source)
		if !likePublished(d, hidden) {
			continue
		}
		l := newLister(d, false)
		l.most = mostBoards
		if err := l.flops(ctx); err != nil {
			return Puzzle{}, List{}, err
		}
		if n := len(l.Boards); n >= fewestBoards && n <= mostBoards {
			return Puzzle{Deal: d, Hidden: hidden, Boards: n}, l.List, nil
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

// draw returns a number below n, all equally likely. The functions of math/rand/v2 for
// this may change with a release of Go; its sources may not.
func draw(source *rand.PCG, n int) int {
	// The upper half of a product with n is below n. The lowest 2⁶⁴ mod n values of
	// the lower half are left out, so that each number comes from equally many of the rest.
	for {
		high, low := bits.Mul64(source.Uint64(), uint64(n))
		if low >= -uint64(n)%uint64(n) {
			return int(high)
		}
	}
}

// likePublished reports whether a deal with its board is like the published ones, apart
// from the number of boards.
func likePublished(d pokle.Deal, hidden pokle.Board) bool {
	flop, turn, river := d.Places[pokle.Flop], d.Places[pokle.Turn], d.Places[pokle.River]
	tied := flop[0] == flop[1] || flop[0] == flop[2] || flop[1] == flop[2]
	return flop != turn && turn != river && !tied && d.Fits(hidden) == nil
}
