package optimal

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"fivefold/solver/parallel"
	"fivefold/solver/search"
)

// rootSearch finds the best root moves of a problem. A candidate is refuted once enough others, as many as top, are
// known to have better totals. A refuted candidate is not searched further.
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
	thorough   bool        // a familiar word that may be as good as the best is searched for, too
}

// newRootSearch ranks the candidates of a problem, as far as ctx leaves time.
func newRootSearch(ctx context.Context, q problem, e Effort) *rootSearch {
	r := &rootSearch{problem: q, effort: e}
	r.within(ctx)
	r.candidates, r.complete = q.candidates(r.stop)
	for i := range r.candidates {
		if r.candidates[i].total > 0 {
			r.enter(i)
		}
	}
	return r
}

// within makes the search end when ctx does.
func (r *rootSearch) within(ctx context.Context) { r.ctx, r.stop = ctx, parallel.StopFlag(ctx) }

// consult enters what a tree says about the position.
func (r *rootSearch) consult(s *Solver, p Position) {
	known, ok := s.lookUp(p, &r.problem)
	if !ok {
		return
	}
	at := slices.IndexFunc(r.candidates, func(o candidate) bool { return o.guess == known.guess })
	if at < 0 { // there was no time to rank it
		at = len(r.candidates)
		r.candidates = append(r.candidates, known.candidate)
	}
	r.candidates[at].total = known.total
	r.candidates[at].least = max(r.candidates[at].least, known.least)
	r.enter(at)
	if known.best {
		r.complete = true
		for i := range r.candidates {
			// Another may be as good, but finding out is not worth a search.
			if i != at && r.candidates[i].total == 0 {
				r.candidates[i].least = max(r.candidates[i].least, known.total+1)
			}
		}
	}
}

// settled reports whether all is known, or the time is up.
func (r *rootSearch) settled() bool {
	if r.stop.Load() {
		return true
	}
	r.top = r.effort.Top
	for i, candidate := range r.candidates {
		if !candidate.exact() && candidate.least < r.beta(i) {
			return false
		}
	}
	return true
}

// search searches for the best, as far as there is time.
func (r *rootSearch) search() {
	r.thorough = r.settled() && r.wantsFamiliar()
	switch {
	case r.settled() || r.tooLarge() != nil:
	case len(r.words)*len(r.candidates) <= onTableCells:
		r.onTable()
	default:
		r.classByClass()
	}
}

// run searches the queued candidates that are not yet refuted, one for each worker at a time, until the top best are
// known. The function cost returns the total of candidate i if that is less than beta, else a number of at least
// beta. Without a beam, the number is a lower bound of the total.
func (r *rootSearch) run(top, workers int, queue []int, beam bool, cost func(worker, i int, beta int32) int32) {
	r.top = top
	begun := 0 // protected by r.mu
	parallel.Each(r.ctx, workers, len(queue), func(worker, at int) {
		i := queue[at]
		beta, open := r.open(i)
		if !open {
			return
		}
		v := cost(worker, i, beta)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.ctx.Err() != nil {
			return
		}
		switch candidate := &r.candidates[i]; {
		case v < beta:
			candidate.total = v
			if !beam {
				candidate.least = v
			}
			r.enter(i)
		case !beam:
			candidate.least = max(candidate.least, v)
		}
		if begun = max(begun, at+1); r.effort.Progress != nil {
			r.effort.Progress(begun, len(queue))
		}
	})
}

// open returns beta for candidate i, and whether the candidate may still be among the
// best and is not exact yet.
func (r *rootSearch) open(i int) (beta int32, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	candidate := &r.candidates[i]
	beta = r.beta(i)
	return beta, candidate.least < beta && !candidate.exact()
}

// beta returns a limit: candidate i is among the best if its total is less.
func (r *rootSearch) beta(i int) int32 {
	if len(r.best) < r.top {
		return search.Impossible
	}
	last := r.best[r.top-1]
	beta := r.candidates[last].total
	if i == last || r.prefer(i, last) && (r.thorough || i < last || r.candidates[i].own) {
		beta++
	}
	return beta
}

// prefer reports whether i is the better of two candidates with equal totals: as
// [candidate.comparePreferred] says, and then the one that looks better. So the result does not depend on
// which is searched first.
func (r *rootSearch) prefer(i, j int) bool {
	return cmp.Or(r.candidates[i].comparePreferred(r.candidates[j]), cmp.Compare(i, j)) < 0
}

// enter puts a candidate with a new total among the best.
func (r *rootSearch) enter(i int) {
	if at := slices.Index(r.best, i); at >= 0 {
		r.best = slices.Delete(r.best, at, at+1)
	}
	at := 0
	for at < len(r.best) {
		o := r.best[at]
		if d := r.candidates[i].total - r.candidates[o].total; d < 0 || d == 0 && r.prefer(i, o) {
			break
		}
		at++
	}
	r.best = slices.Insert(r.best, at, i)
	r.best = r.best[:min(len(r.best), MaxSuggestions)]
}

// least returns a lower bound of the totals that are not exact.
func (r *rootSearch) least() int32 {
	least := int32(search.Impossible)
	if !r.complete {
		least = int32(2*len(r.words) - 1)
	}
	for _, candidate := range r.candidates {
		if !candidate.exact() {
			least = min(least, candidate.least)
		}
	}
	return least
}

// solution returns what is known so far.
func (r *rootSearch) solution() Solution {
	s := Solution{Remaining: r.words}
	open := r.least()
	listed := slices.Clone(r.best)
	for i := 0; i < len(r.candidates) && len(listed) < MaxSuggestions; i++ {
		if r.candidates[i].total == 0 {
			listed = append(listed, i)
		}
	}
	proven := func(i int) bool {
		c := r.candidates[i]
		return len(r.best) == 0 && open == search.Impossible || c.exact() && c.total <= open
	}
	if !proven(listed[0]) {
		r.near(listed)
	}
	for _, i := range listed {
		s.Suggestions = append(s.Suggestions, r.suggestion(r.candidates[i], proven(i)))
	}
	return s
}

// near puts a familiar or possible word first if the first one is neither and nothing is proven. The word must be
// nearly as good: its total is at most a fiftieth of a guess worse on average. Without totals, its order is at most a
// fiftieth worse.
func (r *rootSearch) near(listed []int) {
	best, n := r.candidates[listed[0]], int32(len(r.words))
	if best.own || best.familiar {
		return
	}
	at := slices.IndexFunc(listed, func(i int) bool {
		c := r.candidates[i]
		return (c.own || c.familiar) && (best.total > 0 && c.total > 0 && (c.total-best.total)*50 <= n || best.total == 0 && (c.order-best.order)*50 <= best.order)
	})
	if at > 0 {
		word := listed[at]
		copy(listed[1:], listed[:at])
		listed[0] = word
	}
}

// missFewest is for words that no play is sure to find within the limit. It puts the guess first that misses the
// fewest. If the search is stopped before, nothing is proven.
func (r *rootSearch) missFewest(s *Solution) {
	x := search.New(r.Lexicon, r.hard, r.effort.Memory/r.effort.Workers, 0)
	x.Stop = r.stop
	_, best := r.fewestMissed(x, r.stop)
	at := slices.IndexFunc(r.candidates, func(c candidate) bool { return r.Guesses[c.guess] == best })
	if at < 0 || r.stop.Load() {
		for i := range s.Suggestions {
			s.Suggestions[i].Proven = false
		}
		return
	}
	others := slices.DeleteFunc(s.Suggestions, func(o Suggestion) bool { return o.Word == best })
	s.Suggestions = append([]Suggestion{r.suggestion(r.candidates[at], true)}, others[:min(len(others), MaxSuggestions-1)]...)
}

// onTable searches with one table of all words. Each worker takes a candidate at a
// time.
func (r *rootSearch) onTable() {
	workers := r.effort.Workers
	cost := r.costOnTable(0)
	everyone := r.first(len(r.candidates))
	r.run(1, workers, everyone, false, cost)
	if r.wantsFamiliar() {
		r.thorough = true
		r.run(1, workers, everyone, false, cost)
	}
	if r.effort.Top > 1 && !r.stop.Load() {
		r.run(r.effort.Top, workers, everyone, false, cost)
	}
}

// keepSure looks for a guess after which some play is sure to find every word within the limit. It tries the guesses
// that look best. In hard mode, a guess that only looks good may leave no such play.
func (r *rootSearch) keepSure(ctx context.Context) {
	r.within(ctx)
	for _, try := range []struct{ beam, guesses int }{{narrowBeam, 16}, {wideBeam, 64}} {
		cost := r.costOnTable(try.beam)
		for i := 0; len(r.best) == 0 && i < min(try.guesses, len(r.candidates)); i++ {
			r.run(1, 1, []int{i}, true, cost)
		}
	}
}

// costOnTable returns the function with which workers find the total of a candidate.
func (r *rootSearch) costOnTable(beam int) func(worker, i int, beta int32) int32 {
	guesses := make([]int32, len(r.candidates))
	for i, candidate := range r.candidates {
		guesses[i] = candidate.guess
	}
	slices.Sort(guesses)
	searches := make([]*search.Search, r.effort.Workers)
	for w := range searches {
		searches[w] = search.New(r.Lexicon, r.hard, r.effort.Memory/len(searches), beam)
		searches[w].Stop = r.stop
	}
	t := searches[0].Set(r.words, r.clues, guesses, r.left).Restricted(r.stop)
	return func(worker, i int, beta int32) int32 {
		return searches[worker].Cost(t, r.candidates[i].guess, beta)
	}
}

// wantsFamiliar reports whether a familiar word should replace the best one if their totals are equal. The search for
// that word comes after the best is known, since the proof is easier then.
func (r *rootSearch) wantsFamiliar() bool {
	return len(r.best) > 0 && !r.candidates[r.best[0]].own && !r.candidates[r.best[0]].familiar
}

// first returns the numbers of the first n candidates.
func (r *rootSearch) first(n int) []int {
	queue := make([]int, min(n, len(r.candidates)))
	for i := range queue {
		queue[i] = i
	}
	return queue
}
