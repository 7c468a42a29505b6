package solver

import (
	"errors"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
)

// Position is a game in progress as its players see it.
type Position struct {
	Turns []wordle.Turn
	Hard  bool // hard mode: only guesses that keep every clue
	// Limit is how many guesses the game has, those made counted too; 0 means as
	// many as it takes.
	Limit int
}

// ErrNothingFits says that no known word agrees with every feedback.
var ErrNothingFits = errors.New("no word fits the feedback")

// ErrNothingAllowed says that the guesses are used up, or that hard mode leaves
// no word to guess. (It leaves one where the hidden word is on the list.)
var ErrNothingAllowed = errors.New("no guess is allowed")

// Remaining returns the words that are still possible after the turns, in
// alphabetical order: every answer that would have got the same feedback.
//
// If no answer does, the hidden word is not on the list (an operator may have
// replaced it since the game began), and every guess that fits is returned.
// The caller owns the slice.
func (s *Solver) Remaining(turns []wordle.Turn) []wordle.Word {
	if words := fitting(s.lists.Answers(), turns); len(words) > 0 {
		return words
	}
	return fitting(s.lists.Guesses(), turns)
}

func fitting(words []wordle.Word, turns []wordle.Turn) []wordle.Word {
	var fit []wordle.Word
	for _, w := range words {
		if lexicon.Fits(w, turns) {
			fit = append(fit, w)
		}
	}
	return fit
}

// left returns how many guesses are left for so many words that remain; never more
// than words, since they suffice.
func (p Position) GuessesLeft(words int) int {
	if p.Limit > 0 {
		return min(words, p.Limit-len(p.Turns))
	}
	return words
}
