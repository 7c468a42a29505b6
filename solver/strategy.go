package solver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
)

// Strategy is a rule to guess by. It returns the k best guesses in a position, best first,
// or fewer if fewer split the words; k below 1 means 1. If one word remains, it is the only
// suggestion. The optimal strategy returns at most [MaxSuggestions].
//
// The error is [ErrNothingFits], [ErrNothingAllowed] from the optimal strategy, or
// the context's. A strategy is safe for concurrent use.
type Strategy func(ctx context.Context, p Position, k int) ([]Suggestion, error)

// StrategyOptions change a strategy. The zero value changes nothing.
type StrategyOptions struct {
	// OnlyPossible restricts guesses to words that can still be the hidden one.
	OnlyPossible bool
	// Depth is how many guesses the strategy looks ahead, up to MaxDepth; 0 means 1. At
	// depth 2 a guess is judged by what is left after the best second guess in each of
	// its classes, and so on. Only the 20 guesses that are best at depth 1, or k if that
	// is more, are looked at further.
	Depth int
}

// MaxDepth is how many guesses a strategy can look ahead. For the first guess, depth 2
// takes about fifty times as long as depth 1, and depth 3 two hundred times.
const MaxDepth = 3

// strategyBeam is how many guesses are looked at further, at every depth.
const strategyBeam = 20

// Optimal is the name of the strategy with the least total of guesses. It is the only one
// that respects a position's limit.
const Optimal = "optimal"

// measures are the strategies that go by the classes a guess, or a few guesses, leave. They
// ignore the limit, because published figures let a lost game go on until the word is
// found.
var measures = []measure{
	{"expected", func(s partition.Split) int64 { return int64(s.Squares) }, func(n int64) int64 { return n }, sum},
	{"entropy", func(s partition.Split) int64 { return s.Logs }, func(int64) int64 { return 0 }, sum},
	{"minimax", func(s partition.Split) int64 { return int64(s.Worst) }, func(int64) int64 { return 1 }, larger},
	{"parts", func(s partition.Split) int64 { return -int64(s.Classes) }, func(n int64) int64 { return -n }, sum},
}

// measure defines the cost of a guess; the cheapest guess is the best.
type measure struct {
	name string
	cost func(partition.Split) int64
	// least is the cost of a guess that distinguishes n words. None costs less.
	least func(n int64) int64
	// join returns the cost of two classes together; the cost of no words is 0.
	join func(a, b int64) int64
}

func sum(a, b int64) int64    { return a + b }
func larger(a, b int64) int64 { return max(a, b) }

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

// Strategy returns the strategy of the name. Among equal guesses it prefers the one that is
// better at less depth, then one that can be the hidden word, then alphabetical order.
func (s *Solver) Strategy(name string, o StrategyOptions) (Strategy, error) {
	if name == Optimal {
		if o.Depth != 0 {
			return nil, fmt.Errorf("the strategy %s searches to the end and takes no depth", name)
		}
		return s.optimal(o), nil
	}
	if o.Depth < 0 || o.Depth > MaxDepth {
		return nil, fmt.Errorf("a strategy looks 1 to %d guesses ahead, not %d", MaxDepth, o.Depth)
	}
	for _, m := range measures {
		if m.name == name {
			return s.measured(m, o), nil
		}
	}
	return nil, CheckStrategy(name)
}

// optimal is Solve as a strategy. If ctx ends, it returns an error: what was found by then
// need not be the best.
func (s *Solver) optimal(o StrategyOptions) Strategy {
	return func(ctx context.Context, p Position, k int) ([]Suggestion, error) {
		k = max(k, 1)
		solution, err := s.Solve(ctx, p, Effort{Top: k, OnlyPossible: o.OnlyPossible})
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choosing a guess: %w", err)
		}
		return solution.Suggestions[:min(k, len(solution.Suggestions))], nil
	}
}

func (s *Solver) measured(m measure, o StrategyOptions) Strategy {
	depth := max(o.Depth, 1)
	return func(ctx context.Context, p Position, k int) ([]Suggestion, error) {
		words := s.Remaining(p.Turns)
		if len(words) == 0 {
			return nil, ErrNothingFits
		}
		r := &ranking{ctx: ctx, Lexicon: s.lexicon(), measure: m, onlyPossible: o.OnlyPossible, hard: p.Hard}
		var c lexicon.Clues
		if p.Hard {
			c = lexicon.CluesOf(p.Turns)
		}
		best := r.best(words, c, depth, max(k, 1))
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choosing a guess: %w", err)
		}
		suggestions := make([]Suggestion, len(best))
		for i, g := range best {
			suggestions[i] = suggestionOf(g.split, r.Guesses[g.guess], len(words), g.possible)
		}
		return suggestions, nil
	}
}

// ranking ranks guesses by a measure. It is for one position.
type ranking struct {
	ctx context.Context // when it has ended, what is returned means nothing
	*lexicon.Lexicon
	measure
	onlyPossible, hard bool
	splitter           partition.Splitter
}

// rated is a guess with its cost.
type rated struct {
	guess    int32
	possible bool
	split    partition.Split
	cost     int64
}

// best returns the k best guesses for the words, which must be in alphabetical order.
func (r *ranking) best(words []wordle.Word, c lexicon.Clues, depth, k int) []rated {
	if depth == 1 {
		return r.bestNow(words, c, k)
	}
	all := r.bestNow(words, c, max(k, strategyBeam))
	for i := range all {
		all[i].cost = r.costAhead(words, c, all[i].guess, depth)
		if r.ctx.Err() != nil {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
	return all[:min(k, len(all))]
}

// bestNow is best at depth 1.
func (r *ranking) bestNow(words []wordle.Word, c lexicon.Clues, k int) []rated {
	n := len(words)
	least := r.least(int64(n))
	r.splitter.Reset(r.Lexicon, words)
	best := make([]rated, 0, k+1)
	// consider returns false when no later guess can be among the best.
	consider := func(guess int32, possible bool) bool {
		s := r.splitter.Split(r.PartsOf[guess])
		cost := r.cost(s)
		if s.Classes == 1 && n > 1 || len(best) == k && cost >= best[k-1].cost {
			return true
		}
		at, _ := slices.BinarySearchFunc(best, cost, func(g rated, cost int64) int {
			if g.cost <= cost {
				return -1 // equal ones keep the order they come in
			}
			return 1
		})
		best = slices.Insert(best, at, rated{guess, possible, s, cost})
		best = best[:min(k, len(best))]
		return len(best) < k || best[k-1].cost > least
	}
	scores := 0
	stopped := func() bool {
		const lookEvery = 1 << 20 // scores, which take a few milliseconds
		if scores += n; scores < lookEvery {
			return false
		}
		scores = 0
		return r.ctx.Err() != nil
	}
	own := r.Numbers(words)
	for _, g := range own {
		if !consider(g, true) || stopped() {
			return best
		}
	}
	if r.onlyPossible || n == 1 {
		return best
	}
	for _, g := range r.Proposals {
		switch {
		case len(own) > 0 && own[0] == g:
			own = own[1:]
		case r.hard && !c.Allow(r.Lexicon, g):
		case !consider(g, false) || stopped():
			return best
		}
	}
	return best
}

// costAhead returns the cost of the guess for the words after depth guesses: this one and
// the best ones that follow.
func (r *ranking) costAhead(words []wordle.Word, c lexicon.Clues, guess int32, depth int) int64 {
	cost := int64(0)
	for f, class := range partition.Classes(r.Guesses[guess], words) {
		if len(class) == 0 {
			continue
		}
		if r.ctx.Err() != nil {
			break
		}
		least := r.least(int64(len(class)))
		if len(class) > 2 { // either of two words distinguishes them
			next := c
			if r.hard {
				next = c.After(r.Guesses[guess], wordle.Feedback(f))
			}
			least = r.leastCost(class, next, depth-1)
		}
		cost = r.join(cost, least)
	}
	return cost
}

// leastCost returns the cost of the best guess for the words.
func (r *ranking) leastCost(words []wordle.Word, c lexicon.Clues, depth int) int64 {
	least := r.least(int64(len(words)))
	k := 1
	if depth > 1 {
		k = strategyBeam
	}
	all := r.bestNow(words, c, k)
	cost := all[0].cost
	for _, g := range all {
		if depth == 1 || cost == least || r.ctx.Err() != nil {
			break
		}
		cost = min(cost, r.costAhead(words, c, g.guess, depth))
	}
	return cost
}
