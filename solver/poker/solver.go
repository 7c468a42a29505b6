package poker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/cache"
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

	cache cache.Cache[pokle.Deal, []pokle.Board]
}

// The cache holds up to cacheSize boards, of five bytes each. Each deal counts as dealSize boards more.
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
	if l, ok := s.cache.Get(d); ok {
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
	if l, ok := s.cache.Get(d); ok {
		return l, nil
	}
	l, err := Fitting(ctx, d)
	if err != nil {
		return nil, err
	}
	return s.store(d, l), nil
}

// store puts a copy of the list into the cache and returns it.
func (s *Solver) store(d pokle.Deal, list []pokle.Board) []pokle.Board {
	list = slices.Clone(list) // drops spare capacity
	s.cache.Put(d, list, len(list)+dealSize, cacheSize)
	return list
}
