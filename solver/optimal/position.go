package optimal

import (
	"errors"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
)

// Position is a game in progress as its players see it.
type Position struct {
	Turns []wordle.Turn
	Hard  marks.Hardness
	// Limit is how many guesses the game has in all, including Turns; 0 means no limit.
	Limit int
	Never []wordle.Word // words that Suggest proposes in no case
}

// ErrNothingFits means that no known word fits the feedback of every turn.
var ErrNothingFits = errors.New("no word fits the feedback")

// ErrNothingAllowed means that no guesses are left, or that hard mode allows none. (It
// always allows the hidden word, if that is on the list.)
var ErrNothingAllowed = errors.New("no guess is allowed")

// Remaining returns the words that are still possible after the turns, in alphabetical order: every answer that would
// have got the same feedback.
//
// If no answer fits, the hidden word is not on the list: an operator may have replaced the list since the game began.
// Then Remaining returns the proposals that fit, or else the guesses that fit. The caller owns the slice.
func (s *Solver) Remaining(turns []wordle.Turn) []wordle.Word {
	for _, list := range [][]wordle.Word{s.lists.Answers(), s.lists.Proposals(), s.lists.Guesses()} {
		if words := fitting(list, turns); len(words) > 0 {
			return words
		}
	}
	return nil
}

// CountRemaining returns how many words [Solver.Remaining] has after 0, 1, … and all turns.
func (s *Solver) CountRemaining(turns []wordle.Turn) []int {
	words := s.Remaining(nil)
	counts := []int{len(words)}
	for i := range turns {
		if words = fitting(words, turns[i:i+1]); len(words) == 0 {
			words = s.Remaining(turns[:i+1]) // of another list
		}
		counts = append(counts, len(words))
	}
	return counts
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

// GuessesLeft returns how many guesses are left when that many words are possible: at most
// their number, since more are never needed.
func (p Position) GuessesLeft(words int) int {
	if p.Limit > 0 {
		return min(words, p.Limit-len(p.Turns))
	}
	return words
}
