package boards

import (
	"context"
	"runtime"
	"sync"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// Suggestion is a board to guess next and what to expect of it.
type Suggestion struct {
	Board pokle.Board
	// Remaining is how many boards are possible now.
	Remaining int
	// Entropy is what the feedback tells on average, in bits, when all boards are
	// equally likely.
	Entropy float64
	// Guesses is how many guesses it takes from here on average, this one included,
	// where [Solver.Suggest] worked it out; 0 otherwise. A board that is not found in
	// time counts as one guess more than there are.
	Guesses float64
	// Proven reports, where there are Guesses, whether no other of the boards needs
	// fewer; elsewhere whether no other tells more: all were looked at.
	Proven bool
}

// Best returns the board, of those that are possible, whose feedback tells most, and
// of equal ones the first. When ctx ends it returns the best of those it has looked
// at, which are spread evenly over all; that is no error. The error is
// [ErrNothingFits] for no boards.
//
// It goes by [pokle.Score], the cards alone. A game accepts boards that are alike for
// each other and does not tell them apart, so there the entropy is a little less:
// where some hundred boards are left, that hardly matters; where a few are, it does,
// and [Solver.Suggest] heeds it.
func Best(ctx context.Context, boards []pokle.Board) (Suggestion, error) {
	if len(boards) == 0 {
		return Suggestion{}, ErrNothingFits
	}
	r := newRanking(boards)
	best, seen := r.best(ctx, r.sample(len(boards)))
	return Suggestion{
		Board: boards[best.guess], Remaining: len(boards),
		Entropy: entropy.Of(len(boards), best.bits), Proven: seen == len(boards),
	}, nil
}

// best returns the best of these guesses, by flop, and how many of them it has looked
// at: at least one, and when ctx ends not all. What is best does not depend on how
// many processors there are.
func (r *ranking) best(ctx context.Context, groups [][]int) (best rankedGuess, seen int) {
	best = rankedGuess{guess: -1}
	var mu sync.Mutex // protects best and seen
	workers := make([]*worker, runtime.GOMAXPROCS(0))
	parallel.Each(ctx, len(workers), len(groups), func(number, i int) {
		if workers[number] == nil {
			workers[number] = r.worker()
		}
		found, looked := workers[number].rank(ctx, groups[i])
		mu.Lock()
		defer mu.Unlock()
		seen += looked
		if found.better(best) {
			best = found
		}
	})
	if seen == 0 { // ctx had ended before
		return r.worker().rank(ctx, groups[0])
	}
	return best, seen
}

// choice is a guess, by its place among the boards, with Σ x·log₂x over the classes
// of x boards that its feedback leaves, as entropy.Logs has it. Whole numbers make it
// the same in any order.
type rankedGuess struct {
	guess int
	bits  int64
}

func (c rankedGuess) better(o rankedGuess) bool {
	return o.guess < 0 || c.bits < o.bits || c.bits == o.bits && c.guess < o.guess
}

// ranking is what is prepared to score boards against boards. Of two boards the
// flops, the turns and the rivers are compared each by itself, and few flops are in
// many boards: so a comparison is three look-ups.
type ranking struct {
	boards []pokle.Board
	flops  []pokle.Board // one board for each flop
	flop   []uint16      // by board, its flop
	groups [][]int       // the boards of each flop
	logs   []int64       // x·log₂x, by x
	// accepting says that a board that is alike is all green, as in a game: see [pokle.Board.Alike].
	accepting bool
}

func newRanking(boards []pokle.Board) *ranking {
	r := &ranking{boards: boards, flop: make([]uint16, len(boards)), logs: entropy.Logs(len(boards))}
	number := map[pokle.Cards]int{}
	for i, b := range boards {
		n, known := number[b.Cards(pokle.Flop)]
		if !known {
			n = len(r.flops)
			number[b.Cards(pokle.Flop)] = n
			r.flops = append(r.flops, b)
			r.groups = append(r.groups, nil)
		}
		r.flop[i] = uint16(n)
		r.groups[n] = append(r.groups[n], i)
	}
	return r
}

// sample returns so many guesses, at most as many as there are boards, by flop. The
// flops are spread evenly over all.
func (r *ranking) sample(guesses int) [][]int {
	var groups [][]int
	step := spread(len(r.groups))
	for i := 0; guesses > 0; i++ {
		group := r.groups[i*step%len(r.groups)]
		group = group[:min(len(group), guesses)]
		guesses -= len(group)
		groups = append(groups, group)
	}
	return groups
}

// spread returns a step through n places that comes to each once, far from the one
// before: near the golden section of n, and without a divisor in common with it.
func spread(n int) int {
	step := max(1, int(float64(n)*0.618))
	for gcd(step, n) != 1 {
		step++
	}
	return step
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// worker ranks groups, for one goroutine.
type worker struct {
	*ranking
	row         []uint8     // by flop, the feedback for the flop of the group
	turn, river [64]uint8   // by card, more than there are, which spares a test
	counts      [256]uint32 // zero between calls
	lanes       [3][256]uint32
}

// longList is the number of boards from which on four histograms, which are summed at
// the end, are worth it.
const longList = 256

func (r *ranking) worker() *worker { return &worker{ranking: r, row: make([]uint8, len(r.flops))} }

// rank returns the best of guesses that have their flop in common, and how many of them
// it has looked at before ctx ended: at least one.
func (w *worker) rank(ctx context.Context, group []int) (best rankedGuess, looked int) {
	for f, b := range w.flops {
		w.row[f] = uint8(pokle.ScoreFlop(w.boards[group[0]], b))
	}
	best = rankedGuess{guess: -1}
	for _, g := range group {
		if looked > 0 && ctx.Err() != nil {
			break
		}
		looked++
		guess := w.boards[g]
		for c := range pokle.Card(pokle.Deck) {
			w.turn[c] = 27 * uint8(pokle.ScoreCard(guess[3], c))
			w.river[c] = 81 * uint8(pokle.ScoreCard(guess[4], c))
		}
		w.count()
		if w.accepting {
			w.accept(g)
		}
		c := rankedGuess{guess: g}
		for f, x := range w.counts[:pokle.Feedbacks] {
			c.bits += w.logs[x]
			w.counts[f] = 0
		}
		if c.better(best) {
			best = c
		}
	}
	return best, looked
}

// count counts the boards by their feedback. Neighbours often have the same; counted
// in one place, each would wait for the one before to be written.
func (w *worker) count() {
	boards, flop := w.boards, w.flop[:len(w.boards)]
	feedback := func(i int) uint8 {
		return w.row[flop[i]] + w.turn[boards[i][3]&63] + w.river[boards[i][4]&63]
	}
	i := 0
	if len(boards) >= longList {
		for ; i+3 < len(boards); i += 4 {
			w.counts[feedback(i)]++
			w.lanes[0][feedback(i+1)]++
			w.lanes[1][feedback(i+2)]++
			w.lanes[2][feedback(i+3)]++
		}
		for f := range w.counts {
			w.counts[f] += w.lanes[0][f] + w.lanes[1][f] + w.lanes[2][f]
		}
		clear(w.lanes[:])
	}
	for ; i < len(boards); i++ {
		w.counts[feedback(i)]++
	}
}

// accept counts as all green what is alike to the guess.
func (w *worker) accept(guess int) {
	g := w.boards[guess]
	for _, i := range w.groups[w.flop[guess]] {
		if b := w.boards[i]; i != guess && g.Alike(b) {
			w.counts[pokle.Score(g, b)]--
			w.counts[pokle.AllGreen]++
		}
	}
}
