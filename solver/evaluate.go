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

// evaluation is what is known of the total of a guess, and of the best one, in a position.
type evaluation struct {
	problem // with no limit to the guesses
	turns   []wordle.Turn
	guess   wordle.Word

	value knownTotal  // of the words: the total of the best guess
	best  wordle.Word // a guess that reaches it
	total knownTotal  // of the guess

	recorded bool // the guess is an opener with a total on record
	nothing  bool // the guess leaves everything as it was
}

// knownTotal is a total that some play reaches, 0 while none is known.
type knownTotal struct {
	n     int32
	exact bool // it is the least
}

func (s *Solver) newEvaluation(words []wordle.Word, turns []wordle.Turn, hard bool, guess wordle.Word) *evaluation {
	a := &evaluation{turns: turns, guess: guess}
	// With one guess more than words there are enough left even after a useless one.
	a.problem = problem{Lexicon: s.lexicon(), words: words, rules: rules{hard: hard}, left: len(words) + 1}
	if hard {
		a.clues = lexicon.CluesOf(turns)
	}
	return a
}

// evaluate finds the totals for all guesses of one game, given in their order: from the
// records, then by searching as long as ReviewTime lasts, and for the rest by estimates.
// The error is the context's, or says that the built-in files are damaged.
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
	// The last one first: it is the smallest, and what is found out about it helps with
	// those before it.
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

// settled reports whether both totals are exact.
func (a *evaluation) settled() bool { return a.value.exact && a.total.exact }

// consult takes over what is obvious, and what the trees and the totals of openers say.
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
	// A tree for a limited number of guesses gives a total that can be reached.
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

// proveCells is the most pairs of a guess and a word for which a search is tried; its
// table has a byte for each. More would not be searched to the end anyway.
const proveCells = 64 << 20

// prove searches for the totals that are not exact, until ctx ends.
func (a *evaluation) prove(ctx context.Context, s *search) {
	if a.settled() || a.recorded { // an opener would take all the time
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
			beta = a.total.n // the value is not above it
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

// estimate finds totals that can be reached, where none are known. When the estimator is
// stopped, they mean nothing.
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

// better reports whether f is lower than what was known, or newly exact.
func (f knownTotal) better(known knownTotal) bool {
	return known.n == 0 || f.n < known.n || f.exact && !known.exact
}

// compare makes sure that the value is not above the total of the guess, and that the
// guess counts as the best if none is better.
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

// judged returns the judgement of the guess, after which that many words were left.
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

// least returns a lower bound of the total of the opening. Where no class is open, it is
// the total.
func (o *opening) least() int32 {
	least := int32(len(o.words))
	for _, c := range o.classes {
		least += c.least
	}
	return least
}
