package solver

import (
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// The search is branch and bound. The value of a set of words is the least total of
// guesses that finds each of them, one game per word. A guess on a set of n words costs n
// plus the values of the classes that its feedback splits the set into. As long as there
// are enough guesses left:
//
//   - A set of one word has the value 1, of two words 3, of n words at least 2n−1.
//   - The value is 2n−1 if one of the words distinguishes all others. Otherwise it is 2n
//     if one of the words leaves a single pair, or another guess distinguishes all words.
//   - A guess that leaves k classes of at most two words each costs 3n−k, and one less if
//     it is one of the words. No guess with k classes costs less.
//
// README.md says how much each idea here helps.

// impossible is the value of a set whose words cannot all be found with the guesses
// left. A few such values can be added without an overflow.
const impossible = 1 << 24

// search finds values. It is for one goroutine, and reuses its memory.
type search struct {
	*lexicon.Lexicon
	hard bool
	// beam is how many guesses are tried on a set; 0 tries all. With a beam, values are
	// those of the best play found.
	beam int
	// stop ends the search soon after it is set. What it returns then means nothing.
	stop *atomic.Bool

	memo       transposition.Table
	memory     int // bytes that the memo may take
	restrictor restrictor
	frames     []*frame
	sizes      [wordle.Feedbacks]uint16
	counts     partition.Histogram // zero between calls
}

// newSearch returns a search whose transposition table may use that many bytes. Its stop must
// be set to a flag before the search is used.
func newSearch(x *lexicon.Lexicon, hard bool, memory, beam int) *search {
	return &search{Lexicon: x, hard: hard, beam: beam, memo: transposition.NewTable(memory), memory: memory}
}

// set is a set of words, with all that its value depends on.
type set struct {
	table   *subtable
	columns []uint16          // the words, in the table
	rows    []int32           // the allowed guesses, in the table and in its order
	key     transposition.Key // of the words and the clues
	clues   lexicon.Clues     // in hard mode
	left    int               // how many guesses are left
}

// frame is the memory for one set that guesses are tried on. There is one for each depth.
type frame struct {
	tries  []try
	bounds []int32
	// The cost and row of the best guess that leaves no class above two words; impossible
	// and -1 if there is none.
	pairs    int32
	pairsRow int32

	order   []uint16 // the set's columns, class by class
	classes []class
	below   *subtable // the subtable of the set, made when it is first needed
	made    bool
	columns []uint16 // of a class, in below
	rows    []int32  // the allowed guesses in a class, in below
}

// try is a guess to try: its row in the low 31 bits, then a bit that is 0 if it is one of
// the words, then its order as that of a [candidate]. The smallest is tried first.
type try uint64

func newTry(order, row int32, own bool) try {
	t := try(order)<<32 | try(row)
	if !own {
		t |= 1 << 31
	}
	return t
}

func (t try) row() int32 { return int32(t & (1<<31 - 1)) }

// class is what one feedback leaves.
type class struct {
	feedback wordle.Feedback
	from, to int32 // in the frame's order
	least    int32 // a lower bound of its value
	key      transposition.Key
	clues    lexicon.Clues
}

func (c class) size() int32 { return c.to - c.from }

func (s *search) frame(depth int) *frame {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, &frame{below: &subtable{}})
	}
	return s.frames[depth]
}

// value returns the set's value if it is less than beta. Otherwise it returns a number of at
// least beta, which is also a lower bound of the value unless the search has a beam.
func (s *search) value(t set, depth int, beta int32) int32 {
	t.left = min(t.left, len(t.columns)) // as many guesses as words suffice
	v, enough := s.known(t, beta)
	if enough {
		return v
	}
	return s.expand(t, depth, beta)
}

// bound returns a lower bound of the set's value, from a look one guess ahead.
func (s *search) bound(t set, beta int32) int32 {
	t.left = min(t.left, len(t.columns))
	v, enough := s.known(t, beta)
	if enough {
		return v
	}
	v, enough = s.boundGuesses(s.frame(0), t, beta)
	if !enough {
		s.remember(t, v, -1)
	}
	return v
}

// known returns a lower bound of the value from what is remembered and from the set's own
// words alone. Enough means that the bound is the value or not less than beta.
func (s *search) known(t set, beta int32) (v int32, enough bool) {
	n := int32(len(t.columns))
	switch {
	case t.left < int(min(n, 2)):
		return impossible, true
	case n <= 2 || 2*n-1 >= beta:
		return 2*n - 1, true
	}
	e := s.memo.Get(t.key.With(uint64(t.left)))
	if e.Exact || e.Value >= beta {
		return e.Value, true
	}
	if e.Value >= 2*n {
		return e.Value, false
	}
	if v := s.ownValue(t); v > 0 {
		return v, true
	}
	return 2 * n, 2*n >= beta
}

// ownValue returns the value of a set of three words or more if one of its own words
// proves it, and otherwise 0. It remembers the value.
func (s *search) ownValue(t set) int32 {
	n := int32(len(t.columns))
	best, value := int32(-1), int32(0)
	for _, c := range t.columns {
		r := t.table.own[c]
		row := t.table.Row(r)
		var seen [4]uint64
		pairs := 0
		for _, other := range t.columns {
			f := row[other]
			bit := uint64(1) << (f & 63)
			if seen[f>>6]&bit != 0 {
				if pairs++; pairs == 2 {
					break
				}
			}
			seen[f>>6] |= bit
		}
		if pairs == 0 {
			best, value = r, 2*n-1
			break
		}
		if pairs == 1 && best < 0 && t.left > 2 {
			best, value = r, 2*n
		}
	}
	if best >= 0 {
		s.remember(t, value, best)
	}
	return value
}

// remember stores the value of the set and the row that reaches it, or with row −1 a lower
// bound of the value.
func (s *search) remember(t set, value, row int32) {
	e := transposition.Entry{Key: t.key.With(uint64(t.left)), Value: value}
	if row >= 0 {
		e.Exact, e.Best = true, t.table.guesses[row]
	}
	s.memo.Put(e)
}

// expand is value for a set whose own words do not prove its value, which is therefore at
// least 2n.
func (s *search) expand(t set, depth int, beta int32) int32 {
	if s.stop.Load() {
		return impossible
	}
	f := s.frame(depth)
	f.made = false
	least, enough := s.boundGuesses(f, t, beta)
	if enough {
		return least
	}
	if s.beam > 0 && len(f.tries) > s.beam {
		f.tries = smallest(f.tries, s.beam)
	} else {
		slices.Sort(f.tries)
	}
	best, bestRow := min(beta, f.pairs), f.pairsRow
	for _, try := range f.tries {
		if f.bounds[try.row()] >= best {
			continue
		}
		v := s.cost(t, try.row(), depth, best)
		if s.stop.Load() {
			return impossible
		}
		if v < best {
			best, bestRow = v, try.row()
			if best <= least {
				break
			}
		}
	}
	s.remember(t, best, bestRow)
	return best
}

// smallest sorts the k smallest tries to the front and returns them. There must be more
// than k, and k should be small.
func smallest(tries []try, k int) []try {
	best := tries[:k]
	slices.Sort(best)
	for _, t := range tries[k:] {
		if t < best[k-1] {
			at, _ := slices.BinarySearch(best, t)
			copy(best[at+1:], best[at:k-1])
			best[at] = t
		}
	}
	return best
}
