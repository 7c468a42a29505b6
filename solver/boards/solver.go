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
// It keeps the lists of the latest deals, in at most about five megabytes.
type Solver struct {
	// Time is how long [Solver.Suggest] searches, not counting the listing; 0 means 1 s. It
	// must not be changed once the solver is in use.
	Time time.Duration

	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one
	// program should share a pool. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	mu   sync.Mutex // protects kept
	kept []kept     // the latest first
}

// kept is a deal with its list.
type kept struct {
	deal   pokle.Deal
	boards []pokle.Board
}

// The lists of this many of the latest deals are kept, as long as they have no more
// boards than this in all. A board takes five bytes.
const (
	keptDeals  = 64
	keptBoards = 1 << 20
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
// our solver finds the hidden one in time.
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
	i := slices.IndexFunc(s.kept, func(k kept) bool { return k.deal == d })
	if i < 0 {
		return nil
	}
	k := s.kept[i]
	s.kept = slices.Insert(slices.Delete(s.kept, i, i+1), 0, k)
	return k.boards
}

// keep keeps one more list, and the latest of the others for which there is room. It returns
// the list as it is kept.
func (s *Solver) keep(d pokle.Deal, list []pokle.Board) []pokle.Board {
	list = slices.Clone(list) // to drop spare capacity
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(k kept) bool { return k.deal == d })
	s.kept = slices.Insert(s.kept, 0, kept{d, list})
	room := keptBoards
	s.kept = slices.DeleteFunc(s.kept, func(k kept) bool {
		if len(k.boards) > room {
			return true
		}
		room -= len(k.boards)
		return false
	})
	if len(s.kept) > keptDeals {
		s.kept = slices.Delete(s.kept, keptDeals, len(s.kept))
	}
	return list
}
