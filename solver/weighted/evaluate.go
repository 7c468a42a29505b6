package weighted

import (
	"context"
	"math"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// guessSplit splits the words of a problem by a guess, which may be any word.
type guessSplit struct {
	splitter
	guess    wordle.Word
	feedback []byte // by word
}

func (q *problem) split(guess wordle.Word) *guessSplit {
	c := &guessSplit{splitter: splitter{problem: q}, guess: guess}
	for _, word := range q.words {
		c.feedback = append(c.feedback, byte(wordle.Score(guess, word.Word)))
	}
	c.splitBy(c.feedback)
	return c
}

// bound returns a lower bound of the guess's cost. It is the cost with one or two guesses left.
func (c *guessSplit) bound() int64 {
	cost := c.total
	for f, p := range c.by {
		if p.words > 0 && wordle.Feedback(f) != wordle.AllGreen {
			cost += leastCost(p.weight, int64(p.largest), c.left-1, LossCost)
		}
	}
	return cost
}

// skill returns the guess's skill as [optimal.Solver.Review] grades it: a missed word counts one guess more.
func (a *evaluation) skill() float64 {
	if len(a.classes) == 1 && a.words[0].Word != a.guess {
		return 0 // it changes nothing
	}
	n := float64(a.total)
	share := min(1, float64(a.total-a.guessLost)/float64(a.total-a.bestLost))
	return share * grade.Skill(n, float64(a.bestCost-(LossCost-1)*a.bestLost), float64(a.guessCost-(LossCost-1)*a.guessLost))
}

// evaluation has the costs of a guess and of the best one in a position, in guesses times weight.
type evaluation struct {
	*guessSplit
	best      wordle.Word
	bestCost  int64
	guessCost int64
	bestLost  int64 // the weight of the words that are not found within the limit
	guessLost int64
	proven    bool // no smaller costs are possible
}

// evaluate finds the costs of the guess and of the best one. When ctx ends, the result means
// nothing.
func (q *problem) evaluate(ctx context.Context, guess wordle.Word, limit time.Duration) evaluation {
	a := evaluation{guessSplit: q.split(guess)}
	timed := ctx
	if q.left > 2 { // else the search takes some milliseconds
		var cancel context.CancelFunc
		timed, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	if q.small() {
		s := q.newSearch(ctx, parallel.StopFlag(timed))
		a.search(ctx, s)
		s.release()
	}
	if a.guessCost == 0 { // without time to search
		a.guessCost = a.bound()
		ranked := newSplitter(q).best(ctx, likeliest, 1)
		if len(ranked) == 0 {
			return a
		}
		best := q.split(q.Guesses[ranked[0]])
		a.best, a.bestCost = best.guess, best.bound()
		if a.left > 2 && len(a.classes) == 1 && q.words[0].Word != guess { // it splits nothing
			a.guessCost = a.bestCost + q.total
		}
	}
	if a.guessCost <= a.bestCost {
		a.best, a.bestCost, a.bestLost = guess, a.guessCost, a.guessLost
	}
	return a
}

// search finds the costs, as far as there is time.
func (a *evaluation) search(ctx context.Context, s *search) {
	if a.guess == a.proof.Guess {
		a.best, a.bestCost, a.guessCost, a.proven = a.guess, a.proof.Total, a.proof.Total, true
		return
	}
	t := s.all()
	t.left = s.left
	all := s.rootMoves(ctx, t)
	if ctx.Err() != nil {
		return
	}
	proven := s.passes(t, all, 1, func() {
		if cost := a.cost(s, t); !s.stop.Load() && (a.guessCost == 0 || cost < a.guessCost) {
			a.guessCost = cost
		}
	})
	s.familiarFirst(all, 0)
	if all[0].cost == 0 || a.guessCost == 0 {
		a.guessCost = 0
		return
	}
	a.bestCost, a.best, a.proven = all[0].cost, s.Guesses[s.allowed[all[0].row]], proven
	if a.left > len(a.words) {
		return // enough for all
	}
	// If a loss counts one guess more, the cost grows by the weight of the lost words.
	s.loss++
	s.reset(s.beam...)
	best := &evaluation{guessSplit: a.problem.split(a.best)}
	guessCost, bestCost := a.cost(s, t), best.cost(s, t)
	if a.proven = a.proven && !s.stop.Load(); a.proven {
		a.guessLost, a.bestLost = guessCost-a.guessCost, bestCost-a.bestCost
	}
}

// cost returns the cost of the guess, which need not be an allowed one.
func (a *evaluation) cost(s *search, t set) int64 {
	var classes [wordle.Feedbacks][]uint16
	for i, f := range a.feedback {
		classes[f] = append(classes[f], uint16(i))
	}
	cost := s.total
	for f, words := range classes {
		if len(words) == 0 || wordle.Feedback(f) == wordle.AllGreen {
			continue
		}
		cost += s.value(s.below(t, a.guess, wordle.Feedback(f), words, a.by[f].weight), 1, impossibleCost)
	}
	return cost
}

// judged returns the judgement of a turn, given the problem after it.
func (a *evaluation) judged(turn wordle.Turn, after *problem) optimal.Judged {
	var weights [wordle.Feedbacks]int
	for f, p := range a.by {
		weights[f] = int(p.weight)
	}
	n := float64(a.total)
	best := a.problem.split(a.best)
	return optimal.Judged{
		Turn:         turn,
		Before:       len(a.words),
		After:        len(after.words),
		Expected:     a.suggestionBy(a.guess, a.feedback).Expected,
		Best:         a.best,
		BestExpected: best.suggestionBy(best.guess, best.feedback).Expected,
		Skill:        a.skill(),
		Luck:         grade.Luck(weights[:], turn.Feedback, int(after.total)),
		Cut:          math.Log2(n / float64(after.total)),
		Proven:       a.proven,
	}
}
