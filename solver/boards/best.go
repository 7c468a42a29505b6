package boards

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

// Suggestion is a board to guess next, with its figures. Stores keep its JSON, so the names
// in it stay.
type Suggestion struct {
	Board pokle.Board `json:"board"`
	// Possible reports whether Board can itself be the hidden one.
	Possible bool `json:"possible,omitempty"`
	// Remaining is how many boards are possible now.
	Remaining int `json:"remaining"`
	// Entropy is the information in the feedback on average, in bits, with all boards
	// equally likely.
	Entropy float64 `json:"entropy"`
	// Guesses is the average number of guesses from here, this one included, if
	// [Solver.Suggest] looked ahead, and otherwise 0. A board that is not found within
	// the limit counts as one guess more than there are.
	Guesses float64 `json:"guesses,omitempty"`
	// Proven reports, if there are Guesses, that no possible board needs fewer if only
	// possible boards follow; otherwise, that none has more Entropy.
	Proven bool `json:"proven,omitempty"`
}

// Best returns the possible board whose feedback has the most information, and of equal
// ones the first. When ctx ends, it returns the best of those it has ranked, which are
// of flops in random order; that is not an error. The error is [ErrNothingFits] if there are
// no boards.
//
// Best goes by [pokle.Score], the cards alone. A game accepts boards that are alike in place
// of each other and gives both the same feedback, so the entropy in a game is a little
// lower. With some hundred boards left that hardly matters. With a few it does, and
// [Solver.Suggest] takes it into account.
func Best(ctx context.Context, boards []pokle.Board) (Suggestion, error) {
	n := len(boards)
	if n == 0 {
		return Suggestion{}, ErrNothingFits
	}
	r := newRanking(boards)
	all := r.rank(ctx, runtime.GOMAXPROCS(0), r.sample(n))
	best := slices.MinFunc(all, rankedGuess.compare)
	return Suggestion{Board: best.board, Possible: true, Remaining: n, Entropy: entropy.Of(n, best.logs), Proven: len(all) == n}, nil
}

// guesses are boards to rank that have the same flop.
type guesses struct {
	boards   []pokle.Board
	possible bool // all are possible, or none
}

// rankedGuess is a guess with Σ x·log₂x over the sizes x of its classes, in the unit of
// entropy.Logs. Whole numbers make the sum the same in any order.
type rankedGuess struct {
	board    pokle.Board
	possible bool
	logs     int64
}

// compare puts the guess first that has more information, and of equal ones a possible board.
func (g rankedGuess) compare(o rankedGuess) int {
	if g.logs == o.logs && g.possible != o.possible {
		if g.possible {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(g.logs, o.logs), g.board.Compare(o.board))
}

// rank ranks the guesses until ctx ends, in any order: at least one, if there are any.
func (r *ranking) rank(ctx context.Context, n int, groups []guesses) (all []rankedGuess) {
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

// ranking is prepared to score boards against boards. The feedback for flop, turn and
// river is separate, and even many boards have few different flops, so a comparison is
// three look-ups.
type ranking struct {
	boards []pokle.Board
	flops  []pokle.Board       // one board with each flop
	flop   []uint16            // by board, its flop
	groups [][]pokle.Board     // the boards of each flop
	number map[pokle.Cards]int // of each flop
	logs   []int64             // x·log₂x, by x
	// accepting counts a board that is alike as all green, as a game does; see
	// [pokle.Board.Alike].
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

// sample returns that many of the boards, of flops in random order, the same each time. There must be
// at least as many.
func (r *ranking) sample(n int) (groups []guesses) {
	for _, i := range rand.New(rand.NewPCG(uint64(n), 0)).Perm(len(r.groups)) {
		group := r.groups[i]
		if group = group[:min(len(group), n)]; len(group) > 0 {
			groups = append(groups, guesses{group, true})
		}
		n -= len(group)
	}
	return groups
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

// rank ranks the guesses until ctx ends: at least one.
func (w *worker) rank(ctx context.Context, group guesses) (all []rankedGuess) {
	for f, b := range w.flops {
		w.row[f] = uint8(pokle.ScoreFlop(group.boards[0], b))
	}
	for i, guess := range group.boards {
		if i > 0 && ctx.Err() != nil {
			break
		}
		for c := range pokle.Card(pokle.Deck) {
			w.turn[c] = 27 * uint8(pokle.ScoreCard(guess[3], c))
			w.river[c] = 81 * uint8(pokle.ScoreCard(guess[4], c))
		}
		w.count()
		if w.accepting && group.possible {
			w.accept(guess)
		}
		g := rankedGuess{board: guess, possible: group.possible}
		for f, x := range w.counts[:pokle.Feedbacks] {
			g.logs += w.logs[x]
			w.counts[f] = 0
		}
		all = append(all, g)
	}
	return all
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

// accept counts as all green the boards that are alike with the guess, which is possible.
func (w *worker) accept(guess pokle.Board) {
	for _, b := range w.groups[w.number[guess.Cards(pokle.Flop)]] {
		if b != guess && guess.Alike(b) {
			w.counts[pokle.Score(guess, b)]--
			w.counts[pokle.AllGreen]++
		}
	}
}
