package boards

import (
	"context"
	"runtime"
	"sync"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// Suggestion is a board to guess next, with its figures. Stores keep its JSON, so the names
// in it stay.
type Suggestion struct {
	Board pokle.Board `json:"board"`
	// Remaining is how many boards are possible now.
	Remaining int `json:"remaining"`
	// Entropy is the information in the feedback on average, in bits, with all boards
	// equally likely.
	Entropy float64 `json:"entropy"`
	// Guesses is the average number of guesses from here, this one included, if
	// [Solver.Suggest] looked ahead, and otherwise 0. A board that is not found within
	// the limit counts as one guess more than there are.
	Guesses float64 `json:"guesses,omitempty"`
	// Proven reports, if there are Guesses, that no other possible board needs fewer;
	// otherwise, that no other has more Entropy.
	Proven bool `json:"proven,omitempty"`
}

// Best returns the possible board whose feedback has the most information, and of equal
// ones the first. When ctx ends, it returns the best of those it has ranked, which are
// spread evenly over all; that is not an error. The error is [ErrNothingFits] if there are
// no boards.
//
// Best goes by [pokle.Score], the cards alone. A game accepts boards that are alike in place
// of each other and gives both the same feedback, so the entropy in a game is a little
// lower. With some hundred boards left that hardly matters. With a few it does, and
// [Solver.Suggest] takes it into account.
func Best(ctx context.Context, boards []pokle.Board) (Suggestion, error) {
	if len(boards) == 0 {
		return Suggestion{}, ErrNothingFits
	}
	return newRanking(boards).suggestion(ctx, runtime.GOMAXPROCS(0)), nil
}

// suggestion returns the best of all guesses that are ranked before ctx ends.
func (r *ranking) suggestion(ctx context.Context, workers int) Suggestion {
	n := len(r.boards)
	best, seen := r.best(ctx, workers, r.sample(n))
	return Suggestion{Board: r.boards[best.guess], Remaining: n, Entropy: entropy.Of(n, best.logs), Proven: seen == n}
}

// best returns the best of these guesses, grouped by flop, and how many it has ranked:
// at least one, and not all if ctx ends. The result does not depend on the number of
// workers.
func (r *ranking) best(ctx context.Context, n int, groups [][]int) (best rankedGuess, seen int) {
	best = rankedGuess{guess: -1}
	var mu sync.Mutex // protects best and seen
	workers := make([]*worker, n)
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
	if seen == 0 { // ctx had ended before the first
		return r.worker().rank(ctx, groups[0])
	}
	return best, seen
}

// rankedGuess is a guess, by its index in the boards, with Σ x·log₂x over the sizes x
// of its classes, in the unit of entropy.Logs. Whole numbers make the sum the same in
// any order.
type rankedGuess struct {
	guess int
	logs  int64
}

func (c rankedGuess) better(o rankedGuess) bool {
	return o.guess < 0 || c.logs < o.logs || c.logs == o.logs && c.guess < o.guess
}

// ranking is prepared to score boards against boards. The feedback for flop, turn and
// river is separate, and even many boards have few different flops, so a comparison is
// three look-ups.
type ranking struct {
	boards []pokle.Board
	flops  []pokle.Board // one board with each flop
	flop   []uint16      // by board, its flop
	groups [][]int       // the boards of each flop
	logs   []int64       // x·log₂x, by x
	// accepting counts a board that is alike as all green, as a game does; see
	// [pokle.Board.Alike].
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

// sample returns that many guesses, grouped by flop. The flops are spread evenly over all.
// There must be at least as many boards.
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

// spread returns a step with which n places are visited once each, every one far from
// the one before: near the golden section of n, and coprime to it.
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

// worker ranks guesses. It is for one goroutine.
type worker struct {
	*ranking
	row         []uint8     // by flop, the feedback for the flop of the group
	turn, river [64]uint8   // by card; more than there are, to avoid a bounds check
	counts      [256]uint32 // zero between calls
	lanes       [3][256]uint32
}

// longList is the number of boards from which four histograms, summed at the end, are
// worth it.
const longList = 256

func (r *ranking) worker() *worker { return &worker{ranking: r, row: make([]uint8, len(r.flops))} }

// rank returns the best of the guesses, which must have the same flop, and how many it
// has ranked before ctx ended: at least one.
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
			c.logs += w.logs[x]
			w.counts[f] = 0
		}
		if c.better(best) {
			best = c
		}
	}
	return best, looked
}

// count counts the boards by their feedback. Neighbours often have the same feedback;
// in a single histogram each increment would wait for the one before.
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

// accept counts as all green the boards that are alike with the guess.
func (w *worker) accept(guess int) {
	g := w.boards[guess]
	for _, i := range w.groups[w.flop[guess]] {
		if b := w.boards[i]; i != guess && g.Alike(b) {
			w.counts[pokle.Score(g, b)]--
			w.counts[pokle.AllGreen]++
		}
	}
}
