package dodge

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// search finds out how many guesses suffice for sets of words. A word is its index in words, a guess its index in guesses. It is for
// one goroutine, and takes up to 60 MB with the built-in lists.
type search struct {
	*lexicon.Lexicon
	guesses []int32       // that may be made
	words   []wordle.Word // all there are
	columns [][]byte      // by word: the feedback of each guess, and padding; made when first needed
	apart   map[[2]int32][]uint64
	known   transposition.Table // whether a number of guesses suffices for a set: 1 or 0
	stop    *atomic.Bool
}

const (
	knownMemory = 8 << 20  // bytes
	mostPairs   = 16 << 10 // kept in apart; each has a bit for each guess
)

func newSearch(x *lexicon.Lexicon, guesses []int32, words []wordle.Word, stop *atomic.Bool) *search {
	return &search{x, guesses, words, make([][]byte, len(words)), map[[2]int32][]uint64{}, transposition.NewTable(knownMemory), stop}
}

// all returns the set of all words.
func (s *search) all() []int32 {
	set := make([]int32, len(s.words))
	for i := range set {
		set[i] = int32(i)
	}
	return set
}

// within reports whether so many guesses suffice for the set: the last one is the only word left. Once stop is set, the answer means
// nothing.
func (s *search) within(set []int32, left int) bool {
	switch {
	case len(set) == 1:
		return left > 0
	case left < 2 || s.stop.Load():
		return false
	case left == 2:
		return s.splitting(set) != nil
	}
	key := transposition.KeyOf(uint64(left))
	for _, w := range set {
		key = key.Xor(transposition.KeyOf(uint64(w) << 8))
	}
	known := s.known.Get(key)
	if !known.Exact {
		p := s.split(set)
		slices.SortStableFunc(p.options, option.compare)
		_, ok := p.first(p.options, left)
		known = transposition.Entry{Key: key, Exact: true}
		if ok {
			known.Value = 1
		}
		if !s.stop.Load() {
			s.known.Put(known)
		}
	}
	return known.Value == 1
}

// split is a set with how guesses split it.
type split struct {
	*search
	set     []int32
	rows    *partition.Rows
	options []option // all guesses that keep fewer words
	most    int      // the most classes that a guess makes of the set, and so the most that it makes of any part of it
}

// option is a guess with the number of words that it keeps.
type option struct{ guess, kept int32 }

func (o option) compare(p option) int { return cmp.Compare(o.kept, p.kept) }

func (s *search) split(set []int32) *split {
	p := &split{search: s, set: set}
	words := make([]wordle.Word, len(set))
	for i, w := range set {
		words[i] = s.words[w]
	}
	p.rows = partition.NewRows(s.Lexicon, words)
	var counts [256]int32
	for g, n := range s.guesses {
		row := p.rows.Row(s.PartsOf[n])
		kept, classes := int32(0), 0
		for _, f := range row {
			counts[f]++
			kept = max(kept, counts[f])
			if counts[f] == 1 {
				classes++
			}
		}
		for _, f := range row {
			counts[f] = 0
		}
		p.most = max(p.most, classes)
		if int(kept) < len(set) {
			p.options = append(p.options, option{int32(g), kept})
		}
	}
	return p
}

// first returns the first of the options with which so many guesses suffice, and whether there is one.
func (p *split) first(options []option, left int) (option, bool) {
	for _, o := range options {
		if p.may(o, left) && p.within(p.keep(o), left-1) {
			return o, true
		}
	}
	return option{}, false
}

// may reports whether an option keeps so few words that so many guesses may suffice. The last guess splits nothing, and each of the
// others makes at most p.most classes.
func (p *split) may(o option, left int) bool {
	return !p.stop.Load() && float64(o.kept) <= math.Pow(float64(p.most), float64(left-2))
}

// keep returns the words that an option keeps.
func (p *split) keep(o option) []int32 {
	var counts [wordle.Feedbacks]int
	row := p.rows.Row(p.PartsOf[p.guesses[o.guess]])
	for _, f := range row {
		counts[f]++
	}
	kept := make([]int32, 0, o.kept)
	chosen := byte(evil.Choose(&counts))
	for i, f := range row {
		if f == chosen {
			kept = append(kept, p.set[i])
		}
	}
	return kept
}

// splitting returns the guesses that split the set into single words, as bits, or nil if there are none. These are the guesses that
// tell each pair of its words apart. Neighbours come first: they are often alike, and few guesses do.
func (s *search) splitting(set []int32) []uint64 {
	all := slices.Clone(s.pair(set[0], set[1]))
	for gap := 1; gap < len(set); gap++ {
		for i := gap; i < len(set); i++ {
			some := uint64(0)
			for j, bits := range s.pair(set[i-gap], set[i]) {
				all[j] &= bits
				some |= all[j]
			}
			if some == 0 {
				return nil
			}
		}
	}
	return all
}

// pair returns the guesses that give two words different feedback, as bits.
func (s *search) pair(v, w int32) []uint64 {
	bits := s.apart[[2]int32{v, w}]
	if bits != nil {
		return bits
	}
	a, b := s.column(v), s.column(w)
	bits = make([]uint64, len(a)/64)
	const low, high, gather = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080, 0x0102040810204080
	for i := range len(a) / 8 {
		d := binary.LittleEndian.Uint64(a[8*i:]) ^ binary.LittleEndian.Uint64(b[8*i:])
		differ := (d&low + low | d) & high >> 7             // the lowest bit of each byte that is not 0
		bits[i/8] |= differ * gather >> 56 << (8 * (i % 8)) // the eight bits together
	}
	if len(s.apart) == mostPairs {
		clear(s.apart)
	}
	s.apart[[2]int32{v, w}] = bits
	return bits
}

// column returns the feedback of all guesses for a word, in a multiple of 64 bytes.
func (s *search) column(w int32) []byte {
	if s.columns[w] == nil {
		s.columns[w] = make([]byte, (len(s.guesses)+63)&^63)
		for g, n := range s.guesses {
			s.columns[w][g] = byte(wordle.Score(s.Guesses[n], s.words[w]))
		}
	}
	return s.columns[w]
}
