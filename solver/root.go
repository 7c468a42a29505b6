package solver

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"fivefold/solver/parallel"
)

// rootSearch finds the best root moves of a problem. A candidate is refuted, and not
// searched further, once its total is known to be worse than those of as many others
// as are wanted.
type rootSearch struct {
	problem
	effort Effort
	ctx    context.Context
	stop   *atomic.Bool // set soon after ctx ends

	mu         sync.Mutex  // protects the bounds and totals of the candidates, and best
	candidates []candidate // those that look best first
	complete   bool        // no candidate is missing
	top        int         // how many of the best are wanted
	best       []int       // the candidates with the least totals, best first, up to MaxSuggestions
}

// newRootSearch ranks the candidates of a problem, as far as ctx leaves time.
func newRootSearch(ctx context.Context, q problem, e Effort) *rootSearch {
	c := &rootSearch{problem: q, effort: e}
	c.within(ctx)
	c.candidates, c.complete = q.candidates(c.stop)
	for i := range c.candidates {
		if c.candidates[i].total > 0 {
			c.enter(i)
		}
	}
	return c
}

// within makes the search end when ctx does.
func (c *rootSearch) within(ctx context.Context) { c.ctx, c.stop = ctx, parallel.StopFlag(ctx) }

// consult enters what a tree says about the position.
func (c *rootSearch) consult(s *Solver, p Position) error {
	known, err := s.lookUp(p, &c.problem)
	if errors.Is(err, errOffTree) {
		return nil
	}
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.candidates, func(o candidate) bool { return o.guess == known.guess })
	if at < 0 { // there was no time to rank it
		at = len(c.candidates)
		c.candidates = append(c.candidates, known.candidate)
	}
	c.candidates[at].total = known.total
	c.candidates[at].least = max(c.candidates[at].least, known.least)
	c.enter(at)
	if known.best {
		c.complete = true
		for i := range c.candidates {
			// Another may be as good, but finding out is not worth a search.
			if i != at && c.candidates[i].total == 0 {
				c.candidates[i].least = max(c.candidates[i].least, known.total+1)
			}
		}
	}
	return nil
}

// settled reports whether nothing is left to find out, or no time.
func (c *rootSearch) settled() bool {
	if c.stop.Load() {
		return true
	}
	c.top = c.effort.Top
	for i, candidate := range c.candidates {
		if !candidate.exact() && candidate.least < c.beta(i) {
			return false
		}
	}
	return true
}

// run searches the queued candidates that are not yet refuted, several at a time,
// until the best top of them are known. cost returns the total of candidate i if it is
// less than beta. Otherwise it returns a number from beta on, which is also a lower
// bound of the total unless there is a beam.
func (c *rootSearch) run(top, workers int, queue []int, beam bool, cost func(worker, i int, beta int32) int32) {
	c.top = top
	begun := 0 // protected by c.mu
	parallel.Each(c.ctx, workers, len(queue), func(worker, at int) {
		i := queue[at]
		beta, open := c.open(i)
		if !open {
			return
		}
		v := cost(worker, i, beta)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ctx.Err() != nil {
			return
		}
		switch candidate := &c.candidates[i]; {
		case v < beta:
			candidate.total = v
			if !beam {
				candidate.least = v
			}
			c.enter(i)
		case !beam:
			candidate.least = max(candidate.least, v)
		}
		if begun = max(begun, at+1); c.effort.Progress != nil {
			c.effort.Progress(begun, len(queue))
		}
	})
}

// open returns beta for candidate i, and whether the candidate may still be among the
// best and is not exact yet.
func (c *rootSearch) open(i int) (beta int32, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	candidate := &c.candidates[i]
	beta = c.beta(i)
	return beta, candidate.least < beta && !candidate.exact()
}

// beta returns what the total of candidate i must be less than to be among the best.
func (c *rootSearch) beta(i int) int32 {
	if len(c.best) < c.top {
		return impossible
	}
	last := c.best[c.top-1]
	beta := c.candidates[last].total
	if i == last || c.prefer(i, last) {
		beta++
	}
	return beta
}

// prefer reports whether i is the better of two candidates with equal totals: a
// possible word, since it may end the game, then the one that looks better. So the
// result does not depend on which is searched first.
func (c *rootSearch) prefer(i, j int) bool {
	if own := c.candidates[i].own; own != c.candidates[j].own {
		return own
	}
	return i < j
}

// enter puts a candidate with a new total among the best.
func (c *rootSearch) enter(i int) {
	if at := slices.Index(c.best, i); at >= 0 {
		c.best = slices.Delete(c.best, at, at+1)
	}
	at := 0
	for at < len(c.best) {
		o := c.best[at]
		if d := c.candidates[i].total - c.candidates[o].total; d < 0 || d == 0 && c.prefer(i, o) {
			break
		}
		at++
	}
	c.best = slices.Insert(c.best, at, i)
	c.best = c.best[:min(len(c.best), MaxSuggestions)]
}

// least returns a lower bound of the totals that are not exact.
func (c *rootSearch) least() int32 {
	least := int32(impossible)
	if !c.complete {
		least = int32(2*len(c.words) - 1)
	}
	for _, candidate := range c.candidates {
		if !candidate.exact() {
			least = min(least, candidate.least)
		}
	}
	return least
}

// solution returns what is known so far.
func (c *rootSearch) solution() Solution {
	s := Solution{Remaining: c.words}
	open := c.least()
	if len(c.best) == 0 {
		s.Proven = open == impossible
		if !s.Proven {
			s.Least = int(open)
		}
	} else {
		best := c.candidates[c.best[0]]
		s.Total, s.Least = int(best.total), int(min(best.total, open))
		s.Proven = best.exact() && best.total <= open
	}
	listed := slices.Clone(c.best)
	for i := 0; i < len(c.candidates) && len(listed) < MaxSuggestions; i++ {
		if c.candidates[i].total == 0 {
			listed = append(listed, i)
		}
	}
	for _, i := range listed {
		candidate := c.candidates[i]
		proven := candidate.exact() && candidate.total <= open
		if len(c.best) == 0 {
			proven = s.Proven
		}
		s.Suggestions = append(s.Suggestions, c.suggestion(candidate, proven))
	}
	return s
}

// onTable searches with one table of all words. Each worker takes a candidate at a
// time.
func (c *rootSearch) onTable() {
	guesses := make([]int32, len(c.candidates))
	for i, candidate := range c.candidates {
		guesses[i] = candidate.guess
	}
	slices.Sort(guesses)
	all := newSubtable(c.Lexicon, guesses, c.words)
	t := set{table: all, columns: all.whole(), rows: all.rows, clues: c.clues, left: c.left}
	below := &subtable{}
	new(restrictor).restrict(below, all, t.columns, t.rows)
	searches := make([]*search, c.effort.Workers)
	for w := range searches {
		searches[w] = newSearch(c.Lexicon, c.rules, c.effort.Memory/len(searches), c.effort.Beam)
		searches[w].stop = c.stop
		searches[w].frame(0).below, searches[w].frame(0).made = below, true
	}
	cost := func(worker, i int, beta int32) int32 {
		row, _ := slices.BinarySearch(guesses, c.candidates[i].guess)
		return searches[worker].cost(t, int32(row), 0, beta)
	}
	if c.effort.Beam > 0 {
		c.run(c.effort.Top, len(searches), c.first(c.effort.Beam), true, cost)
		return
	}
	everyone := c.first(len(c.candidates))
	c.run(1, len(searches), everyone, false, cost)
	if c.effort.Top > 1 && !c.stop.Load() {
		c.run(c.effort.Top, len(searches), everyone, false, cost)
	}
}

// first returns the numbers of the first n candidates.
func (c *rootSearch) first(n int) []int {
	queue := make([]int, min(n, len(c.candidates)))
	for i := range queue {
		queue[i] = i
	}
	return queue
}
