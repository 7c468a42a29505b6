package weighted

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// classSummary sums up the words with one feedback.
type classSummary struct {
	weight  int64
	largest int32 // the largest weight of a word that may be guessed
	words   int32
}

// measure is a strategy that looks one guess ahead.
type measure struct {
	name string
	// cost returns the cost of a guess that splits the words into these classes; less is better.
	// own is the guess's weight as one of the words, or 0.
	cost func(classes []classSummary, own float64) float64
	// figure turns a cost into a [Suggestion.Measure]. total is the weight of all words.
	figure func(cost, total float64) float64
}

// measures are the strategies of package optimal, with each word counted by its weight. All green
// counts for more, since winning is better than knowing the word.
var measures = []measure{
	{"expected", func(classes []classSummary, own float64) float64 {
		return sumOver(classes, func(p classSummary) float64 { return float64(p.weight) * float64(p.weight) }) - own*own
	}, func(cost, total float64) float64 { return cost / (total * total) }},
	{"entropy", func(classes []classSummary, own float64) float64 {
		bits := sumOver(classes, func(p classSummary) float64 { return float64(p.weight) * math.Log2(float64(p.weight)) })
		return bits - own // a win is worth a bit
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

// likeliest is the strategy "parts". Its cost is the bound of the search, so it is used where
// there are too many words to search.
var likeliest = measure{"parts", func(classes []classSummary, own float64) float64 {
	return -sumOver(classes, func(p classSummary) float64 { return float64(p.largest) }) - own
}, func(cost, total float64) float64 { return -cost / total }}

// measureOf returns the measure of a strategy, and likeliest for the optimal one.
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

// splitter splits the words of a problem by one guess after another, in one goroutine.
type splitter struct {
	*problem
	rows    *partition.Rows // for row; nil if row is never called
	by      [wordle.Feedbacks]classSummary
	classes []classSummary // of the latest guess
}

func newSplitter(q *problem) *splitter {
	return &splitter{problem: q, rows: partition.NewRows(q.Lexicon, q.plain())}
}

// row returns the feedback of the guess by word, valid until the next call.
func (w *splitter) row(g int32) []byte { return w.rows.Row(w.PartsOf[g]) }

// splitBy returns the classes of a guess, given its feedback by word. They are valid until the
// next call.
func (w *splitter) splitBy(row []byte) []classSummary {
	clear(w.by[:])
	for i, f := range row {
		p := &w.by[f]
		if p.words == 0 {
			p.largest = w.words[i].weight // the heaviest comes first
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

// suggestionBy returns the figures of a guess, given its feedback by word.
func (w *splitter) suggestionBy(guess wordle.Word, row []byte) Suggestion {
	a := Suggestion{Word: guess, Remaining: len(w.words)}
	for _, p := range w.splitBy(row) {
		a.Groups++
		a.Worst = max(a.Worst, int(p.words))
		a.Expected += float64(p.weight) * float64(p.words) / float64(w.total)
	}
	a.Chance = float64(w.by[wordle.AllGreen].weight) / float64(w.total)
	return a
}

// The context is checked after this many guesses or scores: every few milliseconds at most.
const (
	checkEvery = 64
	checkAfter = 1 << 20
)

// rankedGuess is a guess with its cost.
type rankedGuess struct {
	guess int32
	own   int32 // its weight as one of the words, or 0
	cost  float64
}

// compare orders guesses by cost, then by the chance to win.
func (a rankedGuess) compare(b rankedGuess) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(b.own, a.own), cmp.Compare(a.guess, b.guess))
}

// rank returns the k allowed guesses that cost least, looking one guess ahead. If ctx ends, it has ranked only some.
func (q *problem) rank(ctx context.Context, m measure, k int) []Suggestion {
	w := newSplitter(q)
	return w.suggestions(m, w.best(ctx, m, k))
}

// mostScores is about the most scores for one ranking. They take some tenths of a second, and suffice for all guesses
// of the built-in lists. On longer lists, only some guesses are ranked.
const mostScores = 1 << 28

// suggestions returns the figures of the guesses, with that of the measure.
func (w *splitter) suggestions(m measure, guesses []int32) []Suggestion {
	var all []Suggestion
	for _, g := range guesses {
		a := w.suggestionBy(w.Guesses[g], w.row(g))
		a.Measure = m.figure(m.cost(w.classes, float64(w.by[wordle.AllGreen].largest)), float64(w.total))
		all = append(all, a)
	}
	return all
}

// best does the work of rank, and returns the numbers of the guesses.
func (w *splitter) best(ctx context.Context, m measure, k int) []int32 {
	var all []rankedGuess
	every := min(checkEvery, 1+checkAfter/len(w.words))
	step := 1 + len(w.words)*w.choices/mostScores
	for i := 0; i < w.choices; i += step {
		if i/step%every == every-1 && ctx.Err() != nil {
			break
		}
		g := w.allowed[i]
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
