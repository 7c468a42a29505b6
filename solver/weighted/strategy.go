package weighted

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// classSummary sums up what one feedback leaves.
type classSummary struct {
	weight  int64
	largest int32 // weight of a word that may be guessed
	words   int32
}

// measure is a strategy by weight: the cost of a guess that leaves these classes. own
// is its weight as one of the words, or 0.
type measure struct {
	name string
	cost func(classes []classSummary, own float64) float64
	// figure is the cost in the terms of [Suggestion.Measure], where total is the weight of
	// all words.
	figure func(cost, total float64) float64
}

// measures are those of package solver, by weight, but all green counts as better: it is
// better to win than to know the word.
var measures = []measure{
	{"expected", func(classes []classSummary, own float64) float64 {
		return sumOver(classes, func(p classSummary) float64 { return float64(p.weight) * float64(p.weight) }) - own*own
	}, func(cost, total float64) float64 { return cost / (total * total) }},
	{"entropy", func(classes []classSummary, own float64) float64 {
		bits := sumOver(classes, func(p classSummary) float64 { return float64(p.weight) * math.Log2(float64(p.weight)) })
		return bits - own // to win is worth a bit
	}, func(cost, total float64) float64 { return math.Log2(total) - cost/total }},
	{"minimax", func(classes []classSummary, own float64) float64 {
		worst := int64(0)
		for _, p := range classes {
			worst = max(worst, p.weight)
		}
		return float64(worst)
	}, func(cost, total float64) float64 { return cost / total }},
	likeliest,
}

// likeliest is the strategy "parts". It goes by the bound of the search, and so is
// used where there are too many words to search.
var likeliest = measure{"parts", func(classes []classSummary, own float64) float64 {
	return -sumOver(classes, func(p classSummary) float64 { return float64(p.largest) }) - own
}, func(cost, total float64) float64 { return -cost / total }}

// measureOf returns the measure of the strategy. The optimal strategy has none of its
// own and gets likeliest.
func measureOf(name string) measure {
	i := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if i < 0 {
		return likeliest
	}
	return measures[i]
}

func sumOver(classes []classSummary, of func(classSummary) float64) float64 {
	sum := 0.0
	for _, p := range classes {
		sum += of(p)
	}
	return sum
}

// splitter splits the words of a problem by one guess after another. It is for one
// goroutine.
type splitter struct {
	*problem
	rows    *partition.Rows // nil if only [splitter.splitBy] is used
	by      [wordle.Feedbacks]classSummary
	classes []classSummary // of the latest guess
}

func newSplitter(q *problem) *splitter {
	return &splitter{problem: q, rows: partition.NewRows(q.Lexicon, q.plain())}
}

// row returns the feedback of the guess by word. It is valid until the next call.
func (w *splitter) row(g int32) []byte { return w.rows.Row(w.PartsOf[g]) }

// splitBy returns the classes that a guess with this feedback by word leaves. They are valid
// until the next call.
func (w *splitter) splitBy(row []byte) []classSummary {
	clear(w.by[:])
	for i, f := range row {
		p := &w.by[f]
		if p.words == 0 {
			p.largest = w.words[i].weight // it comes first
		}
		p.words++
		p.weight += int64(w.words[i].weight)
	}
	w.classes = w.classes[:0]
	for _, p := range w.by {
		if p.words > 0 {
			w.classes = append(w.classes, p)
		}
	}
	return w.classes
}

// suggestionBy returns the figures of a guess with this feedback by word.
func (w *splitter) suggestionBy(g int32, row []byte) Suggestion {
	a := Suggestion{Word: w.Guesses[g], Remaining: len(w.words)}
	for _, p := range w.splitBy(row) {
		a.Groups++
		a.Worst = max(a.Worst, int(p.words))
		a.Expected += float64(p.weight) * float64(p.words) / float64(w.total)
	}
	a.Chance = float64(w.by[wordle.AllGreen].weight) / float64(w.total)
	return a
}

// The context is looked at after this many guesses, or this many scores: after less than a
// millisecond, or a few with many words.
const (
	lookEvery = 64
	lookAfter = 1 << 20
)

// rankedGuess is a guess with its cost.
type rankedGuess struct {
	guess int32
	own   int32 // its weight as one of the words, or 0
	cost  float64
}

// compare orders the cheaper guess first, then the one that is likelier to win.
func (a rankedGuess) compare(b rankedGuess) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(b.own, a.own), cmp.Compare(a.guess, b.guess))
}

// rank returns the k guesses that cost least, looking one guess ahead: of all that are
// allowed or, if step is above 1, of every step-th one and the heaviest words. If ctx ends,
// only some of them were looked at.
func (q *problem) rank(ctx context.Context, m measure, step, k int) []Suggestion {
	w := newSplitter(q)
	return w.suggestions(m, w.best(ctx, m, step, k))
}

// heavyWords is how many of the heaviest words are looked at in any case.
const heavyWords = 200

// suggestions returns the figures of each of the guesses, that of the measure included.
func (w *splitter) suggestions(m measure, guesses []int32) []Suggestion {
	var all []Suggestion
	for _, g := range guesses {
		a := w.suggestionBy(g, w.row(g))
		a.Measure = m.figure(m.cost(w.classes, float64(w.by[wordle.AllGreen].largest)), float64(w.total))
		all = append(all, a)
	}
	return all
}

// best returns the numbers of the k guesses that cost least, as rank looks for them.
func (w *splitter) best(ctx context.Context, m measure, step, k int) []int32 {
	heavy := map[wordle.Word]bool{} // these are looked at whatever the step is
	if step > 1 {
		for _, word := range w.words[:min(heavyWords, len(w.words))] {
			heavy[word.Word] = true
		}
	}
	var all []rankedGuess
	every := min(lookEvery, 1+lookAfter/len(w.words))
	looked := 0
	for i, g := range w.allowed[:w.choices] {
		if i%step != 0 && !heavy[w.Guesses[g]] {
			continue
		}
		if looked++; looked%every == 0 && ctx.Err() != nil {
			break
		}
		classes := w.splitBy(w.row(g))
		own := w.by[wordle.AllGreen].largest
		if len(classes) > 1 || own > 0 {
			all = append(all, rankedGuess{g, own, m.cost(classes, float64(own))})
		}
	}
	slices.SortFunc(all, rankedGuess.compare)
	var best []int32
	for _, g := range all[:min(k, len(all))] {
		best = append(best, g.guess)
	}
	return best
}
