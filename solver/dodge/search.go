package dodge

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
)

// search finds out how many guesses suffice for sets of words in alphabetical order. Once ctx has ended, its answers mean nothing. It
// is for one goroutine.
type search struct {
	ctx     context.Context
	lexicon *lexicon.Lexicon
	guesses []int32                     // that may be made
	columns map[wordle.Word][]byte      // the feedback of the guesses for a word
	apart   map[[2]wordle.Word][]uint64 // the guesses that tell two words apart, as bits
	known   map[string]wordle.Word      // what first has found
}

// mostPairs is how many pairs of words a search remembers. With the built-in lists they take 23 MB, and the columns 26 MB.
const mostPairs = 16 << 10

// option is a guess that keeps fewer words than the set has.
type option struct {
	guess wordle.Word
	other int // 1 if it is not in the set
	kept  int // how many words
}

// fewest returns the fewest guesses that suffice for the set, and the first of them.
func (s *search) fewest(set []wordle.Word) (guess wordle.Word, fewest int, err error) {
	for guess == 0 && err == nil {
		if fewest++; fewest > len(set) {
			return 0, 0, ErrNothingFits
		}
		guess, err = s.first(set, fewest), s.ctx.Err()
	}
	return guess, fewest, err
}

// first returns, of the guesses with which so many suffice for the set, the one that [Solver.Suggest] prefers, and 0 if there is
// none.
func (s *search) first(set []wordle.Word, left int) wordle.Word {
	if len(set) == 1 {
		return set[0]
	}
	key := fmt.Sprint(left, set)
	guess, ok := s.known[key]
	if !ok {
		options := s.options(set, left)
		slices.SortStableFunc(options, func(a, b option) int { return cmp.Or(a.other-b.other, a.kept-b.kept) })
		for i := 0; guess == 0 && i < len(options); i++ {
			if _, ok := s.suffices(set, options[i], left); ok {
				guess = options[i].guess
			}
		}
		s.known[key] = guess
	}
	return guess
}

// options returns the options for so many guesses in alphabetical order. The last guess splits nothing. Each of the others makes of a
// part of the set at most the classes that some guess makes of the whole, and drops at most the words that some guess drops of the
// whole. An option that keeps too many words for that is left out.
func (s *search) options(set []wordle.Word, left int) (all []option) {
	splitter, most, drops := partition.NewSplitter(s.lexicon, set), 0, 0
	for _, g := range s.guesses {
		split := splitter.Split(s.lexicon.PartsOf[g])
		most, drops = max(most, split.Classes), max(drops, len(set)-split.Worst)
		o := option{s.lexicon.Guesses[g], 0, split.Worst}
		if _, own := slices.BinarySearchFunc(set, o.guess, wordle.Word.Compare); !own {
			o.other = 1
		}
		all = append(all, o)
	}
	limit := min(len(set)-1, 1+drops*(left-2), int(min(math.Pow(float64(most), float64(left-2)), math.MaxInt32)))
	return slices.DeleteFunc(all, func(o option) bool { return o.kept > limit })
}

// suffices returns the words that the option keeps, and whether so many guesses suffice, this one included.
func (s *search) suffices(set []wordle.Word, o option, left int) ([]wordle.Word, bool) {
	_, kept := evil.Answer(set, o.guess)
	if s.ctx.Err() == nil && left == 3 && len(kept) > 1 {
		return kept, s.split(kept)
	}
	return kept, s.ctx.Err() == nil && s.first(kept, left-1) != 0
}

// split reports whether a single guess tells all words of the set apart. Neighbours come first: they are often alike, and few guesses
// tell them apart.
func (s *search) split(set []wordle.Word) bool {
	all := slices.Clone(s.pair(set[0], set[1]))
	for gap := 1; gap < len(set); gap++ {
		for i := gap; i < len(set); i++ {
			some := uint64(0)
			for j, bits := range s.pair(set[i-gap], set[i]) {
				all[j] &= bits
				some |= all[j]
			}
			if some == 0 {
				return false
			}
		}
	}
	return true
}

// pair returns the guesses that tell two words apart.
func (s *search) pair(v, w wordle.Word) []uint64 {
	bits := s.apart[[2]wordle.Word{v, w}]
	if bits == nil {
		if len(s.apart) == mostPairs {
			clear(s.apart)
		}
		a, b := s.column(v), s.column(w)
		bits = make([]uint64, len(a)/64)
		for i := range len(a) / 8 {
			const low, high, gather = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080, 0x0102040810204080
			d := binary.LittleEndian.Uint64(a[8*i:]) ^ binary.LittleEndian.Uint64(b[8*i:])
			ones := (d&low + low | d) & high >> 7             // in each byte that differs
			bits[i/8] |= ones * gather >> 56 << (8 * (i % 8)) // the eight of them side by side
		}
		s.apart[[2]wordle.Word{v, w}] = bits
	}
	return bits
}

// column returns the feedback of all guesses for a word, and padding up to a multiple of 64.
func (s *search) column(w wordle.Word) []byte {
	if s.columns[w] == nil {
		column := make([]byte, (len(s.guesses)+63)&^63)
		for i, g := range s.guesses {
			column[i] = byte(wordle.Score(s.lexicon.Guesses[g], w))
		}
		s.columns[w] = column
	}
	return s.columns[w]
}
