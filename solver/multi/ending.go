package multi

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// ending searches for the fewest guesses when few words are left. A set of words, each on its board, is a mask. Its total
// is the sum of guesses over all ways to choose a word on each board that has some.
type ending struct {
	*problem
	boards     []uint64 // by open board, its words
	rows       *partition.Rows
	tries      []try // guesses that split the words differently
	own        []int // by word, its try
	shared     bool  // a word is possible on several boards
	beam, work int   // how many tries are searched at a time, 0 for all; work that may still be done
	known      map[endingKey]int64
}

// try is a guess, with how it splits the words.
type try struct {
	guess   int32
	green   uint64   // the word itself, on each board
	classes []uint64 // the other words by board and feedback
	key     string   // the same for guesses that split alike
}

// endingKey is a set, and how many guesses are left: enoughLeft if more would not help.
type endingKey struct {
	set  uint64
	left int
}

const (
	endingWords = 24        // the most words for which an ending is searched; a mask has room for 64
	endingWork  = 2_000_000 // sets of a class that are looked at, nearly
	endingBeam  = 8

	enoughLeft = 64
	impossible = math.MaxInt64 / 4
)

func (q *problem) newEnding() *ending {
	e := &ending{problem: q, rows: partition.NewRows(q.Lexicon, q.words), own: make([]int, len(q.words)), known: map[endingKey]int64{}}
	at := 0
	for _, left := range q.left {
		e.boards = append(e.boards, (1<<len(left)-1)<<at)
		at += len(left)
	}
	familiar := slices.DeleteFunc(slices.Clone(q.Proposals), func(g int32) bool { return !q.Familiar[g] })
	seen := map[string]bool{}
	for _, g := range slices.Concat(familiar, q.Proposals, q.Numbers(q.words)) {
		t := e.try(g)
		if q.never[q.Guesses[g]] && t.green == 0 || seen[t.key] {
			continue
		}
		seen[t.key] = true
		e.shared = e.shared || bits.OnesCount64(t.green) > 1
		for m := t.green; m != 0; m &= m - 1 {
			e.own[bits.TrailingZeros64(m)] = len(e.tries)
		}
		e.tries = append(e.tries, t)
	}
	return e
}

func (e *ending) try(g int32) try {
	t, key := try{guess: g}, make([]byte, len(e.words))
	row, at := e.rows.Row(e.PartsOf[g]), 0
	for _, left := range e.left {
		var number [wordle.Feedbacks]int // of a feedback's class, from 1
		for range left {
			f := row[at]
			switch {
			case f == byte(wordle.AllGreen):
				t.green |= 1 << at
			case number[f] == 0:
				t.classes = append(t.classes, 1<<at)
				number[f] = len(t.classes)
			default:
				t.classes[number[f]-1] |= 1 << at
			}
			key[at] = byte(number[f])
			at++
		}
	}
	t.key = string(key)
	return t
}

// least returns a lower bound of a set's total, the number of its ways, and of its boards.
func (e *ending) least(s uint64) (bound, ways int64, open int) {
	ways = 1
	fewest := int64(len(e.words))
	for _, b := range e.boards {
		if n := int64(bits.OnesCount64(s & b)); n > 0 {
			ways *= n
			fewest = min(fewest, n)
			open++
		}
	}
	if e.shared {
		return 2*ways - ways/fewest, ways, open
	}
	// A guess finds one board at most. If each does, so does the first.
	return int64(open+1)*ways - ways/fewest, ways, open
}

// total returns the least total of a set, or a number that is at least beta.
func (e *ending) total(s uint64, left int, beta int64) int64 {
	least, ways, open := e.least(s)
	if left == 0 {
		return ways * LossCost
	}
	if left >= bits.OnesCount64(s) { // one word after the other
		left = enoughLeft
	}
	if least >= beta || left == enoughLeft && (!e.shared && ways == 1 || open == 1 && ways <= 2) || e.work < 0 {
		return least
	}
	key := endingKey{s, left}
	if v, ok := e.known[key]; ok {
		return v
	}
	if e.stop.Load() {
		e.work = -1
	}
	best := int64(impossible)
	for m := s; m != 0 && best > least; m &= m - 1 {
		best = min(best, e.cost(s, left, &e.tries[e.own[bits.TrailingZeros64(m)]], min(beta, best)))
	}
	// Another guess finds no board.
	if others := int64(open+1) * ways; e.shared || best > others && others < beta {
		for _, i := range e.order(s) {
			if best = min(best, e.cost(s, left, &e.tries[i], min(beta, best))); best == others && !e.shared {
				break
			}
		}
	}
	if best < beta && e.work >= 0 {
		e.known[key] = best
	}
	return best
}

// order returns the tries that are none of a set's own words, and split it, the most promising first.
func (e *ending) order(s uint64) []int {
	e.work -= 2 * len(e.tries)
	_, _, open := e.least(s)
	var order []int // by Σ x·log₂x over the classes, then by number
	for i := range e.tries {
		sum, split := 0, 0
		for _, c := range e.tries[i].classes {
			if n := bits.OnesCount64(c & s); n > 0 {
				sum += logs[n]
				split++
			}
		}
		if e.tries[i].green&s == 0 && split > open {
			order = append(order, sum<<32|i)
		}
	}
	slices.Sort(order)
	if e.beam > 0 {
		order = order[:min(len(order), e.beam)]
	}
	for i := range order {
		order[i] &= 1<<32 - 1
	}
	return order
}

// logs has x·log₂x in thousandths.
var logs = func() (l [enoughLeft + 1]int) {
	for x := range l[2:] {
		l[x+2] = int(1000 * float64(x+2) * math.Log2(float64(x+2)))
	}
	return l
}()

// cost returns a set's total if the guess comes next, or a number that is at least beta.
func (e *ending) cost(s uint64, left int, t *try, beta int64) int64 {
	_, ways, open := e.least(s)
	bound := int64(open+1) * ways
	for _, b := range e.boards {
		if t.green&s&b != 0 {
			bound -= ways / int64(bits.OnesCount64(s&b))
		}
	}
	if bound >= beta && !e.shared {
		return bound
	}
	children := []uint64{0}
	at := 0
	for _, b := range e.boards {
		var parts []uint64
		if t.green&s&b != 0 {
			parts = append(parts, 0)
		}
		for ; at < len(t.classes) && t.classes[at]&b != 0; at++ {
			if c := t.classes[at] & s; c != 0 {
				parts = append(parts, c)
			}
		}
		if len(parts) == 0 {
			continue // the board is found
		}
		next := make([]uint64, 0, len(children)*len(parts))
		for _, p := range parts {
			for _, c := range children {
				next = append(next, c|p)
			}
		}
		if children = next; len(children) > e.work {
			e.work = -1
			return impossible
		}
	}
	if len(children) == 1 && children[0] == s {
		return impossible // it changes nothing
	}
	e.work -= len(children) + 10
	sum := ways
	for _, c := range children {
		if c != 0 {
			least, _, _ := e.least(c)
			sum += least
		}
	}
	for _, c := range children {
		if sum >= beta {
			break
		}
		if c != 0 {
			least, _, _ := e.least(c)
			sum += e.total(c, left-1, beta-sum+least) - least
		}
	}
	return sum
}

// solve returns the k best candidates with their totals, and the guess made; false if that takes too much work. Without a
// beam no other guess is better.
func (e *ending) solve(k, beam int) (best []candidate, ok bool) {
	e.beam, e.work = beam, endingWork
	var s uint64
	for _, b := range e.boards {
		s |= b
	}
	_, ways, _ := e.least(s)
	left, beta := min(e.limit, enoughLeft), int64(impossible)
	add := func(t *try) {
		if v := e.cost(s, left, t, beta); v < beta && !e.never[e.Guesses[t.guess]] {
			best = append(best, candidate{guess: t.guess, expected: float64(v) / float64(ways)})
			slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(a.expected, b.expected) })
			if len(best) >= k {
				best = best[:k]
				beta = int64(math.Round(best[k-1].expected * float64(ways)))
			}
		}
	}
	for i := range e.words {
		add(&e.tries[e.own[i]])
	}
	for _, i := range e.order(s) {
		add(&e.tries[i])
	}
	if e.made >= 0 && !slices.ContainsFunc(best, func(c candidate) bool { return c.guess == e.made }) {
		t := e.try(e.made)
		best = append(best, candidate{guess: e.made, expected: float64(e.cost(s, left, &t, impossible)) / float64(ways)})
	}
	return best, e.work >= 0 && len(best) > 0
}
