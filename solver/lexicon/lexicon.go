// Package lexicon numbers the words that may be guessed and prepares answers to the most frequent questions of
// searches: which parts' feedback adds up to that of a word, and which words clues allow.
package lexicon

import (
	"math/bits"
	"slices"

	"fivefold/game/wordle"
)

// Lexicon is a list of guesses. It depends on the list alone and never changes, so
// searches share it.
type Lexicon struct {
	Guesses   []wordle.Word // in alphabetical order; elsewhere a guess is its index here
	Proposals []int32       // the guesses that a search may choose from, in ascending order
	Familiar  []bool        // by guess; among equal guesses that cannot be the hidden word, a search chooses a familiar one

	// The feedback for one letter does not depend on the other letters. So the
	// feedback of a guess is the sum of the feedback of its parts: each a letter in
	// all its positions, with blanks elsewhere. A whole list has a few hundred parts.
	Parts   []Part        // the first is all blank
	PartsOf []PartNumbers // by guess

	// For hard mode, by guess: its letters in their positions, and how often it has each.
	placed []places
	has    []letters
}

// Part is a letter in all its positions in a guess.
type Part struct {
	Letter    byte  // from 0 for A
	Positions uint8 // bit i means position i; none in the blank part
}

// PartNumbers are the parts of a guess, as indexes into Parts; unused ones are 0.
type PartNumbers [wordle.Length]uint16

// Of returns the lexicon of the lists. Players may make any of the lists' guesses. A search chooses from the
// proposals.
func Of(lists *wordle.Lists) *Lexicon {
	x := New(lists.Guesses())
	x.Proposals = x.Numbers(lists.Proposals())
	for g, weight := range lists.Weights() {
		x.Familiar[g] = wordle.Familiar(weight)
	}
	return x
}

// New returns the lexicon of the guesses, which must be in alphabetical order for
// [Lexicon.Numbers]. All of them may be proposed.
func New(guesses []wordle.Word) *Lexicon {
	x := &Lexicon{
		Guesses:  guesses,
		Familiar: make([]bool, len(guesses)),
		Parts:    make([]Part, 1),
		PartsOf:  make([]PartNumbers, len(guesses)),
		placed:   make([]places, len(guesses)),
		has:      make([]letters, len(guesses)),
	}
	var number [26][1 << wordle.Length]uint16 // of a part; 0 if it is new
	for g, guess := range guesses {
		n := 0
		for i := range wordle.Length {
			letter := guess.Letter(i)
			x.placed[g] |= place(i, letter)
			x.has[g].add(letter)
			part := Part{letter - 'A', positions(guess, letter)}
			if bits.TrailingZeros8(part.Positions) != i {
				continue // it came before
			}
			p := &number[part.Letter][part.Positions]
			if *p == 0 {
				*p = uint16(len(x.Parts))
				x.Parts = append(x.Parts, part)
			}
			x.PartsOf[g][n] = *p
			n++
		}
		x.Proposals = append(x.Proposals, int32(g))
	}
	return x
}

// positions returns where the word has the letter; bit i means position i.
func positions(w wordle.Word, letter byte) uint8 {
	var all uint8
	for i := range wordle.Length {
		if w.Letter(i) == letter {
			all |= 1 << i
		}
	}
	return all
}

// Numbers returns the numbers of the words, all of which must be among the Guesses.
func (x *Lexicon) Numbers(words []wordle.Word) []int32 {
	numbers := make([]int32, len(words))
	for i, w := range words {
		n, _ := slices.BinarySearchFunc(x.Guesses, w, wordle.Word.Compare)
		numbers[i] = int32(n)
	}
	return numbers
}

// Number returns the number of a word, and false if it may not be guessed.
func (x *Lexicon) Number(w wordle.Word) (int32, bool) {
	n := x.Numbers([]wordle.Word{w})[0]
	return n, int(n) < len(x.Guesses) && x.Guesses[n] == w
}

// Fits reports whether the hidden word w would have got the feedback of every turn.
func Fits(w wordle.Word, turns []wordle.Turn) bool {
	for _, t := range turns {
		if wordle.Score(t.Guess, w) != t.Feedback {
			return false
		}
	}
	return true
}
