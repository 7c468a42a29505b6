package solver

import (
	"slices"

	"fivefold/game/wordle"
)

// lexicon is what the search wants to know of the words that may be guessed. It
// depends on the list alone and is never changed, so all searches share it.
type lexicon struct {
	guesses   []wordle.Word // alphabetical; elsewhere a guess is its number in here
	proposals []int32       // the guesses that a search may choose from, in ascending order

	// What the feedback says of one letter does not depend on the other letters. So
	// a guess's feedback is the sum of the feedbacks of its parts: each a letter in
	// all of its places, and blanks. A whole list has only some hundred parts.
	parts []wordle.Word // see wordle.Word.Only; the first is all blank
	of    []partsOf     // by guess

	// For hard mode, by guess: its letters in their places and how often it has each.
	placed []places
	has    []letters
}

// partsOf are the parts of a guess, by their numbers, then the blank one.
type partsOf [wordle.Length]uint16

// lexiconOf returns the lexicon of the lists: a search chooses from their proposals,
// and what players guess can be any of their guesses.
func lexiconOf(lists *wordle.Lists) *lexicon {
	x := newLexicon(lists.Guesses())
	x.proposals = x.numbers(lists.Proposals())
	return x
}

// newLexicon returns a lexicon whose guesses may all be proposed.
func newLexicon(guesses []wordle.Word) *lexicon {
	x := &lexicon{
		guesses: guesses,
		parts:   make([]wordle.Word, 1),
		of:      make([]partsOf, len(guesses)),
		placed:  make([]places, len(guesses)),
		has:     make([]letters, len(guesses)),
	}
	number := map[wordle.Word]uint16{}
	for g, guess := range guesses {
		n := 0
		for i := range wordle.Length {
			letter := guess.Letter(i)
			x.placed[g] |= place(i, letter)
			x.has[g].add(letter)
			if firstPlace(guess, letter) != i {
				continue
			}
			part := guess.Only(letter)
			p, known := number[part]
			if !known {
				p = uint16(len(x.parts))
				number[part] = p
				x.parts = append(x.parts, part)
			}
			x.of[g][n] = p
			n++
		}
		x.proposals = append(x.proposals, int32(g))
	}
	return x
}

func firstPlace(w wordle.Word, letter byte) int {
	for i := range wordle.Length {
		if w.Letter(i) == letter {
			return i
		}
	}
	return wordle.Length
}

// numbers returns the words, which can all be guessed, by their numbers.
func (x *lexicon) numbers(words []wordle.Word) []int32 {
	numbers := make([]int32, len(words))
	for i, w := range words {
		n, _ := slices.BinarySearchFunc(x.guesses, w, wordle.Word.Compare)
		numbers[i] = int32(n)
	}
	return numbers
}
