package solver

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// level is a set of words (columns) with guesses (rows), and the feedback of each
// for each. The search makes one for a set below which it has much to do, since
// all it looks at there, the set's subsets, is then close together.
type subtable struct {
	partition.Table
	guesses []int32             // by row, in the lexicon
	classes []int32             // by row, into how many classes it cuts the columns at most; most first
	self    []int32             // by row, the column of the same word, or -1
	own     []int32             // by column, the row of the same word
	keys    []transposition.Key // by column
	from    []uint16            // by column of the level it was made from, the column here
	rows    []int32             // every row
}

// maxColumns is how many words a level can have.
const maxColumns = 1<<16 - 1

// newLevel returns the level of the words with the guesses, given by their
// numbers in ascending order, every word's own among them.
func newSubtable(x *lexicon.Lexicon, guesses []int32, words []wordle.Word) *subtable {
	l := &subtable{
		guesses: guesses,
		classes: make([]int32, len(guesses)),
		self:    make([]int32, len(guesses)),
		own:     make([]int32, len(words)),
		keys:    make([]transposition.Key, len(words)),
		rows:    make([]int32, len(guesses)),
	}
	l.Build(x, guesses, words)
	for r := range guesses {
		l.classes[r] = wordle.Feedbacks // not counted
		l.self[r] = -1
		l.rows[r] = int32(r)
	}
	for c, w := range words {
		r, _ := slices.BinarySearchFunc(guesses, w, func(g int32, w wordle.Word) int { return x.Guesses[g].Compare(w) })
		l.own[c] = int32(r)
		l.self[r] = int32(c)
		l.keys[c] = transposition.KeyOf(uint64(w))
	}
	return l
}

// whole returns the set of all columns.
func (l *subtable) whole() []uint16 {
	columns := make([]uint16, len(l.own))
	for i := range columns {
		columns[i] = uint16(i)
	}
	return columns
}
