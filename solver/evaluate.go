package solver

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
)

// appraisal is what is known of the totals of a guess in a position.
type evaluation struct {
	problem // for any number of guesses
	turns    []wordle.Turn
	guess    wordle.Word

	value knownTotal      // of the words
	best  wordle.Word // that reaches it
	total knownTotal      // of the guess

	recorded bool // it is an opener with a total in the table
	nothing  bool // it leaves everything as it was
}

// figure is a total that can be reached, 0 while none is known.
type knownTotal struct {
	n     int32
	exact bool // it is the least
}

func (s *Solver) newEvaluation(words []wordle.Word, turns []wordle.Turn, hard bool, guess wordle.Word) *evaluation {
	a := &evaluation{turns: turns, guess: guess}
	// With one guess more than words, even one that tells nothing leaves enough.
	a.problem = problem{Lexicon: s.lexicon(), words: words, rules: rules{hard: hard}, left: len(words) + 1}
	if hard {
		a.clues = lexicon.CluesOf(turns)
	}
	return a
}

// appraise finds out the totals of every appraisal of one game, in their order:
// what is on record, then what ReviewTime is enough for, and of the rest estimates.
// The error is the context's, or says that the program is damaged.
func (s *Solver) evaluate(ctx context.Context, hard bool, all []*evaluation) error {
	for _, a := range all {
		if err := a.consult(s); err != nil {
			return err
		}
	}
	timed, cancel := context.WithTimeout(ctx, s.ReviewTime)
	defer cancel()
	exact := newSearch(s.lexicon(), rules{hard: hard}, suggestMemory, 0)
	exact.stop = parallel.StopFlag(timed)
	// The last one first: it is the smallest, and what is found out of it is a part
	// of the one before.
	for i := len(all) - 1; i >= 0 && timed.Err() == nil; i-- {
		all[i].prove(timed, exact)
	}
	quick := newEstimator(s.lexicon(), hard, parallel.StopFlag(ctx))
	for _, a := range all {
		if ctx.Err() == nil {
			a.estimate(quick, s.startCache(hard))
		}
		if len(a.turns) == 0 && ctx.Err() == nil {
			s.startCache(hard).estimateIs(a.value, a.best)
		}
		a.compare()
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reviewing a game: %w", err)
	}
	return nil
}

// settled reports whether there is nothing left to find out.
func (a *evaluation) settled() bool { return a.value.exact && a.total.exact }

// consult notes what the trees say and the totals of openers, and what is obvious.
func (a *evaluation) consult(s *Solver) error {
	o := openingOf(&a.problem, a.guess)
	if len(o.open()) == 0 {
		a.totalIs(knownTotal{o.least(), true})
	}
	c := o.classes[0]
	a.nothing = len(o.classes) == 1 && c.feedback != wordle.AllGreen && c.clues == a.clues
	if n := len(a.words); n <= 2 {
		a.valueIs(knownTotal{int32(2*n - 1), true}, a.words[0])
		return nil
	}
	if len(a.turns) == 0 {
		table, err := s.openers(a.hard)
		if err != nil {
			return err
		}
		if table != nil {
			a.valueIs(knownTotal{n: table.least().total}, a.Guesses[table.best])
			if g, ok := a.Number(a.guess); ok {
				a.totalIs(knownTotal{table.all[g].total, table.all[g].exact})
				a.recorded = true
			}
		}
	}
	// A tree for fewer guesses shows a total that can be reached, if it is on one.
	for _, limit := range []int{0, wordle.Attempts} {
		f, err := s.lookUp(Position{Turns: a.turns, Hard: a.hard, Limit: limit}, &a.problem)
		if errors.Is(err, errOffTree) {
			continue
		}
		if err != nil {
			return err
		}
		value := knownTotal{f.total, f.best && limit == 0}
		a.valueIs(value, a.Guesses[f.guess])
		if a.Guesses[f.guess] == a.guess {
			a.totalIs(value)
		}
	}
	return nil
}

// proveCells is up to how many pairs of a guess and a word there is a search, whose
// table has a byte for each. No more would be searched to the end in any case.
const proveCells = 64 << 20

// prove searches for what is not known for certain, until ctx ends.
func (a *evaluation) prove(ctx context.Context, s *search) {
	if a.settled() || a.recorded { // an opener would take all the time there is
		return
	}
	if a.allowed == nil {
		a.allowed = a.allowedFor(a.words, a.clues)
	}
	if len(a.words)*len(a.allowed) > proveCells {
		return
	}
	if !a.total.exact && !a.nothing {
		total := team{s}.cost(ctx, openingOf(&a.problem, a.guess), impossible)
		if ctx.Err() != nil {
			return
		}
		a.totalIs(knownTotal{total, true})
	}
	if !a.value.exact {
		s.stop = parallel.StopFlag(ctx)
		c := openingClass{words: a.words, clues: a.clues, left: len(a.words)}
		beta := int32(impossible)
		if a.total.exact {
			beta = a.total.n // there is nothing to find above
		}
		value := c.value(s, &a.problem, beta)
		switch {
		case ctx.Err() != nil:
		case value >= beta:
			a.valueIs(knownTotal{beta, true}, a.guess)
		default:
			best := s.memo.Get(c.key(s).With(uint64(len(a.words)))).Best
			a.valueIs(knownTotal{value, true}, a.Guesses[best])
		}
	}
}

// estimate finds totals that can be reached where none are known.
func (a *evaluation) estimate(e *estimator, all *startCache) {
	if value, best := all.estimated(); len(a.turns) == 0 && best != 0 {
		a.valueIs(value, best)
	}
	if a.value.n > 0 && (a.total.n > 0 || a.nothing) {
		return
	}
	if a.allowed == nil {
		a.allowed = a.allowedFor(a.words, a.clues)
	}
	l := e.shortlist(&a.problem)
	if a.total.n == 0 && !a.nothing {
		a.totalIs(knownTotal{n: e.cost(l, a.guess)})
	}
	if a.value.n == 0 {
		for _, guess := range l.best {
			a.valueIs(knownTotal{n: e.cost(l, guess)}, guess)
		}
	}
}

// valueIs notes that the value, or more, is reached with the guess.
func (a *evaluation) valueIs(f knownTotal, best wordle.Word) {
	if f.better(a.value) {
		a.value, a.best = f, best
	}
}

// totalIs notes that the guess reaches the total.
func (a *evaluation) totalIs(f knownTotal) {
	if f.better(a.total) {
		a.total = f
	}
}

// better reports whether f says more than what was known.
func (f knownTotal) better(known knownTotal) bool {
	return known.n == 0 || f.n < known.n || f.exact && !known.exact
}

// compare sees to it that the value is not above the total of the guess, and that
// the guess counts as the best if none is better.
func (a *evaluation) compare() {
	if a.nothing {
		a.total = knownTotal{int32(len(a.words)) + a.value.n, a.value.exact}
	}
	switch {
	case a.total.n < a.value.n:
		a.value, a.best = knownTotal{n: a.total.n}, a.guess
	case a.total.n == a.value.n:
		a.best = a.guess
		a.total.exact = a.total.exact || a.value.exact
	}
}

// judged returns the judgement of the guess, which left so many words.
func (a *evaluation) judged(f wordle.Feedback, after int) Judged {
	n := len(a.words)
	came := grade.Outcome{Found: f == wordle.AllGreen, Left: after}
	var all []grade.Outcome
	for f, words := range partition.Classes(a.guess, a.words) {
		if len(words) > 0 {
			all = append(all, grade.Outcome{Weight: float64(len(words)), Found: wordle.Feedback(f) == wordle.AllGreen, Left: len(words)})
		}
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
		Skill:        grade.Skill(float64(n), float64(a.value.n), float64(a.total.n)),
		Luck:         grade.Luck(all, came),
		Cut:          grade.Bits(n, after),
		Proven:       a.settled(),
	}
}

// least returns what the opening costs at least, and costs if no class is open.
func (o *opening) least() int32 {
	least := int32(len(o.words))
	for _, c := range o.classes {
		least += c.least
	}
	return least
}
