package optimal

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
	"fivefold/solver/search"
	"fivefold/solver/trees"
)

// evaluation has the totals of a guess and of the best guess in a position, as far as they are known.
type evaluation struct {
	problem // with the guesses that were left
	turns   []wordle.Turn
	guess   wordle.Word

	valued
	total knownTotal // of the guess

	recorded bool // the guess is an opener with a total on record
	useless  bool // the guess leaves everything as it was, and enough guesses for all words
}

// valued is what is known of a position.
type valued struct {
	value knownTotal  // of the words: the total of the best guess
	best  wordle.Word // a guess that reaches it
}

func (s *Solver) newEvaluation(words []wordle.Word, turns []wordle.Turn, hard marks.Hardness, guess wordle.Word) *evaluation {
	// With one guess more than words there are enough left even after a useless one. A game
	// that uses up its guesses continues without a limit.
	left := len(words) + 1
	if limited := wordle.Attempts - len(turns); limited > 0 {
		left = min(left, limited)
	}
	a := &evaluation{turns: turns, guess: guess}
	a.problem = problem{Lexicon: s.lexicon(), words: words, hard: hard, clues: lexicon.CluesOf(hard, turns), left: left}
	return a
}

// evaluate finds the totals for all guesses of one game, given in their order. It looks them up, searches as long as
// ReviewTime lasts, and estimates the rest. The error is the context's.
func (s *Solver) evaluate(ctx context.Context, hard marks.Hardness, all []*evaluation) error {
	for _, a := range all {
		a.consult(s, parallel.StopFlag(ctx))
	}
	timed, cancel := context.WithTimeout(ctx, s.ReviewTime)
	defer cancel()
	exact := search.New(s.lexicon(), hard, suggestMemory, 0)
	exact.Stop = parallel.StopFlag(timed)
	// The last position comes first: it is the smallest, and its results help with those before it.
	for i := len(all) - 1; i >= 0 && timed.Err() == nil; i-- {
		all[i].prove(timed, exact)
	}
	quick := search.New(s.lexicon(), hard, suggestMemory, narrowBeam)
	quick.Stop = parallel.StopFlag(ctx)
	for _, a := range all {
		if ctx.Err() == nil {
			a.estimate(quick, s.starts[hard].Load())
		}
		if len(a.turns) == 0 && ctx.Err() == nil {
			s.starts[hard].Store(&valued{a.value, a.best})
		}
		a.reconcile()
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reviewing a game: %w", err)
	}
	return nil
}

// settled reports whether both totals are exact.
func (a *evaluation) settled() bool { return a.value.exact && a.total.exact }

// consult notes totals that are obvious, in the trees, or among the totals of openers.
func (a *evaluation) consult(s *Solver, stop *atomic.Bool) {
	o := openingOf(&a.problem, a.guess)
	c := o.classes[0]
	a.useless = len(o.classes) == 1 && c.feedback != wordle.AllGreen && c.clues == a.clues && a.left > len(a.words)
	if a.left <= 2 || a.left == 3 && len(a.words) <= fewWords || len(o.open()) == 0 {
		a.totalIs(o.total(nil, stop))
	}
	switch n := int32(len(a.words)); {
	case n == 1 || n == 2 && a.left > 1:
		a.valueIs(knownTotal{2*n - 1, 0, true}, a.words[0])
		return
	case a.left <= 2:
		a.valueIs(a.fewestMissed(nil, stop))
		return
	}
	p := Position{Turns: a.turns, Hard: a.hard}
	if len(a.turns) < wordle.Attempts {
		p.Limit = wordle.Attempts
	}
	f, ok := s.lookUp(p, &a.problem)
	if !ok {
		return
	}
	value := knownTotal{f.total, 0, f.best}
	a.valueIs(value, a.Guesses[f.guess])
	if a.best == a.guess {
		a.totalIs(value)
	} else if len(a.turns) == 0 {
		a.record(s.builtIn)
	}
}

// record notes the total of an opener from its tree, or else from the table of openers. The table is for games
// without a limit. So the noted total is as far above the best one's as in the table, and at least one above it.
func (a *evaluation) record(known *trees.BuiltIn) {
	if t := known.Tree(a.hard, a.guess); t != nil && suits(t, t.Height, Position{Limit: wordle.Attempts}) {
		a.totalIs(knownTotal{int32(t.Total), 0, t.Proven()})
		return
	}
	table := known.Openers(a.hard)
	g, ok := a.Number(a.guess)
	if table == nil || !ok {
		return
	}
	best, _ := a.Number(a.best)
	limit := a.value.n - table.Totals[best]
	exact := limit == 0 && slices.Contains(table.Exact, a.guess)
	a.totalIs(knownTotal{max(table.Totals[g]+limit, a.value.n+1), 0, exact})
	a.recorded = true
}

// proveCells is the most pairs of a guess and a word for which a search is tried; its
// table has a byte for each. More would not be searched to the end anyway.
const proveCells = 64 << 20

// prove searches for the totals that are not exact, until ctx ends.
func (a *evaluation) prove(ctx context.Context, s *search.Search) {
	if a.settled() || a.recorded { // an opener would take all the time
		return
	}
	if a.allowed == nil {
		a.allowed = a.allowedFor(a.words, a.clues)
	}
	if len(a.words)*len(a.allowed) > proveCells {
		return
	}
	if !a.total.exact && !a.useless {
		o := openingOf(&a.problem, a.guess)
		known := knownTotal{team{s}.cost(ctx, o, search.Impossible), 0, true}
		s.Stop = parallel.StopFlag(ctx)
		if known.n >= search.Impossible {
			o = openingOf(&a.problem, a.guess)
			known = o.total(s, s.Stop)
		}
		if ctx.Err() != nil {
			return
		}
		a.totalIs(known)
	}
	if !a.value.exact {
		q := a.problem
		q.left = min(a.left, len(a.words))
		r := newRootSearch(ctx, q, Effort{Workers: 1, Memory: suggestMemory}.withDefaults())
		r.search()
		switch best := r.solution().Suggestions[0]; { // the hint
		case ctx.Err() != nil:
		case best.Total > 0:
			a.valueIs(knownTotal{int32(best.Total), 0, best.Proven}, best.Word)
		case best.Proven:
			s.Stop = parallel.StopFlag(ctx)
			if value, word := a.fewestMissed(s, s.Stop); ctx.Err() == nil {
				a.valueIs(value, word)
			}
		}
	}
}

// estimate finds totals that can be reached, where none are known. When the search is
// stopped, they mean nothing.
func (a *evaluation) estimate(quick *search.Search, start *valued) {
	if len(a.turns) == 0 && start != nil {
		a.valueIs(start.value, start.best)
	}
	if a.value.n > 0 && (a.total.n > 0 || a.useless) {
		return
	}
	if a.allowed == nil {
		a.allowed = a.allowedFor(a.words, a.clues)
	}
	q := a.problem
	for _, try := range []struct {
		left, beam int
	}{{a.left, narrowBeam}, {a.left, wideBeam}, {len(q.words) + 1, narrowBeam}} {
		q.left = try.left
		s := quick
		if try.beam != s.Beam {
			s = search.New(s.Lexicon, s.Hard, suggestMemory, try.beam)
			s.Stop = quick.Stop
		}
		l := q.shortlist(s)
		if a.total.n == 0 && !a.useless {
			a.totalIs(knownTotal{n: l.estimate(s, a.guess)})
		}
		if a.value.n == 0 {
			for _, guess := range l.best {
				a.valueIs(knownTotal{n: l.estimate(s, guess)}, guess)
			}
		}
		if a.value.n < search.Impossible && (a.total.n < search.Impossible || a.useless) {
			return
		}
		// No play was found that is sure to find all words within the limit. The last try is for a game without a
		// limit.
		a.value.unlessImpossible()
		a.total.unlessImpossible()
	}
}

// valueIs notes a total that the guess best reaches.
func (a *evaluation) valueIs(f knownTotal, best wordle.Word) {
	if f.better(a.value) {
		a.value, a.best = f, best
	}
}

// totalIs notes a total that the guess reaches.
func (a *evaluation) totalIs(f knownTotal) {
	if f.better(a.total) {
		a.total = f
	}
}

// reconcile keeps the value at most the total of the guess, and makes the guess the best if
// none is better.
func (a *evaluation) reconcile() {
	if a.useless {
		a.total = knownTotal{int32(len(a.words)) + a.value.n, a.value.missed, a.value.exact}
	}
	switch {
	case a.value.less(a.total):
	case a.value.exact && !a.total.exact && a.left <= len(a.words): // an estimate knows no limit
		a.total.n, a.total.missed = a.value.n, a.value.missed
	case a.total.less(a.value):
		a.value, a.best = knownTotal{a.total.n, a.total.missed, false}, a.guess
	default:
		a.best = a.guess
		a.total.exact = a.total.exact || a.value.exact
	}
}

// judged returns the judgement of the guess, given its feedback and the number of words left after it.
func (a *evaluation) judged(f wordle.Feedback, after int) Judged {
	n := len(a.words)
	var sizes [wordle.Feedbacks]int
	for f, words := range partition.Classes(a.guess, a.words) {
		sizes[f] = len(words)
	}
	expected := func(guess wordle.Word) float64 {
		return float64(partition.SplitBy(guess, a.words).Squares) / float64(n)
	}
	return Judged{
		Turn:         wordle.Turn{Guess: a.guess, Feedback: f},
		Before:       n,
		After:        after,
		Expected:     expected(a.guess),
		Best:         a.best,
		BestExpected: expected(a.best),
		Skill:        a.skill(),
		Luck:         grade.Luck(sizes[:], f, after),
		Cut:          grade.Bits(n, after),
		Proven:       a.settled(),
	}
}

// skill returns the skill of the guess. If the guess finds fewer words than the best one, the skill shrinks in
// proportion: half as many words, half the skill.
func (a *evaluation) skill() float64 {
	if a.guess != a.words[0] && partition.SplitBy(a.guess, a.words).Classes == 1 {
		return 0 // it tells nothing
	}
	n := float64(len(a.words))
	share := (n - float64(a.total.missed)) / (n - float64(a.value.missed))
	return share * grade.Skill(n, float64(a.value.n), float64(a.total.n))
}
