package optimal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/parallel"
	"fivefold/solver/search"
	"fivefold/solver/trees"
)

// Why there is no tree.
var (
	// ErrNoPlay means that no play was found that is sure to find every word within
	// the limit.
	ErrNoPlay = errors.New("no play was found that is sure to find every word within the limit")
	// ErrOpener means that a word cannot open: it is on no list, or its feedback is the
	// same for every hidden word.
	ErrOpener = errors.New("the opener may not be guessed, or gets the same feedback for every word")
)

// Grow returns the tree with the least sum of guesses for the position's mode and limit; its turns are ignored. If
// opener is not the zero Word, only trees that begin with it are tried.
//
// When ctx ends, Grow returns the best tree that it found or that a quick search finds; that is not an error. The
// tree's bounds say how far from the least it can be. The effort's Progress starts again for each stage of the work,
// and its Top changes nothing. The error is [ErrNoPlay], [ErrOpener], one of [Solver.Solve], or says that there are
// too many words.
func (s *Solver) Grow(ctx context.Context, opener wordle.Word, p Position, e Effort) (*trees.Tree, error) {
	p.Turns = nil
	q, err := s.newProblem(p)
	if err != nil {
		return nil, err
	}
	if err := q.tooLarge(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newRootSearch(ctx, q, e.withDefaults())
	if opener == 0 {
		c.classByClass()
		if len(c.best) == 0 {
			return nil, ErrNoPlay
		}
		opener = q.Guesses[c.candidates[c.best[0]].guess]
	}
	o := openingOf(&q, opener)
	if !s.lists.CanGuess(opener) || len(o.classes) == 1 && o.classes[0].feedback != wordle.AllGreen {
		return nil, ErrOpener
	}
	stop := c.stop
	for _, candidate := range c.candidates {
		if q.Guesses[candidate.guess] == opener && candidate.exact() {
			stop = new(atomic.Bool) // it was searched to the end before; doing so again takes no longer
		}
	}
	plan, least, ok := o.plan(c.effort, stop)
	if !ok {
		return nil, ErrNoPlay
	}
	leastOfAll := min(least, int(c.least()))
	if len(c.best) > 0 { // though another opener was asked for
		leastOfAll = min(leastOfAll, int(c.candidates[c.best[0]].least))
	}
	return trees.New(s.lists, trees.Tree{
		Hard: p.Hard, Limit: p.Limit, Least: least, LeastOfAll: leastOfAll, Plan: append([]wordle.Word{opener}, plan...),
	})
}

// plan returns the guesses after the opening, in the order of [trees.Tree.Plan], and a proven lower bound of the
// opening's total. Once stop is set, plan makes do with the guesses of a quick search. ok is false if no play is
// found.
//
// Each class is searched with a table of its own, so the plan does not depend on which goroutine did what before.
func (o *opening) plan(e Effort, stop *atomic.Bool) (guesses []wordle.Word, least int, ok bool) {
	open := o.open()
	var plans [wordle.Feedbacks][]wordle.Word
	ok = true
	done := 0
	var mu sync.Mutex // protects plans, ok and done
	searches := make([]*search.Search, e.Workers)
	// The classes left when the caller's context ends are planned too, but quickly.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	parallel.Each(ctx, e.Workers, len(open), func(worker, i int) {
		if searches[worker] == nil {
			searches[worker] = search.New(o.Lexicon, o.hard, e.Memory/e.Workers, 0)
			searches[worker].Stop = stop
		}
		plan, found := open[i].planAll(searches[worker], o.problem)
		mu.Lock()
		defer mu.Unlock()
		plans[open[i].feedback] = plan
		if !found {
			ok = false
			cancel()
		}
		if done += len(open[i].words); e.Progress != nil {
			e.Progress(done, len(o.words))
		}
	})
	least = int(o.least())
	return slices.Concat(plans[:]...), least, ok && least < search.Impossible
}

// planAll returns the guesses for one class of three words or more, and raises the class's bound. It empties the
// transposition table of the search.
func (c *openingClass) planAll(s *search.Search, q *problem) (guesses []wordle.Word, ok bool) {
	s.Forget()
	t := c.set(s, c.allowed(q))
	if v := s.Value(t, search.Impossible); !s.Stop.Load() {
		c.least = v
		return c.plan(s, q, nil)
	}
	// A narrow beam is quick, but may miss every play. A wide one would search on for minutes.
	for _, beam := range []int{narrowBeam, firstBeam} {
		quick := search.New(q.Lexicon, q.hard, s.Memory, beam)
		quick.Stop = new(atomic.Bool)
		if guesses, ok = c.plan(quick, q, nil); ok {
			break
		}
	}
	return guesses, ok
}

// plan appends the guesses of the best play for the class, in the order of [trees.Tree.Plan], and
// returns false if there is none.
func (c *openingClass) plan(s *search.Search, q *problem, guesses []wordle.Word) ([]wordle.Word, bool) {
	n := len(c.words)
	if n < 3 || c.feedback == wordle.AllGreen {
		return guesses, c.feedback == wordle.AllGreen || c.left >= n
	}
	left := min(c.left, n)
	best := s.Recall(c.words, c.clues, left)
	if !best.Exact || !s.Familiar[best.Best] {
		t := c.set(s, c.allowed(q))
		if !best.Exact && s.Value(t, search.Impossible) >= search.Impossible {
			return guesses, false
		}
		best = s.Recall(c.words, c.clues, left)
		best.Best = s.FamiliarBest(t, best)
	}
	next := openingOf(&problem{Lexicon: q.Lexicon, words: c.words, allowed: q.allowed, hard: q.hard, clues: c.clues, left: left}, s.Guesses[best.Best])
	slices.SortFunc(next.classes, func(a, b openingClass) int { return int(a.feedback) - int(b.feedback) })
	guesses, ok := append(guesses, s.Guesses[best.Best]), true
	for i := range next.classes {
		if ok {
			guesses, ok = next.classes[i].plan(s, next.problem, guesses)
		}
	}
	return guesses, ok
}
