package optimal

import (
	"context"
	"slices"
	"sync"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
	"fivefold/solver/search"
)

// The search first tries firstOpeners openers, with firstBeam guesses at each set of words. So it soon has a total
// that is hard to beat. SALET, the best opener on the lists that solvers are compared on, ranks second.
const (
	firstOpeners = 16
	firstBeam    = 10
)

// classByClass searches one candidate after another. The workers share out the classes of a
// candidate, each as a set of its own. It is for problems whose table of all words would be
// large.
func (r *rootSearch) classByClass() {
	r.run(r.effort.Top, 1, r.first(firstOpeners), true, r.costByClass(firstBeam))
	if r.stop.Load() {
		return
	}
	// The best first: it will refute the others.
	queue := append(slices.Clone(r.best), r.first(len(r.candidates))...)
	exact := r.costByClass(0)
	r.run(1, 1, queue, false, exact)
	if r.effort.Top > 1 && !r.stop.Load() {
		r.run(r.effort.Top, 1, queue, false, exact)
	}
}

// costByClass returns the function with which a team finds the total of a candidate.
func (r *rootSearch) costByClass(beam int) func(worker, i int, beta int32) int32 {
	team := newTeam(&r.problem, r.effort, beam)
	return func(_, i int, beta int32) int32 {
		o := openingOf(&r.problem, r.Guesses[r.candidates[i].guess])
		return team.cost(r.ctx, o, beta)
	}
}

// opening is a guess for a problem, with its classes.
type opening struct {
	*problem
	classes []openingClass // the largest first
}

// openingClass is the words with one feedback, as a set of its own.
type openingClass struct {
	feedback wordle.Feedback
	words    []wordle.Word
	clues    lexicon.Clues
	left     int   // how many guesses are left
	least    int32 // a lower bound of the value
}

func openingOf(q *problem, guess wordle.Word) opening {
	o := opening{problem: q}
	for f, words := range partition.Classes(guess, q.words) {
		if len(words) == 0 {
			continue
		}
		class := openingClass{feedback: wordle.Feedback(f), words: words, left: q.left - 1, least: int32(2*len(words) - 1)}
		class.clues = q.clues.After(guess, class.feedback)
		switch {
		case class.feedback == wordle.AllGreen:
			class.least = 0
		case class.left < min(len(words), 2):
			class.least = search.Impossible
		}
		o.classes = append(o.classes, class)
	}
	slices.SortStableFunc(o.classes, func(a, b openingClass) int { return len(b.words) - len(a.words) })
	return o
}

// least returns a lower bound of the total of the opening. If no class is open, the bound is the total.
func (o *opening) least() int32 {
	least := int32(len(o.words))
	for _, c := range o.classes {
		least = min(least+c.least, search.Impossible)
	}
	return least
}

// team has a search for each of several goroutines.
type team []*search.Search

func newTeam(q *problem, e Effort, beam int) team {
	team := make(team, e.Workers)
	for w := range team {
		team[w] = search.New(q.Lexicon, q.hard, e.Memory/len(team), beam)
	}
	return team
}

// cost returns the total of the opening if that is less than beta, else a number of at least beta. Without a beam,
// the number is a lower bound of the total. When ctx ends, the result means nothing.
func (team team) cost(ctx context.Context, o opening, beta int32) int32 {
	ctx, beaten := context.WithCancel(ctx)
	defer beaten()
	stop := parallel.StopFlag(ctx)
	total := o.least()
	if total >= beta {
		return total
	}
	var mu sync.Mutex // protects total and the bounds of the classes
	// each lets the team work on the classes until the sum of their values is known to
	// be too large.
	each := func(classes []*openingClass, work func(s *search.Search, class *openingClass, beta int32) int32) {
		parallel.Each(ctx, len(team), len(classes), func(worker, i int) {
			class := classes[i]
			mu.Lock()
			others := total - class.least
			mu.Unlock()
			v := work(team[worker], class, beta-others)
			mu.Lock()
			defer mu.Unlock()
			if stop.Load() {
				return
			}
			total = min(total+v-class.least, search.Impossible)
			if class.least = v; total >= beta {
				beaten()
			}
		})
	}
	for _, s := range team {
		s.Stop = stop
	}
	open := o.open()
	if beta < search.Impossible && team[0].Beam == 0 {
		// The bounds of the large classes alone often refute the opening.
		each(open, func(s *search.Search, class *openingClass, beta int32) int32 { return class.bound(s, o.problem, beta) })
	}
	each(open, func(s *search.Search, class *openingClass, beta int32) int32 { return class.value(s, o.problem, beta) })
	return total
}

// open returns the classes whose values must be searched for.
func (o *opening) open() []*openingClass {
	var open []*openingClass
	for i := range o.classes {
		if c := &o.classes[i]; !c.known() {
			open = append(open, c)
		}
	}
	return open
}

// known reports whether least is the value from the beginning.
func (c *openingClass) known() bool {
	n := len(c.words)
	return c.feedback == wordle.AllGreen || n <= 2 || c.left < 2
}

// value returns the value of a class of three words or more if that is less than beta; see [search.Search.Value].
func (c *openingClass) value(s *search.Search, q *problem, beta int32) int32 {
	if len(c.words) <= largeClass {
		if v, enough := c.ownWords(s, beta); enough {
			return v
		}
	}
	t := c.set(s, c.allowed(q))
	if s.Stop.Load() {
		return search.Impossible
	}
	return s.Value(t, beta)
}

// bound returns a lower bound of the value; see [search.Search.Bound].
func (c *openingClass) bound(s *search.Search, q *problem, beta int32) int32 {
	if v, enough := c.ownWords(s, beta); enough || len(c.words) < smallClass {
		return v
	}
	t := c.set(s, c.allowed(q))
	if s.Stop.Load() {
		return search.Impossible
	}
	return s.Bound(t, beta)
}

// ownWords is [search.Search.Known] with a table of the class's own words only.
func (c *openingClass) ownWords(s *search.Search, beta int32) (v int32, enough bool) {
	t := c.set(s, s.Numbers(c.words))
	if s.Stop.Load() {
		return search.Impossible, true
	}
	return s.Known(t, beta)
}

// largeClass is the most words of a class whose own words are likely to show its value.
const largeClass = 48

// smallClass is the least words for which a bound is worth finding before the value.
const smallClass = 8

// allowed returns the guesses that the class allows.
func (c *openingClass) allowed(q *problem) []int32 {
	if q.hard == marks.Off {
		return q.allowed
	}
	return q.allowedFor(c.words, c.clues)
}

// set returns the class with a table of its own for these guesses. Once the search is stopped, the
// result must not be used.
func (c *openingClass) set(s *search.Search, guesses []int32) search.Set {
	return s.Set(c.words, c.clues, guesses, c.left)
}
