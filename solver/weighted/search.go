package weighted

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// The search by weight. The cost of a set of words is the least sum of weight times
// guesses that finds its words, one game per word. A word that is not found counts as
// found LossCost guesses after the last one. A withheld word is guessed only where no other
// word fits. A set has weight w, and its heaviest word that may be guessed weighs m:
//
//   - With two or more guesses left the set costs at least 2w−m: at most one word is found
//     at once, all others with the second guess or later. With one guess left it costs
//     w + LossCost·(w−m), and with none LossCost·w.
//   - A guess that costs less than 2w is one of the set's own words.
//
// So a guess costs at least w plus the lower bounds of its classes. All green costs nothing.

// LossCost is the cost of not finding a word: the word counts as found that many guesses after the last one. A higher
// number loses fewer words for more guesses.
const LossCost = 10

// search finds costs on one table, in one goroutine.
type search struct {
	*problem
	table    partition.Table     // of the allowed guesses and the words
	own      []int32             // by word, the row of the same one
	keys     []transposition.Key // by word
	weightOf []int64             // by word, its weight
	rows     []int32             // of the guesses to choose from
	beam     []int               // by depth, the number of guesses tried, 0 for all; the last number holds for all deeper sets
	stop     *atomic.Bool
	loss     int64 // LossCost, or one more

	memo    transposition.Table
	frames  []*frame
	weights [256]int64 // by feedback; zero between calls
	seen    []uint8    // feedback of the guess estimated last
}

// frame is the memory for the set of one depth.
type frame struct {
	tries   []candidate
	order   []uint16 // the set's words, class by class
	classes []class
}

// candidate is a guess to try.
type candidate struct {
	row   int32
	own   int64   // its weight as one of the words, or 0
	bound int64   // a lower bound of its cost
	order float64 // a lower one looks better
}

func (a candidate) compare(b candidate) int {
	return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.own, a.own), cmp.Compare(a.row, b.row))
}

// class is the part of a set with one feedback.
type class struct {
	feedback wordle.Feedback
	from, to int32 // in the frame's order
	weight   int64
	bound    int64
}

// set is a set of words that are still possible.
type set struct {
	words  []uint16 // their numbers in the problem, in ascending order
	weight int64    // of all words together
	key    transposition.Key
	clues  lexicon.Clues
	left   int // guesses left
}

// newSearch returns a search that stop ends. If it can, it reuses the memory of an ended search: a new table of up to
// 64 megabytes takes longer to clear than to fill. When ctx ends, the table and all results are undefined.
func (q *problem) newSearch(ctx context.Context, stop *atomic.Bool) *search {
	s, _ := q.scratch.Get().(*search)
	if s == nil {
		s = &search{memo: transposition.NewTable(memory)}
	}
	words := q.plain()
	s.problem, s.stop, s.loss = q, stop, LossCost
	s.table.Build(q.Lexicon, q.allowed, words, parallel.StopFlag(ctx))
	s.own, s.keys, s.rows, s.weightOf = s.own[:0], s.keys[:0], s.rows[:0], s.weightOf[:0]
	rowOf := make([]int32, len(q.Guesses))
	for row, g := range q.allowed {
		rowOf[g] = int32(row)
	}
	for i, g := range q.Numbers(words) {
		s.own = append(s.own, rowOf[g])
		s.keys = append(s.keys, transposition.KeyOf(uint64(words[i])))
		s.weightOf = append(s.weightOf, int64(q.words[i].weight))
	}
	for row := range q.choices {
		s.rows = append(s.rows, int32(row))
	}
	return s
}

// release gives the memory of the search to others. The search must not be used afterwards.
func (s *search) release() {
	scratch := s.scratch
	s.problem, s.stop = nil, nil
	scratch.Put(s)
}

// all returns the set of all words.
func (s *search) all() set {
	t := set{weight: s.total, clues: s.clues, left: min(s.left, len(s.words))}
	for i := range s.words {
		t.words = append(t.words, uint16(i))
	}
	return t
}

// reset sets the beam, and forgets the results found with another one.
func (s *search) reset(beam ...int) {
	s.beam = beam
	s.memo.Reset()
}

// memory is the size of the memo in bytes. A search does not fill it in its time.
const memory = 16 << 20

func (s *search) frame(depth int) *frame {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, &frame{})
	}
	return s.frames[depth]
}

// leastCost returns a lower bound of the cost of a set with that many guesses left.
func leastCost(weight, heaviest int64, left int, loss int64) int64 {
	switch left {
	case 0:
		return loss * weight
	case 1:
		return weight + loss*(weight-heaviest)
	}
	return 2*weight - heaviest
}

// value returns the cost of the set if that is less than beta, else a number of at least beta. Without a beam, the
// number is a lower bound of the cost.
func (s *search) value(t set, depth int, beta int64) int64 {
	least := leastCost(t.weight, s.weightOf[t.words[0]], t.left, s.loss)
	if len(t.words) <= 2 || t.left <= 1 || least >= beta {
		return least
	}
	t.left = min(t.left, len(t.words)) // more are never needed
	k := t.key.With(uint64(t.left))
	e := s.memo.Get(k)
	if e.Exact || int64(e.Value) >= beta {
		return int64(e.Value)
	}
	if s.stop.Load() {
		return least
	}
	v := s.expand(t, depth, least, beta)
	if !s.stop.Load() {
		s.memo.Put(transposition.Entry{Key: k, Value: int32(v), Exact: v < beta})
	}
	return v
}

// fewWords is the most words for which a set's own words are all tried first. Other guesses cost
// at least two guesses a word.
const fewWords = 8

// expand does the work of value for a set that must be searched. least is a lower bound of its cost.
func (s *search) expand(t set, depth int, least, beta int64) int64 {
	best := beta
	withheld := s.words[t.words[0]].withheld // if the first word is withheld, all are
	if len(t.words) <= fewWords || withheld {
		for _, w := range t.words {
			if s.words[w].withheld && !withheld {
				break
			}
			best = min(best, s.cost(t, s.own[w], depth, best))
			if best <= least {
				return best
			}
		}
		if best <= 2*t.weight {
			return best
		}
	}
	for _, try := range s.tries(t, depth, best) {
		if try.bound >= best {
			continue
		}
		best = min(best, s.cost(t, try.row, depth, best))
		if best <= least || s.stop.Load() {
			break
		}
	}
	return best
}

// tries returns the guesses that may cost less than beta, those that look best first, as many
// as the beam allows.
func (s *search) tries(t set, depth int, beta int64) []candidate {
	f := s.frame(depth)
	f.tries = f.tries[:0]
	most := s.beam[min(depth, len(s.beam)-1)]
	for _, row := range s.rows {
		if s.hard != marks.Off && !t.clues.Allow(s.Lexicon, s.allowed[row]) {
			continue
		}
		try, ok := s.estimate(t, row, beta)
		switch {
		case !ok || try.bound >= beta:
		case most == 0:
			f.tries = append(f.tries, try)
		case len(f.tries) < most || try.compare(f.tries[most-1]) < 0:
			at, _ := slices.BinarySearchFunc(f.tries, try, candidate.compare)
			f.tries = slices.Insert(f.tries[:min(len(f.tries), most-1)], at, try)
		}
	}
	if most == 0 {
		slices.SortFunc(f.tries, candidate.compare)
	}
	return f.tries
}

// estimate returns the bound and the order of a guess, or false if the guess does not split
// the set or costs at least beta.
func (s *search) estimate(t set, row int32, beta int64) (c candidate, ok bool) {
	cells, weightOf, weights, seen := s.table.Row(row), s.weightOf, &s.weights, s.seen[:0]
	heaviest, rest := int64(0), t.weight // the weights of the first word of each class, and of the words to come
	ok = true
	for _, c := range t.words {
		f, w := cells[c], weightOf[c]
		if weights[f] == 0 {
			heaviest += w
			seen = append(seen, f)
		}
		weights[f] += w
		rest -= w
		if most := heaviest + rest + max(weights[wordle.AllGreen], w); t.left > 2 && 3*t.weight-most >= beta {
			ok = false
			break
		}
	}
	own := weights[wordle.AllGreen]
	squares := 0.0
	for _, f := range seen {
		squares += float64(weights[f]) * float64(weights[f])
		weights[f] = 0
	}
	s.seen = seen
	bound := t.weight + leastCost(t.weight, heaviest, t.left-1, s.loss) - leastCost(own, own, t.left-1, s.loss)
	// As in package optimal, a guess looks good if its bound is low and its classes are small.
	order := float64(t.weight)*float64(bound) + 2*squares
	return candidate{row, own, bound, order}, ok && (own > 0 || len(seen) > 1)
}

// cost returns the cost of the row's guess on the set if that is less than beta, else a number of at least beta, as
// value does.
func (s *search) cost(t set, row int32, depth int, beta int64) int64 {
	f := s.frame(depth)
	total := s.partition(f, t, row)
	guess := s.Guesses[s.allowed[row]]
	for _, c := range f.classes {
		if total >= beta || s.stop.Load() {
			return total
		}
		if c.to-c.from < 3 {
			continue // its bound is its cost
		}
		below := s.below(t, guess, c.feedback, f.order[c.from:c.to], c.weight)
		total += s.value(below, depth+1, beta-(total-c.bound)) - c.bound
	}
	return total
}

// below returns the class of t with the feedback as a set, given its words and their weight.
func (s *search) below(t set, guess wordle.Word, f wordle.Feedback, words []uint16, weight int64) set {
	below := set{words: words, weight: weight, left: t.left - 1}
	for _, w := range words {
		below.key = below.key.Xor(s.keys[w])
	}
	if s.hard != marks.Off {
		below.clues = t.clues.After(guess, f)
		below.key = below.key.Xor(below.clues.Key())
	}
	return below
}

// partition puts the classes of the row into f, the heaviest first, and returns a lower bound
// of the guess's cost.
func (s *search) partition(f *frame, t set, row int32) int64 {
	cells := s.table.Row(row)
	var sizes, at [wordle.Feedbacks]int32
	for _, w := range t.words {
		sizes[cells[w]]++
	}
	f.classes = f.classes[:0]
	f.order = slices.Grow(f.order[:0], len(t.words))[:len(t.words)]
	next := int32(0)
	for _, w := range t.words {
		x := cells[w]
		if sizes[x] > 0 {
			f.classes = append(f.classes, class{feedback: wordle.Feedback(x), from: next, to: next + sizes[x]})
			at[x] = next
			next += sizes[x]
			sizes[x] = 0
		}
		f.order[at[x]] = w
		at[x]++
	}
	total := t.weight
	for i := range f.classes {
		c := &f.classes[i]
		for _, w := range f.order[c.from:c.to] {
			c.weight += s.weightOf[w]
		}
		if c.feedback != wordle.AllGreen {
			c.bound = leastCost(c.weight, s.weightOf[f.order[c.from]], t.left-1, s.loss)
			total += c.bound
		}
	}
	slices.SortStableFunc(f.classes, func(a, b class) int { return cmp.Compare(b.weight, a.weight) })
	return total
}
