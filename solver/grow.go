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
// When ctx ends, the tree is the best that was found, and its bounds say how far from the
// least it can be; that is not an error. Progress starts again
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
	plans := map[wordle.Feedback][]wordle.Word{}
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
		plan, found := open[i].plan(searches[worker], o.problem)
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
	slices.SortFunc(o.classes, func(a, b openingClass) int { return int(a.feedback) - int(b.feedback) })
	least = len(o.words)
	for _, class := range o.classes {
		guesses = append(guesses, plans[class.feedback]...)
		least += int(class.least)
	}
	return guesses, least, ok && least < impossible
}

// plan returns the guesses for one class of three words or more, and raises its bound. It
// clears the memory of the search.
func (c *openingClass) plan(s *search, q *problem) (guesses []wordle.Word, ok bool) {
	s.memo = transposition.NewTable(s.memory)
	t := c.set(s, c.allowed(q), new(atomic.Bool)) // the quick search needs it too
	if v := s.value(t, 0, impossible); !s.stop.Load() {
		c.least = v
		return s.plan(nil, t)
	}
	// A narrow beam is quick, but may miss every play.
	for beam := firstBeam; ; beam *= 4 {
		if beam > len(t.rows) {
			beam = 0
		}
		quick := newSearch(q.Lexicon, q.hard, s.memory, beam)
		quick.stop = new(atomic.Bool)
		if guesses, ok = quick.plan(nil, t); ok || beam == 0 {
			return guesses, ok
		}
	}
}

// plan appends the guesses of the best play for the set, in the order of [Tree.Plan],
// and returns false if there is none. The set has a subtable of its own.
func (s *search) plan(guesses []wordle.Word, t set) ([]wordle.Word, bool) {
	if len(t.columns) < 3 {
		return guesses, t.left >= len(t.columns)
	}
	t.left = min(t.left, len(t.columns))
	k := t.key.With(uint64(t.left))
	known := s.memo.Get(k)
	if !known.Exact {
		t.rows = s.allowed(nil, &t)
		if s.value(t, 0, impossible) >= impossible {
			return guesses, false
		}
		known = s.memo.Get(k)
	}
	best := s.familiarBest(t, known)
	guess := s.Guesses[best]
	guesses = append(guesses, guess)
	row, _ := slices.BinarySearch(t.table.guesses, best)
	cells := t.table.Row(int32(row))
	var classes [wordle.AllGreen]set
	for _, column := range t.columns {
		f := wordle.Feedback(cells[column])
		if f == wordle.AllGreen {
			continue
		}
		class := &classes[f]
		if class.columns == nil {
			*class = set{table: t.table, left: t.left - 1}
			if s.hard {
				class.clues = t.clues.After(guess, f)
				class.key = class.clues.Key()
			}
		}
		class.columns = append(class.columns, column)
		class.key = class.key.Xor(t.table.keys[column])
	}
	ok := true
	for f := range classes {
		if ok && classes[f].columns != nil {
			guesses, ok = s.plan(guesses, classes[f])
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
	t.rows = s.allowed(nil, &t)
	s.frame(0).made = false
	var own []int32
	for _, c := range t.columns {
		own = append(own, t.table.own[c])
	}
	for _, row := range append(own, t.rows...) {
		if guess := t.table.guesses[row]; s.Familiar[guess] && s.cost(t, row, 0, known.Value+1) == known.Value && !s.stop.Load() {
			return guess
		}
	}
	return known.Best
}
