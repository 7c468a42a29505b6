package solver

import (
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// The search. The value of a set of words is the least sum of guesses with which
// each of them can be found, taken one after another. To guess on a set of n
// words costs n, and the values of the classes into which the feedback cuts it.
// What is known at once, as long as the guesses suffice:
//
//   - A set of one word has the value 1, of two 3, of n never less than 2n−1.
//   - 2n−1 is the value when one of the words tells all others apart; else 2n when
//     one of them leaves a single pair, or another guess tells all words apart.
//   - A guess that leaves k classes, none above two words, costs 3n−k, and one less
//     when it is one of the words. No guess with k classes costs less.
//
// README.md tells what each idea in here brought.

// impossible is the value of a set whose words cannot all be found with the
// guesses that are left. Sums of it do not overflow.
const impossible = 1 << 24

// search works out values. It is for one goroutine, and holds on to its memory.
type search struct {
	*lexicon.Lexicon
	rules
	// beam is how many guesses are tried on a set. Values are then those of the best
	// play found, not of the best play. 0 tries all.
	beam int
	// stop ends the search soon after it is set. What is returned then means nothing.
	stop *atomic.Bool

	memo       transposition.Table
	memory     int // bytes, that the memo may take
	restrictor restrictor
	frames     []*frame
	sizes      [wordle.Feedbacks]uint16
	counts     partition.Histogram // zero between calls
}

// newSearch returns a search that may spend so many bytes on its memory. Its stop
// must be set before it is used.
func newSearch(x *lexicon.Lexicon, r rules, memory, beam int) *search {
	return &search{Lexicon: x, rules: r, beam: beam, memo: transposition.NewTable(memory), memory: memory}
}

// set is a set of words, with what its value depends on.
type set struct {
	table   *subtable
	columns []uint16          // the words, in the level
	rows    []int32           // what may be guessed, in the level, in the level's order
	key     transposition.Key // of the words and the clues
	clues   lexicon.Clues     // in hard mode
	left    int               // how many guesses are left
}

// frame is the memory for one set that guesses are tried on, by depth.
type frame struct {
	tries  []try
	bounds []int32
	// What the best guess costs that leaves no class above two words, and its row;
	// without one, impossible and -1.
	pairs    int32
	pairsRow int32

	order   []uint16 // the set's columns, class by class
	classes []class
	below   *subtable // the level of the set; it is made when first needed
	made    bool
	columns []uint16 // of a class, in below
	rows    []int32  // what may be guessed in a class, in below
}

// try is a guess to try: its row in the low 31 bits, above them whether it is
// none of the words, and its rank, so that the smallest comes first.
type try uint64

func newTry(rank, row int32, own bool) try {
	t := try(rank)<<32 | try(row)
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
	least    int32 // a bound: its value is not smaller
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

// value returns the set's value if that is below beta. Otherwise it returns a
// number that is not below beta, and not above the value unless the search has a
// beam.
func (s *search) value(t set, depth int, beta int32) int32 {
	t.left = min(t.left, len(t.columns)) // as many guesses as words suffice
	v, enough := s.known(t, beta)
	if enough {
		return v
	}
	return s.expand(t, depth, beta)
}

// bound returns the set's value or a number that is not above it. It looks at every
// guess, but no further.
func (s *search) bound(t set, beta int32) int32 {
	t.left = min(t.left, len(t.columns))
	v, enough := s.known(t, beta)
	if enough {
		return v
	}
	v, enough = s.rank(s.frame(0), t, beta)
	if !enough {
		s.remember(t, v, -1)
	}
	return v
}

// known returns what takes no look at other guesses than the set's own words: the
// value, or a number that is not above it. It is enough if it is the value or not
// below beta.
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

// ownValue returns the value of the set, of three words or more, if one of its
// words shows it, and otherwise 0. The value is remembered.
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

// remember notes the value of the set and the row that reaches it, or with row −1
// only that the value is not smaller.
func (s *search) remember(t set, value, row int32) {
	e := transposition.Entry{Key: t.key.With(uint64(t.left)), Value: value}
	if row >= 0 {
		e.Exact, e.Best = true, t.table.guesses[row]
	}
	s.memo.Put(e)
}

// expand is value for a set whose own words do not show its value, which is thus
// not below 2n.
func (s *search) expand(t set, depth int, beta int32) int32 {
	if s.stop.Load() {
		return impossible
	}
	f := s.frame(depth)
	f.made = false
	least, enough := s.rank(f, t, beta)
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

// smallest sorts the k smallest tries to the front and returns them. There are more,
// and k is small.
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

// sized returns a slice of the length, in the old memory if that is enough. What
// is in it is not defined.
func sized[T any](old []T, n int) []T { return slices.Grow(old[:0], n)[:n] }
