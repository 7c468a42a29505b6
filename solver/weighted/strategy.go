package weighted

import (
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// portion is what one feedback leaves of the words.
type portion struct {
	weight  int64
	largest int32 // weight of a word
	words   int32
}

// weighing is a strategy by weight: what a guess costs that leaves these portions
// and that is one of the words with the weight own, or 0.
type weighing struct {
	name string
	cost func(portions []portion, own float64) float64
}

// weighings are what [measures] are where all words weigh the same, but for the
// feedback all green: it is better to be right than to know what is right.
var weighings = []weighing{
	{"expected", func(portions []portion, own float64) float64 {
		return sumOver(portions, func(p portion) float64 { return float64(p.weight) * float64(p.weight) }) - own*own
	}},
	{"entropy", func(portions []portion, own float64) float64 {
		bits := sumOver(portions, func(p portion) float64 { return float64(p.weight) * math.Log2(float64(p.weight)) })
		return bits - own // to be right is worth a bit
	}},
	{"minimax", func(portions []portion, own float64) float64 {
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
var likeliest = weighing{"parts", func(portions []portion, own float64) float64 {
	return -sumOver(portions, func(p portion) float64 { return float64(p.largest) }) - own
}}

// weighingOf returns the strategy of the name. The best strategy has none of its own.
func weighingOf(name string) weighing {
	i := slices.IndexFunc(weighings, func(m weighing) bool { return m.name == name })
	if i < 0 {
		return likeliest
	}
	return weighings[i]
}

func sumOver(portions []portion, of func(portion) float64) float64 {
	sum := 0.0
	for _, p := range portions {
		sum += of(p)
	}
	return sum
}

// weigher cuts the words of a question by one guess after another. It is for one
// goroutine.
type weigher struct {
	q        *question
	rows     partition.Rows
	by       [wordle.Feedbacks]portion
	portions []portion // of the latest guess
}

func newWeigher(q *question) *weigher {
	w := &weigher{q: q}
	w.rows.Reset(q.Lexicon, q.plain())
	return w
}

// weigh returns what the guess leaves, in no order, until the next call.
func (w *weigher) weigh(g int32) []portion {
	clear(w.by[:])
	for i, f := range w.rows.Row(w.q.PartsOf[g]) {
		p := &w.by[f]
		if p.words == 0 {
			p.largest = w.q.words[i].weight // they come the heaviest first
		}
		p.words++
		p.weight += int64(w.q.words[i].weight)
	}
	w.portions = w.portions[:0]
	for _, p := range w.by {
		if p.words > 0 {
			w.portions = append(w.portions, p)
		}
	}
	return w.portions
}

// advice tells what to expect of the guess.
func (w *weigher) advice(g int32) Advice {
	a := Advice{Word: w.q.Guesses[g], Remaining: len(w.q.words)}
	for _, p := range w.weigh(g) {
		a.Groups++
		a.Worst = max(a.Worst, int(p.words))
		a.Expected += float64(p.weight) * float64(p.words) / float64(w.q.total)
	}
	a.Chance = float64(w.by[wordle.AllGreen].weight) / float64(w.q.total)
	return a
}

// weighedGuess is a guess with what it costs.
type weighedGuess struct {
	guess int32
	own   int32 // its weight as one of the words, or 0
	cost  float64
}

// compare puts the cheaper guess first, then the one that is likelier to be right.
func (a weighedGuess) compare(b weighedGuess) int {
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
func (q *question) rank(m weighing, k int) []Advice {
	w := newWeigher(q)
	return w.advise(w.best(m, k))
}

// best returns the k guesses that cost least.
func (w *weigher) best(m weighing, k int) []int32 {
	var all []weighedGuess
	for _, g := range w.q.allowed {
		portions := w.weigh(g)
		own := w.by[wordle.AllGreen].largest
		if len(portions) == 1 && own == 0 {
			continue
		}
		all = append(all, weighedGuess{g, own, m.cost(portions, float64(own))})
	}
	slices.SortFunc(all, weighedGuess.compare)
	var best []int32
	for _, g := range all[:min(k, len(all))] {
		best = append(best, g.guess)
	}
	return best
}

// advise tells what to expect of each of the guesses.
func (w *weigher) advise(guesses []int32) []Advice {
	var all []Advice
	for _, g := range guesses {
		all = append(all, w.advice(g))
	}
	return all
}
