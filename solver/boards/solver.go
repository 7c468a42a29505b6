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
// Lists of recent deals are cached in about five megabytes.
type Solver struct {
	// SuggestTime is how long [Solver.Suggest] searches once the boards are listed; 0 means
	// 1 s. It must not be changed once the solver is in use.
	SuggestTime time.Duration

	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one
	// program should share a pool. It must not be changed once the solver is in use.
	Permits *parallel.Permits

	mu    sync.Mutex // protects these
	cache map[pokle.Deal][]pokle.Board
	size  int // of the cache
}

// The cache is emptied when it would exceed cacheSize boards, of five bytes. A deal counts as dealSize
// boards more.
const (
	cacheSize = 1 << 20
	dealSize  = 16
)

// begin waits for a permit. The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) begin(ctx context.Context, c parallel.Cost) (*parallel.Permit, error) {
	permit, err := s.Permits.Acquire(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("waiting for other searches: %w", err)
	}
	return permit, nil
}

// List returns [Fitting] of the deal, from the cache if it can. The list is shared and must not be
// changed. The error is one of Fitting, or [parallel.ErrBusy].
func (s *Solver) List(ctx context.Context, d pokle.Deal) ([]pokle.Board, error) {
	if l := s.cached(d); l != nil {
		return l, nil
	}
	permit, err := s.begin(ctx, parallel.Brief)
	if err != nil {
		return nil, err
	}
	defer permit.Release()
	return s.list(ctx, d)
}

// list is List for callers with a permit.
func (s *Solver) list(ctx context.Context, d pokle.Deal) ([]pokle.Board, error) {
	if l := s.cached(d); l != nil {
		return l, nil
	}
	l, err := Fitting(ctx, d)
	if err != nil {
		return nil, err
	}
	return s.store(d, l), nil
}

// Generate makes the puzzle of a seed. A seed has the same puzzle in every release and on
// every machine, since work is counted and not timed. As in the published puzzles, all
// cards of the board are used, the turn and the river each change the places, and no hands
// are equal on the flop. The number of boards that fit is like theirs, too. [acceptMove]
// finds the hidden board within [pokle.Attempts] guesses.
//
// The error is [parallel.ErrBusy] or ctx's.
func (s *Solver) Generate(ctx context.Context, seed uint64) (Puzzle, error) {
	permit, err := s.begin(ctx, parallel.Search)
	if err != nil {
		return Puzzle{}, err
	}
	defer permit.Release()
	p, boards, err := generate(ctx, seed)
	if err == nil {
		s.store(p.Deal, boards)
	}
	return p, err
}

// cached returns the list of the deal, or nil if it is not in the cache.
func (s *Solver) cached(d pokle.Deal) []pokle.Board {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cache[d]
}

// store puts a copy of the list into the cache and returns it.
func (s *Solver) store(d pokle.Deal, list []pokle.Board) []pokle.Board {
	list = slices.Clone(list) // drops spare capacity
	size := len(list) + dealSize
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache == nil || s.size+size > cacheSize {
		s.cache, s.size = map[pokle.Deal][]pokle.Board{}, 0
	}
	s.cache[d] = list
	s.size += size
	return list
}
