package search

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// lookEvery is the number of rows after which the stop flag is looked at again.
const lookEvery = 256

// restrict fills the table to, reusing its memory, with the columns of l and those of the rows that split them. When
// stop is set, restrict ends early and the content of to is undefined.
func (to *table) restrict(l *table, columns []uint16, rows []int32, stop *atomic.Bool) {
	const outside = MaxWords
	to.from = partition.Sized(to.from, len(l.own))
	for i := range to.from {
		to.from[i] = outside
	}
	for i, c := range columns {
		to.from[c] = uint16(i)
	}
	var next [wordle.Feedbacks + 1]int32 // by number of classes, the row that is filled next: the most classes come first
	to.found = to.found[:0]
	for i, r := range rows {
		if i%lookEvery == lookEvery-1 && stop.Load() {
			break
		}
		if classes := countClasses(l.Row(r), columns); classes > 1 {
			to.found = append(to.found, uint64(classes)<<32|uint64(r))
			next[classes]++
		}
	}
	sum := int32(0)
	for classes, n := range slices.Backward(next[:]) {
		next[classes] = sum
		sum += n
	}

	n := len(columns)
	to.own, to.keys = partition.Sized(to.own, n), partition.Sized(to.keys, n)
	to.guesses, to.classes = partition.Sized(to.guesses, len(to.found)), partition.Sized(to.classes, len(to.found))
	to.self, to.rows = partition.Sized(to.self, len(to.found)), partition.Sized(to.rows, len(to.found))
	to.Resize(n, len(to.found))
	for i, c := range columns {
		to.keys[i] = l.keys[c]
	}
	for i, f := range to.found {
		if i%lookEvery == lookEvery-1 && stop.Load() {
			return
		}
		at, classes := int32(f), int32(f>>32)
		r := next[classes]
		next[classes]++
		from, row := l.Row(at), to.Row(r)
		for i, c := range columns {
			row[i] = from[c]
		}
		to.guesses[r], to.classes[r], to.rows[r] = l.guesses[at], classes, r
		to.self[r] = -1
		if c := l.self[at]; c >= 0 && to.from[c] != outside {
			to.self[r] = int32(to.from[c])
			to.own[to.from[c]] = r
		}
	}
}

// countClasses returns into how many classes the row splits the columns.
func countClasses(row []byte, columns []uint16) int32 {
	var seen [4]uint64
	for _, c := range columns {
		f := row[c]
		seen[f>>6] |= 1 << (f & 63)
	}
	classes := 0
	for _, s := range seen {
		classes += bits.OnesCount64(s)
	}
	return int32(classes)
}
