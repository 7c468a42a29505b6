package weighted

import (
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// portion is what one feedback leaves of the words.
type classSummary struct {
	weight  int64
	largest int32 // weight of a word
	words   int32
}

// weighing is a strategy by weight: what a guess costs that leaves these portions
// and that is one of the words with the weight own, or 0.
type measure struct {
	name string
	cost func(portions []classSummary, own float64) float64
}

// weighings are what [measures] are where all words weigh the same, but for the
// feedback all green: it is better to be right than to know what is right.
var measures = []measure{
	{"expected", func(portions []classSummary, own float64) float64 {
		return sumOver(portions, func(p classSummary) float64 { return float64(p.weight) * float64(p.weight) }) - own*own
	}},
	{"entropy", func(portions []classSummary, own float64) float64 {
		bits := sumOver(portions, func(p classSummary) float64 { return float64(p.weight) * math.Log2(float64(p.weight)) })
		return bits - own // to be right is worth a bit
	}},
	{"minimax", func(portions []classSummary, own float64) float64 {
		worst := int64(0)
		for _, p := range portions {
			worst = max(worst, p.weight)
		}
		return float64(worst)
	}},
	likeliest,
}

// likeliest is the strategy "parts": it goes by the bound of the search, and so
// serves where there are too many words to search.
var likeliest = measure{"parts", func(portions []classSummary, own float64) float64 {
	return -sumOver(portions, func(p classSummary) float64 { return float64(p.largest) }) - own
}}

// weighingOf returns the strategy of the name. The best strategy has none of its own.
func measureOf(name string) measure {
	i := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if i < 0 {
		return likeliest
	}
	return measures[i]
}

func sumOver(portions []classSummary, of func(classSummary) float64) float64 {
	sum := 0.0
	for _, p := range portions {
		sum += of(p)
	}
	return sum
}

// weigher cuts the words of a question by one guess after another. It is for one
// goroutine.
type splitter struct {
	q       *problem
	rows    partition.Rows
	by      [wordle.Feedbacks]classSummary
	classes []classSummary // of the latest guess
}

func newSplitter(q *problem) *splitter {
	w := &splitter{q: q}
	w.rows.Reset(q.Lexicon, q.plain())
	return w
}

// weigh returns what the guess leaves, in no order, until the next call.
func (w *splitter) split(g int32) []classSummary {
	clear(w.by[:])
	for i, f := range w.rows.Row(w.q.PartsOf[g]) {
		p := &w.by[f]
		if p.words == 0 {
			p.largest = w.q.words[i].weight // they come the heaviest first
		}
		p.words++
		p.weight += int64(w.q.words[i].weight)
	}
	w.classes = w.classes[:0]
	for _, p := range w.by {
		if p.words > 0 {
			w.classes = append(w.classes, p)
		}
	}
	return w.classes
}

// advice tells what to expect of the guess.
func (w *splitter) advice(g int32) Advice {
	a := Advice{Word: w.q.Guesses[g], Remaining: len(w.q.words)}
	for _, p := range w.split(g) {
		a.Groups++
		a.Worst = max(a.Worst, int(p.words))
		a.Expected += float64(p.weight) * float64(p.words) / float64(w.q.total)
	}
	a.Chance = float64(w.by[wordle.AllGreen].weight) / float64(w.q.total)
	return a
}

// weighedGuess is a guess with what it costs.
type rankedGuess struct {
	guess int32
	own   int32 // its weight as one of the words, or 0
	cost  float64
}

// compare puts the cheaper guess first, then the one that is likelier to be right.
func (a rankedGuess) compare(b rankedGuess) int {
	switch {
	case a.cost != b.cost:
		if a.cost < b.cost {
			return -1
		}
		return 1
	case a.own != b.own:
		return int(b.own - a.own)
	}
	return int(a.guess - b.guess)
}

// rank returns the k guesses that cost least by one look at each.
func (q *problem) rank(m measure, k int) []Advice {
	w := newSplitter(q)
	return w.advise(w.best(m, k))
}

// best returns the k guesses that cost least.
func (w *splitter) best(m measure, k int) []int32 {
	var all []rankedGuess
	for _, g := range w.q.allowed {
		portions := w.split(g)
		own := w.by[wordle.AllGreen].largest
		if len(portions) == 1 && own == 0 {
			continue
		}
		all = append(all, rankedGuess{g, own, m.cost(portions, float64(own))})
	}
	slices.SortFunc(all, rankedGuess.compare)
	var best []int32
	for _, g := range all[:min(k, len(all))] {
		best = append(best, g.guess)
	}
	return best
}

// advise tells what to expect of each of the guesses.
func (w *splitter) advise(guesses []int32) []Advice {
	var all []Advice
	for _, g := range guesses {
		all = append(all, w.advice(g))
	}
	return all
}
