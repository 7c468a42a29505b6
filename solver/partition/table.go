// Package partition computes the feedback of guesses for sets of words, and how that
// feedback partitions the sets into classes: the words with the same feedback.
package partition

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
)

// Table holds the feedback of each guess (a row) for each word of a set (a column), one byte each. The zero value is
// empty.
//
// Build does not score pair by pair. It scores only the parts of the guesses, and adds up their rows, eight bytes at
// a time. No feedback exceeds 242, so no byte carries into the next.
type Table struct {
	width  int    // bytes from one row to the next: the columns, rounded up to a multiple of 8
	cells  []byte // row after row
	parts  []byte // the rows of the parts
	places []byte // to make the parts from: a row for each letter, with its places in each word; bit i means position i
}

// Row returns the feedback of the r-th guess: a byte for each word, then padding.
func (t *Table) Row(r int32) []byte { return rowOf(t.cells, t.width, r) }

// part returns the row of a part, by its number in the lexicon.
func (t *Table) part(p uint16) []byte { return rowOf(t.parts, t.width, int32(p)) }

func rowOf(cells []byte, width int, r int32) []byte {
	at := int(r) * width
	return cells[at : at+width : at+width]
}

// Build fills the table, reusing its memory. The guesses are given by their numbers
// in the lexicon. When stop is set, it ends early and the content is undefined.
func (t *Table) Build(x *lexicon.Lexicon, guesses []int32, words []wordle.Word, stop *atomic.Bool) {
	t.buildParts(x, words)
	t.Resize(t.width, len(guesses))
	for r, g := range guesses {
		if r%lookEvery == lookEvery-1 && stop.Load() {
			return
		}
		t.sum(t.Row(int32(r)), x.PartsOf[g])
	}
}

// Resize makes room for the rows, reusing memory. The caller fills them; they have no
// padding.
func (t *Table) Resize(columns, rows int) {
	t.width = columns
	t.cells = Sized(t.cells, columns*rows)
}

// lookEvery is the number of rows after which the stop flag is looked at again.
const lookEvery = 64

// buildParts fills only the rows of the parts. That is by far the smaller work.
func (t *Table) buildParts(x *lexicon.Lexicon, words []wordle.Word) {
	t.width = (len(words) + 7) &^ 7
	t.parts = Sized(t.parts, t.width*len(x.Parts))
	clear(t.part(0))
	// The padding has the feedback of words without the letter.
	t.places = Sized(t.places, t.width*26)
	clear(t.places)
	for i, w := range words {
		for place := range wordle.Length {
			t.places[int(w.Letter(place)-'A')*t.width+i] |= 1 << place
		}
	}
	for p, part := range x.Parts[1:] {
		feedback := &partFeedback()[part.Positions]
		places := rowOf(t.places, t.width, int32(part.Letter))
		row := t.part(uint16(p + 1))
		for i := range row {
			row[i] = feedback[places[i]%placeSets]
		}
	}
}

// placeSets is the number of sets of positions.
const placeSets = 1 << wordle.Length

// partFeedback returns the feedback of parts. The first index is the part's positions in the guess, the second the
// places of its letter in the word.
var partFeedback = sync.OnceValue(func() *[placeSets][placeSets]byte {
	text := func(places int, other byte) string {
		var b [wordle.Length]byte
		for i := range b {
			if b[i] = other; places>>i&1 != 0 {
				b[i] = 'A'
			}
		}
		return string(b[:])
	}
	all := new([placeSets][placeSets]byte)
	for positions := range all {
		for places := range all[positions] {
			guess, word := wordle.MustParse(text(positions, 'B')), wordle.MustParse(text(places, 'C'))
			all[positions][places] = byte(wordle.Score(guess, word))
		}
	}
	return all
})

// sum writes the row of the guess with these parts into row.
func (t *Table) sum(row []byte, of lexicon.PartNumbers) {
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

// Sized returns a slice of length n, in the old memory if that is enough. Its content is
// undefined. Unlike [slices.Grow] it does not clear large memory that is fresh.
func Sized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}

// Rows computes the rows of a table one at a time, for guesses that are each looked at only
// once: a whole table for the opening would have 30 MB. It is for one goroutine, and takes some
// 400 bytes for each word.
type Rows struct {
	table Table
	words int
	row   []byte
}

// NewRows returns the rows whose columns are the words.
func NewRows(x *lexicon.Lexicon, words []wordle.Word) *Rows {
	r := &Rows{words: len(words)}
	r.table.buildParts(x, words)
	r.row = make([]byte, r.table.width)
	return r
}

// Row returns the feedback of the guess with these parts, a byte for each word. It is
// valid until the next call.
func (r *Rows) Row(guess lexicon.PartNumbers) []byte {
	r.table.sum(r.row, guess)
	return r.row[:r.words]
}
