package solver

import (
	"context"
	"math"
	"slices"
	"time"

	"fivefold/game/wordle"
)

// weightedCut is how a guess, any word at all, cuts the words of a question.
type weightedCut struct {
	*weightedQuestion
	guess wordle.Word
	by    [wordle.Feedbacks][]uint16 // words, the heaviest first
	all   [wordle.Feedbacks]portion
}

func (q *weightedQuestion) cut(guess wordle.Word) *weightedCut {
	c := &weightedCut{weightedQuestion: q, guess: guess}
	for i, word := range q.words {
		f := wordle.Score(guess, word.Word)
		c.by[f] = append(c.by[f], uint16(i))
		c.all[f].weight += int64(word.weight)
		c.all[f].words++
	}
	return c
}

// expected returns how many words stay on average by weight.
func (c *weightedCut) expected() float64 {
	return sumOver(c.all[:], func(p portion) float64 { return float64(p.weight) * float64(p.words) }) / float64(c.total)
}

// classes returns how many different feedbacks the guess can get.
func (c *weightedCut) classes() int {
	n := 0
	for _, words := range c.by {
		if len(words) > 0 {
			n++
		}
	}
	return n
}

// bound returns what the guess costs at least, for any number of guesses.
func (c *weightedCut) bound() int64 {
	cost := c.total
	for f, words := range c.by {
		if len(words) > 0 && wordle.Feedback(f) != wordle.AllGreen {
			cost += leastCost(c.all[f].weight, int64(c.words[words[0]].weight), 2)
		}
	}
	return cost
}

// weightedAppraisal is what is known of the costs of a guess in a position, in
// guesses times weight, for any number of guesses.
type weightedAppraisal struct {
	*weightedCut
	best      wordle.Word
	bestCost  int64
	guessCost int64
	proven    bool // that these are the least
}

// appraise finds out what the guess costs, and what the best one does.
func (q *weightedQuestion) appraise(ctx context.Context, guess wordle.Word, limit time.Duration) weightedAppraisal {
	a := weightedAppraisal{weightedCut: q.cut(guess)}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	q.left = len(q.words) + 1 // so that even a guess that tells nothing leaves enough
	if len(q.words) <= maxWeightedWords {
		a.search(newWeightedSearch(q, stopOf(ctx)))
	}
	if a.guessCost == 0 { // there was no time
		a.guessCost = a.bound()
		best := q.cut(q.guesses[newWeigher(q).best(likeliest, 1)[0]])
		a.best, a.bestCost = best.guess, best.bound()
		if a.classes() == 1 && q.words[0].Word != guess { // it tells nothing
			a.guessCost = a.bestCost + q.total
		}
	}
	if a.guessCost <= a.bestCost {
		a.best, a.bestCost = guess, a.guessCost
	}
	return a
}

// search works the costs out, as far as there is time.
func (a *weightedAppraisal) search(s *weightedSearch) {
	t := s.whole()
	t.left = s.left
	all := s.contenders(t)
	for _, pass := range passes {
		if len(s.words) > pass.mostWords {
			break
		}
		s.begin(pass.beam...)
		cost := a.cost(s, t)
		if s.stop.Load() {
			return
		}
		settled := s.try(t, all, pass.candidates, 1)
		slices.SortStableFunc(all, contender.compare)
		if all[0].cost == 0 {
			return
		}
		if a.guessCost == 0 || cost < a.guessCost {
			a.guessCost = cost
		}
		a.bestCost, a.best = all[0].cost, s.guesses[s.allowed[all[0].row]]
		a.proven = settled && pass.candidates == 0
	}
}

// cost returns what the guess costs, which need not be one that is allowed.
func (a *weightedAppraisal) cost(s *weightedSearch, t weightedSet) int64 {
	cost := s.total
	for f, words := range a.by {
		if len(words) == 0 || wordle.Feedback(f) == wordle.AllGreen {
			continue
		}
		cost += s.value(s.below(t, a.guess, wordle.Feedback(f), words, a.all[f].weight), 1, impossibleCost)
	}
	return cost
}

// judged returns the judgement of the turn, after which there is another question.
func (a *weightedAppraisal) judged(turn wordle.Turn, after *weightedQuestion) Judged {
	found := turn.Feedback == wordle.AllGreen
	var outcomes []outcome
	for f, p := range a.all {
		if p.words > 0 {
			outcomes = append(outcomes, outcome{float64(p.weight), wordle.Feedback(f) == wordle.AllGreen, int(p.weight)})
		}
	}
	n := float64(a.total)
	return Judged{
		Turn:         turn,
		Before:       len(a.words),
		After:        len(after.words),
		Expected:     a.expected(),
		Best:         a.best,
		BestExpected: a.weightedQuestion.cut(a.best).expected(),
		Skill:        skillOf(n, float64(a.bestCost), float64(a.guessCost)),
		Luck:         luckOf(outcomes, outcome{found: found, left: int(after.total)}),
		Cut:          math.Log2(n / float64(after.total)),
		Proven:       a.proven,
	}
}
