package poker

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/parallel"
)

// Suggestion is a board to guess next, with its figures. Its JSON is stored.
type Suggestion struct {
	Board pokle.Board `json:"board"`
	// Possible reports whether Board can itself be the hidden one.
	Possible bool `json:"possible,omitempty"`
	// Remaining is the number of possible boards.
	Remaining int `json:"remaining"`
	// Entropy is the average information in the feedback, in bits. All boards are equally likely.
	Entropy float64 `json:"entropy"`
	// Guesses is the average number of guesses from here, Board included. A board that is not found within the limit
	// counts as one guess more. Guesses is 0 unless [Solver.Suggest] looked ahead.
	Guesses float64 `json:"guesses,omitempty"`
	// Proven reports that no possible board is better. With Guesses, none needs fewer if only possible boards follow.
	// Without Guesses, none has more Entropy.
	Proven bool `json:"proven,omitempty"`
}

// Best returns the possible board whose feedback has the most information; of equal ones, the first. Boards are
// ranked flop by flop, in random order. When ctx ends, Best returns the best so far, without an error. Without
// boards, the error is [ErrNothingFits].
//
// Best goes by the cards alone, as [pokle.Score] does. A game accepts boards that are alike in place of each other,
// so the feedback in a game has a little less information. That matters where few boards are possible, and
// [Solver.Suggest] takes it into account.
func Best(ctx context.Context, boards []pokle.Board) (Suggestion, error) {
	n := len(boards)
	if n == 0 {
		return Suggestion{}, ErrNothingFits
	}
	r := newRanking(boards)
	all := r.rank(ctx, runtime.GOMAXPROCS(0), r.sample(n))
	best := slices.MinFunc(all, rankedGuess.compare)
	return Suggestion{
		Board: best.board, Possible: true, Remaining: n, Entropy: entropy.Of(n, best.logs), Proven: len(all) == n,
	}, nil
}

// rankedGuess is a guess to rank. logs is Σ x·log₂x over the sizes x of its classes, in the unit of entropy.Logs. Its
// terms are whole numbers, so the sum is the same in any order.
type rankedGuess struct {
	board    pokle.Board
	possible bool
	logs     int64
}

// compare orders guesses by information, the most first. Of equal ones, possible boards come first.
func (g rankedGuess) compare(o rankedGuess) int {
	if g.logs == o.logs && g.possible != o.possible {
		if g.possible {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(g.logs, o.logs), g.board.Compare(o.board))
}

// rank ranks the guesses until ctx ends, in any order and in n goroutines. It ranks at least one. The guesses of a
// group have the same flop, and are all possible or all impossible.
func (r *ranking) rank(ctx context.Context, n int, groups [][]pokle.Board) (all []rankedGuess) {
	var mu sync.Mutex // protects all
	workers := make([]*worker, n)
	parallel.Each(ctx, len(workers), len(groups), func(number, i int) {
		if workers[number] == nil {
			workers[number] = r.worker()
		}
		ranked := workers[number].rank(ctx, groups[i])
		mu.Lock()
		defer mu.Unlock()
		all = append(all, ranked...)
	})
	if len(all) == 0 && len(groups) > 0 { // ctx had ended before the first
		return r.worker().rank(ctx, groups[0])
	}
	return all
}

// ranking scores guesses against boards. A comparison is three look-ups: the feedback of the flop,
// of the turn and of the river. Even many boards have few flops.
type ranking struct {
	boards []pokle.Board
	flops  []pokle.Board       // one board with each flop
	flop   []uint16            // by board, the number of its flop
	groups [][]pokle.Board     // the boards of each flop
	number map[pokle.Cards]int // the number of each flop
	logs   []int64             // x·log₂x, by x
	// accepting means that boards alike with the guess count as all green, as in a game; see [pokle.Board.Alike].
	accepting bool
}

func newRanking(boards []pokle.Board) *ranking {
	r := &ranking{boards: boards, flop: make([]uint16, len(boards)), logs: entropy.Logs(len(boards)), number: map[pokle.Cards]int{}}
	for i, b := range boards {
		n, known := r.number[b.Cards(pokle.Flop)]
		if !known {
			n = len(r.flops)
			r.number[b.Cards(pokle.Flop)] = n
			r.flops = append(r.flops, b)
			r.groups = append(r.groups, nil)
		}
		r.flop[i] = uint16(n)
		r.groups[n] = append(r.groups[n], b)
	}
	return r
}

// sample returns n of the boards, flop by flop in random order, the same each time. n is at most the
// number of boards.
func (r *ranking) sample(n int) (groups [][]pokle.Board) {
	for _, i := range rand.New(rand.NewPCG(uint64(n), 0)).Perm(len(r.groups)) {
		group := r.groups[i]
		if group = group[:min(len(group), n)]; len(group) > 0 {
			groups = append(groups, group)
		}
		n -= len(group)
	}
	return groups
}

// possible reports whether the guess is one of the boards.
func (r *ranking) possible(guess pokle.Board) bool {
	_, found := slices.BinarySearchFunc(r.boards, guess, pokle.Board.Compare)
	return found
}

// worker ranks guesses in one goroutine.
type worker struct {
	*ranking
	row         []uint8     // by flop, the feedback for the flop of the group
	turn, river [64]uint8   // by card; 64 avoids a bounds check
	counts      [256]uint32 // zero between calls
	lanes       [3][256]uint32
}

// longList is the number of boards from which four histograms are faster than one.
const longList = 256

func (r *ranking) worker() *worker { return &worker{ranking: r, row: make([]uint8, len(r.flops))} }

// rank ranks the guesses of a group until ctx ends, but at least one.
func (w *worker) rank(ctx context.Context, group []pokle.Board) (all []rankedGuess) {
	possible := w.possible(group[0])
	for f, b := range w.flops {
		w.row[f] = uint8(pokle.ScoreFlop(group[0], b))
	}
	for i, guess := range group {
		if i > 0 && ctx.Err() != nil {
			break
		}
		for c := range pokle.Card(pokle.Deck) {
			w.turn[c] = 27 * uint8(pokle.ScoreCard(guess[3], c))
			w.river[c] = 81 * uint8(pokle.ScoreCard(guess[4], c))
		}
		w.count()
		if w.accepting && possible {
			w.accept(guess)
		}
		g := rankedGuess{board: guess, possible: possible}
		for f, x := range w.counts[:pokle.Feedbacks] {
			g.logs += w.logs[x]
			w.counts[f] = 0
		}
		all = append(all, g)
	}
	return all
}

// count counts the boards by their feedback. Neighbours often have the same feedback, and
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

// accept counts boards that are alike with the guess as all green.
func (w *worker) accept(guess pokle.Board) {
	for _, b := range w.groups[w.number[guess.Cards(pokle.Flop)]] {
		if b != guess && guess.Alike(b) {
			w.counts[pokle.Score(guess, b)]--
			w.counts[pokle.AllGreen]++
		}
	}
}
