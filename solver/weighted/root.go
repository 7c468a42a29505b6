package weighted

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fivefold/game/marks"
	"fivefold/solver/parallel"
)

// A problem is searched in passes, each more thorough than the one before. Every pass
// finds costs that can be reached, so the least cost counts when time runs out.
var passes = []struct {
	candidates int   // the number of guesses tried; 0 means all
	beam       []int // the number of guesses below them; see search
	mostWords  int   // the most words that the pass suits
}{
	{20, []int{1, 1, 1}, maxWords},
	{20, []int{5, 5, 3}, maxWords},
	{50, []int{20, 15, 10}, maxWords},
	{0, []int{0}, 60},
}

// The most words that are searched, and the most cells of a search's table. With more, guesses are only ranked: a
// table of 11 000 guesses and words would take 130 megabytes and most of a minute.
const (
	maxWords = 2500
	maxCells = 64 << 20
)

// small reports whether the problem is small enough to be searched.
func (q *problem) small() bool {
	return len(q.words) <= maxWords && len(q.words)*len(q.allowed) <= maxCells
}

// rootMove is a first guess.
type rootMove struct {
	candidate
	cost int64 // of the best play found, or 0
}

// search returns the k guesses that cost least, as far as the time allows. The problem must be
// small. When ctx ends, the result means nothing.
func (q *problem) search(ctx context.Context, limit time.Duration, k int) []Suggestion {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := parallel.StopFlag(timed)
	s := q.newSearch(ctx, stop)
	defer s.release()
	t := s.all()
	all := s.rootMoves(ctx, t)
	proven := false
	if k > 1 || q.proof.Guess == 0 {
		proven = s.passes(t, all, k, func() {})
	}
	margin := q.total / 20
	if proven || len(all) > 0 && all[0].cost == q.proof.Total {
		margin = 0
	}
	q.familiarFirst(all, margin)
	w := &splitter{problem: q} // the table has the rows
	var best []Suggestion
	for i, c := range all[:min(k, len(all))] {
		a := w.suggestionBy(q.Guesses[q.allowed[c.row]], s.table.Row(c.row)[:len(q.words)])
		a.Guesses = float64(c.cost) / float64(q.total)
		a.Proven = i == 0 && (proven || c.cost > 0 && c.cost == q.proof.Total)
		best = append(best, a)
	}
	return best
}

// passes searches the root moves pass by pass, as far as there is time, and sorts them. It calls begin at the start
// of each pass. proven reports whether the k least costs are proven.
func (s *search) passes(t set, all []rootMove, k int, begin func()) (proven bool) {
	for _, pass := range passes {
		if len(s.words) > pass.mostWords || s.stop.Load() {
			break
		}
		s.reset(pass.beam...)
		begin()
		proven = s.try(t, all, pass.candidates, k) && pass.candidates == 0
		slices.SortStableFunc(all, rootMove.compare)
	}
	return proven
}

// familiarFirst moves a familiar word to the front if it costs at most the margin more than the first
// one. The first word stays if it is familiar, or the hidden word with a chance of a thousandth or more.
func (q *problem) familiarFirst(all []rootMove, margin int64) {
	familiar := func(c rootMove) bool { return q.Familiar[q.allowed[c.row]] }
	if len(all) == 0 || all[0].cost == 0 || familiar(all[0]) || all[0].own*1000 >= q.total {
		return
	}
	at := slices.IndexFunc(all, func(c rootMove) bool { return c.cost > 0 && c.cost-all[0].cost <= margin && familiar(c) })
	if at > 0 {
		word := all[at]
		copy(all[1:], all[:at])
		all[0] = word
	}
}

// rootMoves returns the guesses that split the set. A guess that is proven best comes first, then
// those that look best. If ctx ends, some are missing.
func (s *search) rootMoves(ctx context.Context, t set) []rootMove {
	var all []rootMove
	for i, row := range s.rows {
		if i%checkEvery == 0 && ctx.Err() != nil {
			break
		}
		if s.hard != marks.Off && !t.clues.Allow(s.Lexicon, s.allowed[row]) {
			continue
		}
		if try, ok := s.estimate(t, row, impossibleCost); ok && try.bound < impossibleCost {
			move := rootMove{candidate: try}
			if s.Guesses[s.allowed[row]] == s.proof.Guess {
				move.cost = s.proof.Total
			}
			all = append(all, move)
		}
	}
	slices.SortFunc(all, rootMove.compare)
	return all
}

// impossibleCost is more than anything costs.
const impossibleCost = 1 << 40

// try searches those of the first n root moves that may be among the k best; n = 0 means all
// moves. It returns false if it was stopped.
func (s *search) try(t set, all []rootMove, n, k int) bool {
	if n == 0 || n > len(all) {
		n = len(all)
	}
	var best []int64 // the k least costs of this pass
	most := int64(impossibleCost)
	if k <= len(all) && all[k-1].cost > 0 {
		most = all[k-1].cost + 1 // found by the pass before
	}
	for i := range all[:n] {
		c := &all[i]
		beta := most
		if len(best) == k {
			beta = min(most, best[k-1]+1) // guesses of equal cost count too
		}
		if c.bound >= beta {
			continue
		}
		cost := s.cost(t, c.row, 0, beta)
		if s.stop.Load() {
			return false
		}
		if cost >= beta {
			continue
		}
		if c.cost == 0 || cost < c.cost {
			c.cost = cost
		}
		at, _ := slices.BinarySearch(best, cost)
		best = slices.Insert(best, at, cost)
		best = best[:min(k, len(best))]
	}
	return true
}

// compare orders moves by cost, then by the chance to win. Moves without a cost follow, those that
// look best first.
func (c rootMove) compare(o rootMove) int {
	switch {
	case c.cost == o.cost && c.cost > 0:
		return cmp.Or(cmp.Compare(o.own, c.own), c.candidate.compare(o.candidate))
	case c.cost == o.cost:
		return c.candidate.compare(o.candidate)
	case c.cost == 0 || o.cost > 0 && o.cost < c.cost:
		return 1
	}
	return -1
}
