package solver

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/parallel"
	"fivefold/solver/transposition"
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

// Grow returns the tree with the least sum of guesses for the position's mode and
// limit; its turns are ignored. If opener is not the zero Word, only trees that begin
// with it are tried.
//
// When ctx ends, the tree is the best that was found or that a quick search finds, and its bounds say how
// far from the least it can be; that is not an error. Progress starts again
// for each stage of the work. Top does not change the tree. The error is
// [ErrNoPlay], [ErrOpener], one of [Solver.Solve], or says that there are too many words.
func (s *Solver) Grow(ctx context.Context, opener wordle.Word, p Position, e Effort) (*Tree, error) {
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
	t := &Tree{
		Lists: checksum(s.lists), Hard: p.Hard, Limit: p.Limit, Least: least, LeastOfAll: min(least, int(c.least())),
		Plan: append([]wordle.Word{opener}, plan...),
	}
	if len(c.best) > 0 { // though another opener was asked for
		t.LeastOfAll = min(t.LeastOfAll, int(c.candidates[c.best[0]].least))
	}
	if err := t.build(s.lists); err != nil {
		return nil, err
	}
	return t, nil
}

// plan returns the guesses after the opening, in the order of [Tree.Plan], and a
// proven lower bound of the opening's total. Once stop is set it makes do with the guesses
// of a quick search. It returns false if there is no play.
//
// Each class is searched with a table of its own, so the plan does not depend on
// which goroutine did what before.
func (o *opening) plan(e Effort, stop *atomic.Bool) (guesses []wordle.Word, least int, ok bool) {
	open := o.open()
	var plans [wordle.Feedbacks][]wordle.Word
	ok = true
	done := 0
	var mu sync.Mutex // protects plans, ok and done
	searches := make([]*search, e.Workers)
	// Not the caller's context: once that ends, the other classes are planned quickly.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	parallel.Each(ctx, e.Workers, len(open), func(worker, i int) {
		if searches[worker] == nil {
			searches[worker] = newSearch(o.Lexicon, o.hard, e.Memory/e.Workers, 0)
			searches[worker].stop = stop
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
	return slices.Concat(plans[:]...), least, ok && least < impossible
}

// planAll returns the guesses for one class of three words or more, and raises its bound. It
// clears the memory of the search.
func (c *openingClass) planAll(s *search, q *problem) (guesses []wordle.Word, ok bool) {
	s.memo = transposition.NewTable(s.memory)
	t := c.set(s, c.allowed(q))
	if v := s.value(t, 0, impossible); !s.stop.Load() {
		c.least = v
		return c.plan(s, q, nil)
	}
	// A narrow beam is quick, but may miss every play. A wide one would search on for minutes.
	for _, beam := range []int{narrowBeam, firstBeam} {
		quick := newSearch(q.Lexicon, q.hard, s.memory, beam)
		quick.stop = new(atomic.Bool)
		if guesses, ok = c.plan(quick, q, nil); ok {
			break
		}
	}
	return guesses, ok
}

// plan appends the guesses of the best play for the class, in the order of [Tree.Plan], and
// returns false if there is none.
func (c *openingClass) plan(s *search, q *problem, guesses []wordle.Word) ([]wordle.Word, bool) {
	n := len(c.words)
	if n < 3 || c.feedback == wordle.AllGreen {
		return guesses, c.feedback == wordle.AllGreen || c.left >= n
	}
	left := min(c.left, n)
	k := c.key(s).With(uint64(left))
	best := s.memo.Get(k)
	if !best.Exact || !s.Familiar[best.Best] {
		t := c.set(s, c.allowed(q))
		t.left = left
		if !best.Exact && s.value(t, 0, impossible) >= impossible {
			return guesses, false
		}
		best = s.memo.Get(k)
		best.Best = s.familiarBest(t, best)
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

// familiarBest returns the best guess for a set: a familiar one if one is as good as what is known, and
// the set's own words first.
func (s *search) familiarBest(t set, known transposition.Entry) int32 {
	if s.Familiar[known.Best] {
		return known.Best
	}
	s.frame(0).made = false
	for _, row := range slices.Concat(t.table.own, t.rows) {
		if guess := t.table.guesses[row]; s.Familiar[guess] && s.cost(t, row, 0, known.Value+1) == known.Value && !s.stop.Load() {
			return guess
		}
	}
	return known.Best
}
