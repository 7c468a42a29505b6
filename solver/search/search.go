// Package search finds the least total of guesses for a set of words, by branch and bound.
//
// The value of a set of words is the least total of guesses that finds each of them, one game per word. A guess on a set
// of n words costs n plus the values of the classes that its feedback splits the set into. As long as there are enough
// guesses left:
//
//   - A set of one word has the value 1, of two words 3, of n words at least 2n−1.
//   - The value is 2n−1 if one of the words distinguishes all others. Otherwise it is 2n
//     if one of the words leaves a single pair, or another guess distinguishes all words.
//   - A guess that leaves k classes of at most two words each costs 3n−k, and one less if
//     it is one of the words. No guess with k classes costs less.
//
// solver/README.md says how much each idea here helps.
package search

import (
	"slices"
	"sync/atomic"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/transposition"
)

// Impossible is the value of a set whose words cannot all be found with the guesses
// left. A few such values can be added without an overflow.
const Impossible = 1 << 24

// Search finds values. It is for one goroutine, and reuses its memory.
type Search struct {
	*lexicon.Lexicon
	Hard marks.Hardness
	// Beam is the number of guesses tried on a set; 0 tries all. With a beam, values are
	// those of the best play found.
	Beam int
	// Stop ends the search soon after it is set. Results then mean nothing.
	Stop   *atomic.Bool
	Memory int // bytes that the transposition table may take

	memo   transposition.Table
	frames []*frame
	sizes  [wordle.Feedbacks]uint16 // by feedback; zero between calls
}

// New returns a search whose transposition table may use that many bytes. Set its Stop before the first use.
func New(x *lexicon.Lexicon, hard marks.Hardness, memory, beam int) *Search {
	return &Search{Lexicon: x, Hard: hard, Beam: beam, Memory: memory, memo: transposition.NewTable(memory)}
}

// Set is a set of words, with all that its value depends on.
type Set struct {
	table   *table
	columns []uint16          // the words, in the table
	rows    []int32           // the allowed guesses, in the table and in its order
	key     transposition.Key // of the words and the clues
	clues   lexicon.Clues     // unless the mode is easy
	left    int               // guesses left
	below   *table            // a shared table of the set's classes; nil if each search makes its own
}

// Set returns the set of words with a table for the guesses. The guesses are numbers in the lexicon, in ascending
// order, and must include the words. left is the number of guesses left. Once the search is stopped, the set must not
// be used.
func (s *Search) Set(words []wordle.Word, clues lexicon.Clues, guesses []int32, left int) Set {
	l := newTable(s.Lexicon, guesses, words, s.Stop)
	return Set{table: l, columns: l.whole(), rows: l.rows, key: s.key(words, clues), clues: clues, left: min(left, len(words))}
}

// Restricted returns the set with a table of its classes that several searches can share.
func (t Set) Restricted(stop *atomic.Bool) Set {
	t.below = &table{}
	t.below.restrict(t.table, t.columns, t.rows, stop)
	return t
}

func (s *Search) key(words []wordle.Word, clues lexicon.Clues) transposition.Key {
	var k transposition.Key
	for _, w := range words {
		k = k.Xor(transposition.KeyOf(uint64(w)))
	}
	if s.Hard != marks.Off {
		k = k.Xor(clues.Key())
	}
	return k
}

// Recall returns what the search remembers of these words, or the zero Entry.
func (s *Search) Recall(words []wordle.Word, clues lexicon.Clues, left int) transposition.Entry {
	return s.memo.Get(s.key(words, clues).With(uint64(min(left, len(words)))))
}

// Forget empties the transposition table.
func (s *Search) Forget() { s.memo = transposition.NewTable(s.Memory) }

// frame is the memory for one set that guesses are tried on. Each depth has its own.
type frame struct {
	tries  []try
	bounds []int32
	// The cost and row of the best guess that leaves no class above two words; Impossible
	// and -1 if there is none.
	pairs    int32
	pairsRow int32

	order   []uint16 // the set's columns, class by class
	classes []class
	below   *table // the table of the set, made when it is first needed
	made    bool
	columns []uint16 // the words of a class, in below
	rows    []int32  // the allowed guesses in a class, in below
}

// try is a guess to try, as one number. Its lowest 31 bits are the row, and the next bit is 0 if the guess is one of
// the words. Above is the order: 2·Σx² plus n times the bound. The smallest try comes first.
type try uint64

func newTry(order, row int32, own bool) try {
	t := try(order)<<32 | try(row)
	if !own {
		t |= 1 << 31
	}
	return t
}

func (t try) row() int32 { return int32(t & (1<<31 - 1)) }

// class is the part of a set with one feedback.
type class struct {
	feedback wordle.Feedback
	from, to int32 // in the frame's order
	least    int32 // a lower bound of its value
	key      transposition.Key
	clues    lexicon.Clues
}

func (c class) size() int32 { return c.to - c.from }

func (s *Search) frame(depth int) *frame {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, &frame{below: &table{}})
	}
	return s.frames[depth]
}

// Value returns the set's value if that is less than beta, else a number of at least beta. Without a beam, the number
// is a lower bound of the value.
func (s *Search) Value(t Set, beta int32) int32 { return s.value(t, 0, beta) }

func (s *Search) value(t Set, depth int, beta int32) int32 {
	t.left = min(t.left, len(t.columns)) // as many guesses as words suffice
	v, enough := s.Known(t, beta)
	if enough {
		return v
	}
	return s.expand(t, depth, beta)
}

// Bound returns a lower bound of the set's value, from a look one guess ahead.
func (s *Search) Bound(t Set, beta int32) int32 {
	v, enough := s.Known(t, beta)
	if enough {
		return v
	}
	v, enough = s.boundGuesses(s.frame(0), t, beta)
	if !enough {
		s.remember(t, v, -1)
	}
	return v
}

// Known returns a lower bound of the value from what is remembered and from the set's own words alone. If enough is
// true, the bound is the value or at least beta.
func (s *Search) Known(t Set, beta int32) (v int32, enough bool) {
	n := int32(len(t.columns))
	switch {
	case t.left < int(min(n, 2)):
		return Impossible, true
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
func (s *Search) ownValue(t Set) int32 {
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

// remember stores the value of the set and the row that reaches it. If row is −1, value is only a lower bound.
func (s *Search) remember(t Set, value, row int32) {
	e := transposition.Entry{Key: t.key.With(uint64(t.left)), Value: value}
	if row >= 0 {
		e.Exact, e.Best = true, t.table.guesses[row]
	}
	s.memo.Put(e)
}

// expand does the work of value for a set whose own words do not prove its value. The value is then at least 2n.
func (s *Search) expand(t Set, depth int, beta int32) int32 {
	if s.Stop.Load() {
		return Impossible
	}
	f := s.frame(depth)
	f.made = false
	least, enough := s.boundGuesses(f, t, beta)
	if enough {
		return least
	}
	slices.Sort(f.tries)
	if s.Beam > 0 {
		f.tries = f.tries[:min(len(f.tries), s.Beam)]
	}
	best, bestRow := min(beta, f.pairs), f.pairsRow
	for _, try := range f.tries {
		if f.bounds[try.row()] >= best {
			continue
		}
		v := s.cost(t, try.row(), depth, best)
		if s.Stop.Load() {
			return Impossible
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
