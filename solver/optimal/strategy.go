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
	if len(q.words) == 1 {
		q.allowed = q.Numbers(q.words)
	}
	all, _ := q.candidates(parallel.StopFlag(ctx))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		order := cmp.Or(cost(a.Split)-cost(b.Split), int(a.guess-b.guess))
		if cost(a.Split) == cost(b.Split) && a.own != b.own {
			order = 1
			if a.own {
				order = -1
			}
		}
		return order
	})
	var best []Suggestion
	for _, c := range all[:min(k, len(all))] {
		best = append(best, suggestionOf(c.Split, q.Guesses[c.guess], len(q.words), c.own))
	}
	return best, nil
}
