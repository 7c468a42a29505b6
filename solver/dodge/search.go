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
	"fivefold/solver/cache"
	"fivefold/solver/lexicon"
	"fivefold/solver/partition"
)

// search finds out how many guesses suffice for sets of words in alphabetical order. Once ctx has ended, its answers mean nothing. It
// is for one goroutine. Each part of its memory is bounded: with the built-in lists it takes up to 60 MB.
type search struct {
	ctx     context.Context
	lexicon *lexicon.Lexicon
	guesses []int32                               // that may be made
	columns cache.Cache[wordle.Word, []byte]      // the feedback of the guesses for a word
	apart   cache.Cache[[2]wordle.Word, []uint64] // the guesses that tell two words apart, as bits
	known   cache.Cache[string, wordle.Word]      // what first has found
}

const most = 24 << 20 // bytes of each

// fewest returns the fewest guesses that suffice for the set, and the first of them.
func (s *search) fewest(set []wordle.Word) (wordle.Word, int, error) {
	for fewest := 1; fewest <= len(set); fewest++ {
		if guess := s.first(set, fewest); guess != 0 || s.ctx.Err() != nil {
			return guess, fewest, s.ctx.Err()
		}
	}
	return 0, 0, ErrNothingFits
}

// first returns, of the guesses with which so many suffice for the set, the one that [Solver.Suggest] prefers, or 0.
func (s *search) first(set []wordle.Word, left int) wordle.Word {
	if len(set) == 1 {
		return set[0]
	}
	key := fmt.Sprint(left, set)
	guess, ok := s.known.Get(key)
	if !ok {
		options := s.options(set, left)
		slices.SortStableFunc(options, func(a, b option) int { return cmp.Or(a.other-b.other, a.kept-b.kept) })
		for i := 0; guess == 0 && i < len(options); i++ {
			if _, ok := s.suffices(set, options[i], left); ok {
				guess = options[i].guess
			}
		}
		s.known.Put(key, guess, len(key), most)
	}
	return guess
}

// option is a guess with how many words it keeps. other is 1 if it is not in the set, else 0.
type option struct {
	guess       wordle.Word
	other, kept int
}

// options returns the options for so many guesses in alphabetical order. The last guess splits nothing. Each of the others makes of a
// part of the set at most the classes that some guess makes of the whole, and drops at most the words that some guess drops of the
// whole. An option that keeps too many words for that is left out.
func (s *search) options(set []wordle.Word, left int) (all []option) {
	splitter, classes, drops := partition.NewSplitter(s.lexicon, set), 0, 0
	for _, g := range s.guesses {
		split := splitter.Split(s.lexicon.PartsOf[g])
		classes, drops = max(classes, split.Classes), max(drops, len(set)-split.Worst)
		o := option{s.lexicon.Guesses[g], 1, split.Worst}
		if _, own := slices.BinarySearchFunc(set, o.guess, wordle.Word.Compare); own {
			o.other = 0
		}
		all = append(all, o)
	}
	limit := min(len(set)-1, 1+drops*(left-2), int(min(math.Pow(float64(classes), float64(left-2)), math.MaxInt32)))
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

// split reports whether a single guess tells all words of the set apart. Neighbours come first: few guesses tell them apart.
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
	bits, ok := s.apart.Get([2]wordle.Word{v, w})
	if !ok {
		a, b := s.column(v), s.column(w)
		bits = make([]uint64, len(a)/64)
		for i := range len(a) / 8 {
			const low, high, gather = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080, 0x0102040810204080
			d := binary.LittleEndian.Uint64(a[8*i:]) ^ binary.LittleEndian.Uint64(b[8*i:])
			ones := (d&low + low | d) & high >> 7             // in each byte that differs
			bits[i/8] |= ones * gather >> 56 << (8 * (i % 8)) // the eight of them side by side
		}
		s.apart.Put([2]wordle.Word{v, w}, bits, 8*len(bits), most)
	}
	return bits
}

// column returns the feedback of all guesses for a word, and padding up to a multiple of 64.
func (s *search) column(w wordle.Word) []byte {
	column, ok := s.columns.Get(w)
	if !ok {
		column = make([]byte, (len(s.guesses)+63)&^63)
		for i, g := range s.guesses {
			column[i] = byte(wordle.Score(s.lexicon.Guesses[g], w))
		}
		s.columns.Put(w, column, len(column), most)
	}
	return column
}
