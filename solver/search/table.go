package search

import (
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// table is the table of feedback of guesses (rows) for a set of words (columns). The
// search makes one for a set that it searches deeply, so that the memory of the set's
// subsets is close together.
type table struct {
	partition.Table
	guesses []int32             // by row, their numbers in the lexicon
	classes []int32             // by row, in descending order, the most classes that the row can split the columns into
	self    []int32             // by row, the column of the same word, or -1
	own     []int32             // by column, the row of the same word
	keys    []transposition.Key // by column
	from    []uint16            // by column of the table that restrict started from, the column here
	rows    []int32             // every row
	found   []uint64            // the rows of that table that split the columns; bits from 32 up have the number of classes
}

// MaxWords is the most words that a [Set] can have.
const MaxWords = 1<<16 - 1

// newTable returns the table of the words and the guesses, which are given by their
// numbers in ascending order. The guesses must include the words. When stop is set, it ends
// early and the feedback is undefined.
func newTable(x *lexicon.Lexicon, guesses []int32, words []wordle.Word, stop *atomic.Bool) *table {
	l := &table{
		guesses: guesses,
		classes: make([]int32, len(guesses)),
		self:    make([]int32, len(guesses)),
		own:     make([]int32, len(words)),
		keys:    make([]transposition.Key, len(words)),
		rows:    make([]int32, len(guesses)),
	}
	l.Build(x, guesses, words, stop)
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
func (l *table) whole() []uint16 {
	columns := make([]uint16, len(l.own))
	for i := range columns {
		columns[i] = uint16(i)
	}
	return columns
}
