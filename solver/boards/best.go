package boards

import (
	"context"
	"runtime"
	"sync"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
)

// Suggestion is a board to guess next and what to expect of it.
type Suggestion struct {
	Board pokle.Board
	// Remaining is how many boards are possible now.
	Remaining int
	// Entropy is what the feedback tells on average, in bits, when all boards are
	// equally likely.
	Entropy float64
	// Proven reports whether no other of the boards tells more: all were looked at.
	Proven bool
}

// Best returns the board, of those that are possible, whose feedback tells most, and
// of equal ones the first. When ctx ends it returns the best of those it has looked
// at, which are spread evenly over all; that is no error. The error is
// [ErrNothingFits] for no boards.
func Best(ctx context.Context, boards []pokle.Board) (Suggestion, error) {
	if len(boards) == 0 {
		return Suggestion{}, ErrNothingFits
	}
	r := newRanking(boards)
	stop := false
	var mu sync.Mutex // protects stop and what is below
	best, seen, next := choice{guess: -1}, 0, 0
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(r.groups)) {
		wait.Go(func() {
			w := r.worker()
			mu.Lock()
			defer mu.Unlock()
			for next < len(r.groups) && !stop {
				group := r.groups[r.order[next]]
				next++
				mu.Unlock()
				found := w.rank(group)
				mu.Lock()
				seen += len(group)
				if found.better(best) {
					best = found
				}
				stop = ctx.Err() != nil
			}
		})
	}
	wait.Wait()
	return Suggestion{
		Board: boards[best.guess], Remaining: len(boards),
		Entropy: entropy.Of(len(boards), best.bits), Proven: seen == len(boards),
	}, nil
}

// choice is a guess, by its place among the boards, with Σ x·log₂x over the classes
// of x boards that its feedback leaves, as entropy.Logs has it. Whole numbers make it
// the same in any order.
type choice struct {
	guess int
	bits  int64
}

func (c choice) better(o choice) bool {
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
	order  []int         // of the groups, so that the first ones are spread over all
	logs   []int64       // x·log₂x, by x
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
	step := spread(len(r.groups))
	for i := range r.groups {
		r.order = append(r.order, i*step%len(r.groups))
	}
	return r
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
	row         []uint8 // by flop, the feedback for the flop of the group
	turn, river [pokle.Deck]uint8
	counts      [256]uint32 // zero between calls
}

func (r *ranking) worker() *worker { return &worker{ranking: r, row: make([]uint8, len(r.flops))} }

// rank returns the best of boards that have their flop in common.
func (w *worker) rank(group []int) choice {
	for f, b := range w.flops {
		w.row[f] = uint8(pokle.ScoreFlop(w.boards[group[0]], b))
	}
	best := choice{guess: -1}
	for _, g := range group {
		guess := w.boards[g]
		for c := range pokle.Card(pokle.Deck) {
			w.turn[c] = 27 * uint8(pokle.ScoreCard(guess[3], c))
			w.river[c] = 81 * uint8(pokle.ScoreCard(guess[4], c))
		}
		for i, b := range w.boards {
			w.counts[w.row[w.flop[i]]+w.turn[b[3]]+w.river[b[4]]]++
		}
		c := choice{guess: g}
		for f, x := range w.counts[:pokle.Feedbacks] {
			c.bits += w.logs[x]
			w.counts[f] = 0
		}
		if c.better(best) {
			best = c
		}
	}
	return best
}
