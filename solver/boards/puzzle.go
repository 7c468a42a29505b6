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
	Deal    pokle.Deal
	Hidden  pokle.Board // canonical
	Boards  int         // how many fit the deal, the hidden one among them
	Guesses int         // how many are needed if only possible boards are guessed, at most [pokle.Attempts]
}

// mostBoards is how many boards may fit the deal of a puzzle: as many as fit any of the
// published ones.
const mostBoards = 29000

// generate is [Solver.Generate], and returns the boards that fit the deal too.
//
// Deals that are drawn evenly are harder than the published ones: eight times as many
// boards fit, and fewer of the hidden cards have a rank that a player holds. Of the
// published games 746 to 798, half have at most 1410 boards, and 5, 4, 3, or 2 of the
// hidden cards have such a rank in 21, 14, 14, and 4 games. So a deal with n boards is
// taken with a probability of about 1 / √n, and of 1 / 4 for each hidden card whose rank
// no player holds.
func generate(ctx context.Context, seed uint64) (Puzzle, []pokle.Board, error) {
	// Puzzles that were played depend on every draw: nothing here may change.
	source := rand.NewPCG(seed, 0x706f6b6c65) // "pokle"
	choice := rand.NewPCG(seed, 5)
	for {
		if err := ctx.Err(); err != nil {
			return Puzzle{}, nil, fmt.Errorf("making a puzzle: %w", err)
		}
		d, hidden := drawDeal(source)
		if !likePublished(d, hidden) || draw(choice, 1<<(2*strangers(d, hidden))) > 0 {
			continue
		}
		l := newLister(d)
		k := 1 + draw(choice, 20)
		l.most = mostBoards / (k * k) // at least n if k is at most √(mostBoards / n)
		if err := l.flops(ctx); err != nil {
			return Puzzle{}, nil, err
		}
		if len(l.boards) > l.most {
			continue
		}
		steps, err := play(ctx, d, l.boards, hidden, acceptMove)
		if err != nil {
			return Puzzle{}, nil, err
		}
		if n := len(steps); steps[n-1].Feedback == pokle.AllGreen {
			return Puzzle{Deal: d, Hidden: hidden, Boards: len(l.boards), Guesses: n}, l.boards, nil
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

// strangers returns how many cards of the board have a rank that no player holds.
func strangers(d pokle.Deal, b pokle.Board) int {
	held, n := 0, 0
	for _, hole := range d.Holes {
		held |= 1<<hole[0].Rank() | 1<<hole[1].Rank()
	}
	for _, c := range b {
		n += 1 - held>>c.Rank()&1
	}
	return n
}
