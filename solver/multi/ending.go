package multi

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// ending searches for the fewest guesses when few words are left: at most 64 on all boards together, so that a set of
// them fits into a mask. A position is the mask of the words that are possible, each on its board. Its total is the sum
// of guesses over all its ways to choose a word on each open board.
type ending struct {
	*problem
	boards  []uint64 // by open board, its words
	words   []wordle.Word
	rows    *partition.Rows
	tries   []try // guesses that split the words differently
	own     []int // by word, its try
	shared  bool  // a word is possible on several boards
	beam    int   // how many tries are searched in a position; 0 for all
	work    int   // positions that may still be searched
	known   map[endingKey]int64
	stopped bool
}

// try is a guess, with how it splits the words.
type try struct {
	guess   int32
	green   uint64   // its own word, on each board that has it
	classes []uint64 // the other words by board and feedback
	key     string   // the same for guesses that split alike
}

// try returns a guess with how it splits the words.
func (e *ending) try(g int32) try {
	row := e.rows.Row(e.PartsOf[g])
	t := try{guess: g}
	var key [64]byte
	at := 0
	for _, left := range e.left {
		var number [wordle.Feedbacks]byte // of a feedback's class, from 1
		from := len(t.classes)
		for range left {
			if f := row[at]; f == byte(wordle.AllGreen) {
				t.green |= 1 << at
			} else {
				if number[f] == 0 {
					t.classes = append(t.classes, 0)
					number[f] = byte(len(t.classes) - from)
				}
				t.classes[from+int(number[f])-1] |= 1 << at
				key[at] = number[f]
			}
			at++
		}
	}
	t.key = string(key[:at])
	return t
}

// endingKey is a position, with how many guesses are left; 64 if there are enough.
type endingKey struct {
	set  uint64
	left int
}

const (
	endingWords = 24        // the most words for which an ending is searched
	endingWork  = 3_000_000 // about so many dozens of nanoseconds
	endingBeam  = 8         // the guesses tried at a time if that is not enough for all

	impossible = math.MaxInt64 / 4
)

// newEnding returns the search.
func (q *problem) newEnding() *ending {
	e := &ending{problem: q, known: map[endingKey]int64{}}
	for _, left := range q.left {
		e.boards = append(e.boards, (1<<len(left)-1)<<len(e.words))
		e.words = append(e.words, left...)
	}
	sorted := slices.Clone(e.words)
	slices.SortFunc(sorted, wordle.Word.Compare)
	e.shared = len(slices.Compact(sorted)) < len(e.words)
	e.own = make([]int, len(e.words))
	e.rows = partition.NewRows(q.Lexicon, e.words)
	seen := map[string]bool{}
	familiar := slices.DeleteFunc(slices.Clone(q.Proposals), func(g int32) bool { return !q.Familiar[g] })
	for _, g := range slices.Concat(familiar, q.Proposals, q.Numbers(e.words)) {
		t := e.try(g)
		if q.never[q.Guesses[g]] && t.green == 0 || seen[t.key] {
			continue
		}
		seen[t.key] = true
		for m := t.green; m != 0; m &= m - 1 {
			e.own[bits.TrailingZeros64(m)] = len(e.tries)
		}
		e.tries = append(e.tries, t)
	}
	return e
}

// least returns a lower bound of the total of a position, the number of its ways, and of its open boards.
func (e *ending) least(s uint64) (bound, ways int64, open int) {
	ways = 1
	fewest := int64(64)
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
	// Each guess finds one board at most. If every guess does, the first one already finds one.
	return int64(open+1)*ways - ways/fewest, ways, open
}

// total returns the least total of a position, or a lower bound that is at least beta.
func (e *ending) total(s uint64, left int, beta int64) int64 {
	if s == 0 {
		return 0
	}
	least, ways, open := e.least(s)
	if left == 0 {
		return ways * LossCost
	}
	if left >= bits.OnesCount64(s) { // one after the other
		left = 64
	}
	if least >= beta || left == 64 && (!e.shared && ways == 1 || open == 1 && ways <= 2) {
		return least
	}
	key := endingKey{s, left}
	if v, ok := e.known[key]; ok {
		return v
	}
	if e.stopped {
		return least
	}
	if e.work < 0 || e.stop.Load() {
		e.stopped = true
		return least
	}
	best := int64(impossible)
	try := func(t *try) {
		best = min(best, e.cost(s, left, t, ways, min(beta, best)))
	}
	for m := s; m != 0; m &= m - 1 {
		if try(&e.tries[e.own[bits.TrailingZeros64(m)]]); best == least {
			break
		}
	}
	if others := int64(open+1) * ways; e.shared || best > others && others < beta {
		for _, i := range e.order(s, ways, open) {
			if try(&e.tries[i]); best == others && !e.shared {
				break
			}
		}
	}
	if best < beta && !e.stopped {
		e.known[key] = best
	}
	return best
}

// order returns the tries that are none of a position's own words, and split it, the most promising first.
func (e *ending) order(s uint64, ways int64, open int) []int {
	type ranked struct {
		score float32
		try   int
	}
	var all []ranked
	e.work -= 2 * len(e.tries)
	for i := range e.tries {
		t := &e.tries[i]
		if t.green&s != 0 {
			continue
		}
		sum, split := float32(0), 0
		for _, c := range t.classes {
			if n := bits.OnesCount64(c & s); n > 0 {
				sum += logs[n]
				split++
			}
		}
		if split > open {
			all = append(all, ranked{sum, i})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return 0
	})
	if e.beam > 0 {
		all = all[:min(len(all), e.beam)]
	}
	order := make([]int, len(all))
	for i, r := range all {
		order[i] = r.try
	}
	return order
}

// cost returns the total of a position if the guess comes next, or a number that is at least beta.
func (e *ending) cost(s uint64, left int, t *try, ways, beta int64) int64 {
	if !e.shared {
		_, _, open := e.least(s)
		bound := int64(open+1) * ways
		for _, b := range e.boards {
			if t.green&s&b != 0 {
				bound -= ways / int64(bits.OnesCount64(s&b))
			}
		}
		if bound >= beta {
			return bound
		}
	}
	// All children, and the bound of each.
	children := []uint64{0}
	at := 0
	for _, b := range e.boards {
		if s&b == 0 {
			for at < len(t.classes) && t.classes[at]&b != 0 {
				at++
			}
			continue
		}
		n := len(children)
		base := slices.Clone(children)
		children = children[:0]
		if t.green&s&b != 0 {
			children = append(children, base...)
		}
		for at < len(t.classes) && t.classes[at]&b != 0 {
			if c := t.classes[at] & s; c != 0 {
				for _, o := range base[:n] {
					children = append(children, o|c)
				}
			}
			at++
		}
	}
	if len(children) == 1 && children[0] == s {
		return impossible
	}
	e.work -= len(children) + 10
	sum := ways
	bounds := make([]int64, len(children))
	for i, c := range children {
		if c != 0 {
			bounds[i], _, _ = e.least(c)
			sum += bounds[i]
		}
	}
	for i, c := range children {
		if sum >= beta || e.stopped {
			return sum
		}
		if c != 0 {
			sum += e.total(c, left-1, beta-sum+bounds[i]) - bounds[i]
		}
	}
	return sum
}

// logs has x·log₂x.
var logs = func() (l [65]float32) {
	for x := 2; x < len(l); x++ {
		l[x] = float32(float64(x) * math.Log2(float64(x)))
	}
	return l
}()

// solve returns the k best candidates with their totals, and the guess made. It returns false if that takes too much work.
// The totals are exact without a beam.
func (e *ending) solve(k, beam, work int) ([]candidate, bool) {
	e.beam, e.work, e.stopped = beam, work, false
	var s uint64
	for _, b := range e.boards {
		s |= b
	}
	_, ways, open := e.least(s)
	left := min(e.limit, 64)
	var best []candidate
	beta := int64(impossible)
	try := func(t *try) {
		v := e.cost(s, left, t, ways, beta)
		if v >= beta {
			return
		}
		best = append(best, candidate{guess: t.guess, expected: float64(v) / float64(ways)})
		slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(a.expected, b.expected) })
		if len(best) >= k {
			best = best[:k]
			beta = int64(math.Round(best[k-1].expected * float64(ways)))
		}
	}
	for i, w := range e.words {
		if !e.never[w] {
			try(&e.tries[e.own[i]])
		}
	}
	for _, i := range e.order(s, ways, open) {
		try(&e.tries[i])
	}
	if e.made >= 0 && !slices.ContainsFunc(best, func(c candidate) bool { return c.guess == e.made }) {
		t := e.try(e.made)
		best = append(best, candidate{e.made, float64(e.cost(s, left, &t, ways, impossible)) / float64(ways)})
	}
	return best, !e.stopped
}
