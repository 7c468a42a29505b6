package boards

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

// Solver solves deals. The zero value is ready to use. It is safe for concurrent use.
//
// It keeps the lists of some deals, the latest among them, in about five megabytes.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches, not counting the listing; 0 means
	// 1 s. It must not be changed once the solver is in use.
	SuggestTime time.Duration

	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one
	// program should share a pool. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	mu   sync.Mutex // protects these
	kept map[pokle.Deal][]pokle.Board
	used int // of keptBoards
}

// keptBoards is how many boards, of five bytes, the lists that are kept may have in all. A deal counts as
// dealBoards more. When there is no more room, the next list is the first again.
const (
	keptBoards = 1 << 20
	dealBoards = 16
)

// begin waits for a permit. The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) begin(ctx context.Context, c parallel.Cost) (*parallel.Permit, error) {
	permit, err := s.Permits.Acquire(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("waiting for other searches: %w", err)
	}
	return permit, nil
}

// List lists the boards that fit the deal, as [Fitting] does, unless it still has the
// list. The list is shared: it must not be changed. The error is one of Fitting, or
// [parallel.ErrBusy].
func (s *Solver) List(ctx context.Context, d pokle.Deal) ([]pokle.Board, error) {
	if l := s.recall(d); l != nil {
		return l, nil
	}
	permit, err := s.begin(ctx, parallel.Brief)
	if err != nil {
		return nil, err
	}
	defer permit.Release()
	return s.list(ctx, d)
}

// list is List for a caller that holds a permit.
func (s *Solver) list(ctx context.Context, d pokle.Deal) ([]pokle.Board, error) {
	if l := s.recall(d); l != nil {
		return l, nil
	}
	l, err := Fitting(ctx, d)
	if err != nil {
		return nil, err
	}
	return s.keep(d, l), nil
}

// Generate makes the puzzle of a seed. It is the same for the same seed in every
// release and on every machine: all work is counted, and there is no clock. As in the
// published puzzles, all cards of the board are used, the turn and the river each change
// the places, and no hands are equal on the flop. About as many boards fit as there, and
// our solver finds the hidden one within [pokle.Attempts] guesses.
//
// The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) Generate(ctx context.Context, seed uint64) (Puzzle, error) {
	permit, err := s.begin(ctx, parallel.Search)
	if err != nil {
		return Puzzle{}, err
	}
	defer permit.Release()
	p, l, err := generate(ctx, seed)
	if err == nil {
		s.keep(p.Deal, l)
	}
	return p, err
}

// recall returns the list of the deal, or nil if it is not kept.
func (s *Solver) recall(d pokle.Deal) []pokle.Board {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[d]
}

// keep keeps one more list, and returns it as it is kept.
func (s *Solver) keep(d pokle.Deal, list []pokle.Board) []pokle.Board {
	list = slices.Clone(list) // to drop spare capacity
	size := len(list) + dealBoards
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || s.used+size > keptBoards {
		s.kept, s.used = map[pokle.Deal][]pokle.Board{}, 0
	}
	s.kept[d] = list
	s.used += size
	return list
}
