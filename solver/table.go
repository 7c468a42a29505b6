package solver

import (
	"encoding/binary"

	"fivefold/game/wordle"
)

// table holds the feedback of each guess (a row) for each word of a set (a
// column), a byte each.
//
// It is not scored pair by pair: the parts of the guesses are, and their rows
// added up, eight bytes at a time. No feedback passes 242, so no byte carries
// into the next.
type table struct {
	width int    // bytes from one row to the next: the columns, filled up to a multiple of 8
	cells []byte // row after row
	parts []byte // the parts' rows
}

// row returns the feedbacks of the r-th guess, one for each word and then the
// filling.
func (t *table) row(r int32) []byte { return rowOf(t.cells, t.width, r) }

// part returns the same for a part of guesses, by its number in the lexicon.
func (t *table) part(p uint16) []byte { return rowOf(t.parts, t.width, int32(p)) }

func rowOf(cells []byte, width int, r int32) []byte {
	at := int(r) * width
	return cells[at : at+width : at+width]
}

// build fills the table, in its old memory where that is enough. The guesses are
// given by their numbers in the lexicon.
func (t *table) build(x *lexicon, guesses []int32, words []wordle.Word) {
	t.buildParts(x, words)
	t.cells = sized(t.cells, t.width*len(guesses))
	for r, g := range guesses {
		t.sum(t.row(int32(r)), x.of[g])
	}
}

// buildParts fills only the rows of the parts, which is the smaller work by far.
func (t *table) buildParts(x *lexicon, words []wordle.Word) {
	t.width = (len(words) + 7) &^ 7
	t.parts = sized(t.parts, t.width*len(x.parts))
	clear(t.parts)
	for p, part := range x.parts[1:] {
		row := t.part(uint16(p + 1))
		for i, w := range words {
			row[i] = byte(wordle.Score(part, w))
		}
	}
}

// sum puts the row of the guess with these parts into row.
func (t *table) sum(row []byte, of partsOf) {
	copy(row, t.part(of[0]))
	for _, p := range of[1:] {
		if p == 0 {
			break
		}
		add(row, t.part(p))
	}
}

// add adds b to a, byte by byte; the length of a is a multiple of 8.
func add(a, b []byte) {
	for len(a) >= 8 && len(b) >= 8 {
		binary.LittleEndian.PutUint64(a, binary.LittleEndian.Uint64(a)+binary.LittleEndian.Uint64(b))
		a, b = a[8:], b[8:]
	}
}

// sized returns a slice of the length, in the old memory if that is enough. What
// is in it is not defined.
func sized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
