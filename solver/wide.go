package solver

import (
	"context"
	"slices"
	"sync"

	"fivefold/game/wordle"
)

// How many openers are tried, and how many guesses at each set of words, to find
// soon a total that is hard to beat. SALET, the best on the lists that solvers
// are compared on, looks second best.
const (
	firstOpeners = 16
	firstBeam    = 10
)

// wide works the candidates out one after another: for each it takes the classes
// into which it cuts the words as sets of their own, several at a time. It is for
// a table of all words that would be large.
func (c *contest) wide() {
	if c.stop.Load() {
		return
	}
	beam := firstBeam
	queue := c.first(firstOpeners)
	if c.effort.Beam > 0 {
		beam = c.effort.Beam
		queue = c.first(beam)
	}
	c.run(c.effort.Top, 1, queue, true, c.byClass(beam))
	if c.effort.Beam > 0 || c.stop.Load() {
		return
	}
	// The best first: it will beat the others.
	queue = append(slices.Clone(c.best), c.first(len(c.candidates))...)
	cost := c.byClass(0)
	c.run(1, 1, queue, false, cost)
	if c.effort.Top > 1 && !c.stop.Load() {
		c.run(c.effort.Top, 1, queue, false, cost)
	}
}

// byClass returns the function that works out what a candidate costs.
func (c *contest) byClass(beam int) func(worker, i int, beta int32) int32 {
	team := newTeam(c.lexicon, c.hard, c.effort, beam)
	return func(_, i int, beta int32) int32 {
		o := openingOf(&c.question, c.guesses[c.candidates[i].guess])
		return team.cost(c.ctx, o, beta)
	}
}

// opening is a guess for a question, with what it leads to.
type opening struct {
	*question
	guess   wordle.Word
	classes []wideClass // the smallest first
}

// wideClass is what one feedback leaves, as a set of its own.
type wideClass struct {
	feedback wordle.Feedback
	words    []wordle.Word
	clues    clues // in hard mode
	left     int   // how many guesses are left
}

func openingOf(q *question, guess wordle.Word) opening {
	var words [wordle.Feedbacks][]wordle.Word
	for _, w := range q.words {
		f := wordle.Score(guess, w)
		words[f] = append(words[f], w)
	}
	o := opening{question: q, guess: guess}
	for f, words := range words {
		if len(words) == 0 {
			continue
		}
		class := wideClass{feedback: wordle.Feedback(f), words: words, left: q.left - 1}
		if q.hard {
			class.clues = q.clues.after(guess, class.feedback)
		}
		o.classes = append(o.classes, class)
	}
	slices.SortStableFunc(o.classes, func(a, b wideClass) int { return len(a.words) - len(b.words) })
	return o
}

// team is a search for each of several goroutines.
type team []*search

func newTeam(x *lexicon, hard bool, e Effort, beam int) team {
	team := make(team, e.Workers)
	for w := range team {
		team[w] = newSearch(x, hard, e.Memory/len(team), beam)
	}
	return team
}

// cost returns what the opening costs if that is less than beta, and otherwise a
// number that is not less than beta and, where there is no beam, no more than the
// cost. When ctx ends, what it returns means nothing.
func (team team) cost(ctx context.Context, o opening, beta int32) int32 {
	ctx, beaten := context.WithCancel(ctx)
	defer beaten()
	stop := stopOf(ctx)
	total := int32(len(o.words))
	for i := range o.classes {
		total += o.classes[i].least()
	}
	var mu sync.Mutex
	next := 0
	var wg sync.WaitGroup
	for _, s := range team {
		s.stop = stop
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for next < len(o.classes) && total < beta {
				class := &o.classes[next]
				next++
				least := class.least()
				if class.known() {
					continue
				}
				rest := beta - (total - least)
				mu.Unlock()
				v := class.value(s, o.question, rest)
				mu.Lock()
				if stop.Load() {
					return
				}
				if total = min(total+v-least, impossible); total >= beta {
					beaten()
				}
			}
		})
	}
	wg.Wait()
	return total
}

// known reports whether least is the value.
func (c *wideClass) known() bool {
	n := len(c.words)
	return c.feedback == wordle.AllGreen || n <= min(c.left, 2) || c.left < min(n, 2)
}

// least returns a bound for the value.
func (c *wideClass) least() int32 {
	n := len(c.words)
	switch {
	case c.feedback == wordle.AllGreen:
		return 0
	case c.left < min(n, 2):
		return impossible
	}
	return int32(2*n - 1)
}

// value returns the value of the class, of three words or more, if it is less
// than beta; see [search.value].
func (c *wideClass) value(s *search, q *question, beta int32) int32 {
	// Most classes are small, and their own words show what they are worth.
	if len(c.words) <= smallClass {
		own := s.setOf(c, s.numbers(c.words))
		own.left = min(own.left, len(c.words))
		known := s.memo.get(own.key.with(uint64(own.left)))
		if known.exact || known.value >= beta {
			return known.value
		}
		if v := s.ownValue(own); v > 0 {
			return v
		}
	}
	allowed := q.allowed
	if s.hard {
		allowed = q.allow(c.clues)
	}
	return s.value(s.setOf(c, allowed), 0, beta)
}

// smallClass is up to how many words it is worth to look at them alone first.
const smallClass = 64

// setOf returns the class on a level of its own, with these guesses.
func (s *search) setOf(c *wideClass, guesses []int32) set {
	l := newLevel(s.lexicon, guesses, c.words)
	t := set{level: l, columns: l.whole(), rows: l.rows, clues: c.clues, left: c.left}
	for _, k := range l.keys {
		t.key = t.key.xor(k)
	}
	if s.hard {
		t.key = t.key.xor(c.clues.key())
	}
	return t
}
