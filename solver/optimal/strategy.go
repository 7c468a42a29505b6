package optimal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/solver/parallel"
	"fivefold/solver/partition"
)

// Strategy is a rule to guess by. It returns the k best guesses in a position, best first,
// or fewer if fewer split the words; k below 1 means 1. If one word remains, it is the only
// suggestion. The optimal strategy returns at most [MaxSuggestions].
//
// The error is [ErrNothingFits], [ErrNothingAllowed] from the optimal strategy, or
// the context's. A strategy is safe for concurrent use.
type Strategy func(ctx context.Context, p Position, k int) ([]Suggestion, error)

// Optimal is the name of the strategy with the least total of guesses. It is the only one
// that respects a position's limit.
const Optimal = "optimal"

// measures are the strategies that go by the classes that a guess leaves. They count in
// whole numbers, so that equal guesses cost exactly the same.
var measures = []struct {
	name string
	cost func(partition.Split) int // of a guess; the cheapest is the best
}{
	{"expected", func(s partition.Split) int { return s.Squares }},
	{"entropy", func(s partition.Split) int { return int(s.Logs) }},
	{"minimax", func(s partition.Split) int { return s.Worst }},
	{"parts", func(s partition.Split) int { return -s.Classes }},
}

// StrategyNames returns the names that [Solver.Strategy] knows: [Optimal], "expected" (the
// fewest words remain on average), "entropy" (the feedback has the most information),
// "minimax" (the fewest words remain at worst) and "parts" (the most classes).
func StrategyNames() []string {
	names := []string{Optimal}
	for _, m := range measures {
		names = append(names, m.name)
	}
	return names
}

// CheckStrategy returns nil if there is a strategy of the name, and otherwise an error that
// lists the names.
func CheckStrategy(name string) error {
	if slices.Contains(StrategyNames(), name) {
		return nil
	}
	return fmt.Errorf("there is no strategy %q, only %s", name, strings.Join(StrategyNames(), ", "))
}

// Strategy returns the strategy of the name. Among equal guesses it prefers one that can be
// the hidden word, then alphabetical order.
func (s *Solver) Strategy(name string) (Strategy, error) {
	if name == Optimal {
		return s.optimal, nil
	}
	for _, m := range measures {
		if m.name == name {
			return func(ctx context.Context, p Position, k int) ([]Suggestion, error) {
				return s.cheapest(ctx, p, max(k, 1), m.cost)
			}, nil
		}
	}
	return nil, CheckStrategy(name)
}

// optimal is Solve as a strategy. If ctx ends, it returns an error: what was found by then
// need not be the best.
func (s *Solver) optimal(ctx context.Context, p Position, k int) ([]Suggestion, error) {
	k = max(k, 1)
	solution, err := s.Solve(ctx, p, Effort{Top: k})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	return solution.Suggestions[:min(k, len(solution.Suggestions))], nil
}

// cheapest returns the k guesses that cost least.
func (s *Solver) cheapest(ctx context.Context, p Position, k int, cost func(partition.Split) int) ([]Suggestion, error) {
	p.Limit = 0
	q, err := s.newProblem(p)
	if err != nil {
		return nil, err
	}
	n := len(q.words)
	compare := func(a, b candidate) int {
		switch order := cost(a.Split) - cost(b.Split); {
		case order != 0 || a.own == b.own:
			return cmp.Or(order, int(a.guess-b.guess))
		case a.own:
			return -1
		}
		return 1
	}
	var best []Suggestion
	for _, q.allowed = range [][]int32{q.Numbers(q.words), q.allowed} {
		all, _ := q.rank(parallel.StopFlag(ctx))
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choosing a guess: %w", err)
		}
		if k == 1 && len(all) > 0 {
			all = []candidate{slices.MinFunc(all, compare)}
		}
		slices.SortFunc(all, compare)
		best = nil
		for _, c := range all[:min(k, len(all))] {
			best = append(best, suggestionOf(c.Split, q.Guesses[c.guess], n, c.own))
		}
		if len(best) == k && best[k-1].Groups == n {
			break // words that distinguish all are the best
		}
	}
	return best, nil
}
