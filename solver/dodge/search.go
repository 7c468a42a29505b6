package dodge

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
	"fivefold/solver/transposition"
)

// search looks for the fewest guesses from one position. It is for one goroutine.
type search struct {
	*lexicon.Lexicon
	guesses []int32       // what may be guessed
	words   []wordle.Word // those left; elsewhere a word is its index here
	keys    []transposition.Key
	columns [][]wordle.Feedback // by word, of all guesses; made when it is first needed
	apart   map[[2]int32][]uint64
	known   transposition.Table
	stop    *atomic.Bool
}

// option is a guess with the number of words that it keeps.
type option struct {
	guess int32 // its index in guesses
	kept  int32
}

const (
	knownMemory = 8 << 20 // bytes
	mostPairs   = 16 << 10
)

func newSearch(x *lexicon.Lexicon, guesses []int32, words []wordle.Word, stop *atomic.Bool) *search {
	s := &search{Lexicon: x, guesses: guesses, words: words, columns: make([][]wordle.Feedback, len(words)),
		apart: map[[2]int32][]uint64{}, known: transposition.NewTable(knownMemory), stop: stop}
	for i := range words {
		s.keys = append(s.keys, transposition.KeyOf(uint64(i)))
	}
	return s
}

// all is the set of all words.
func (s *search) all() []int32 {
	set := make([]int32, len(s.words))
	for i := range set {
		set[i] = int32(i)
	}
	return set
}

// splitter splits a set by guesses.
type splitter struct {
	*search
	set  []int32
	rows *partition.Rows
}

func (s *search) split(set []int32) splitter {
	words := make([]wordle.Word, len(set))
	for i, w := range set {
		words[i] = s.words[w]
	}
	return splitter{s, set, partition.NewRows(s.Lexicon, words)}
}

// options returns the guesses that keep fewer words than there are, and the most feedbacks that a guess gets.
func (p splitter) options() (all []option, most int) {
	var counts [256]int32
	for i, g := range p.guesses {
		row := p.rows.Row(p.PartsOf[g])
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
		most = max(most, classes)
		if int(kept) < len(p.set) {
			all = append(all, option{int32(i), kept})
		}
	}
	slices.SortStableFunc(all, func(a, b option) int { return cmp.Compare(a.kept, b.kept) })
	return all, most
}

// keep returns the words that a guess keeps.
func (p splitter) keep(o option) []int32 {
	var counts [wordle.Feedbacks]int
	row := p.rows.Row(p.PartsOf[p.guesses[o.guess]])
	for _, f := range row {
		counts[f]++
	}
	kept := make([]int32, 0, o.kept)
	chosen := byte(choose(&counts))
	for i, f := range row {
		if f == chosen {
			kept = append(kept, p.set[i])
		}
	}
	return kept
}

// within reports whether so many guesses suffice for the set.
func (s *search) within(set []int32, left int) bool {
	switch {
	case left < 1 || s.stop.Load():
		return false
	case len(set) == 1:
		return true
	case left == 1:
		return false
	case left == 2:
		return s.apartIn(set) != nil
	}
	key := transposition.KeyOf(uint64(left))
	for _, w := range set {
		key = key.Xor(s.keys[w])
	}
	if e := s.known.Get(key); e.Exact {
		return e.Value == 1
	}
	p := s.split(set)
	options, most := p.options()
	found := int32(0)
	for _, o := range options {
		if float64(o.kept) > math.Pow(float64(most), float64(left-2)) {
			break
		}
		if s.within(p.keep(o), left-1) {
			found = 1
			break
		}
	}
	if !s.stop.Load() {
		s.known.Put(transposition.Entry{Key: key, Value: found, Exact: true})
	}
	return found == 1
}

// apartIn returns the guesses that give each word of the set a feedback of its own, as bits; nil if there is none.
func (s *search) apartIn(set []int32) []uint64 {
	if len(set) > wordle.Feedbacks {
		return nil
	}
	all := slices.Clone(s.pair(set[0], set[1]))
	for gap := 1; gap < len(set); gap++ {
		for i := gap; i < len(set); i++ {
			any := uint64(0)
			for j, bits := range s.pair(set[i-gap], set[i]) {
				all[j] &= bits
				any |= all[j]
			}
			if any == 0 {
				return nil
			}
		}
	}
	return all
}

// pair returns the guesses that give two words different feedback, as bits.
func (s *search) pair(v, w int32) []uint64 {
	bits, ok := s.apart[[2]int32{v, w}]
	if !ok {
		a, b := s.column(v), s.column(w)
		bits = make([]uint64, (len(a)+63)/64)
		for i, f := range a {
			if f != b[i] {
				bits[i/64] |= 1 << (i % 64)
			}
		}
		if len(s.apart) == mostPairs {
			clear(s.apart)
		}
		s.apart[[2]int32{v, w}] = bits
	}
	return bits
}

func (s *search) column(w int32) []wordle.Feedback {
	if s.columns[w] == nil {
		for _, g := range s.guesses {
			s.columns[w] = append(s.columns[w], wordle.Score(s.Guesses[g], s.words[w]))
		}
	}
	return s.columns[w]
}
