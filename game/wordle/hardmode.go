package wordle

import (
	"fmt"

	"fivefold/game/marks"
)

// CheckClues returns nil when w may follow the turns, and otherwise a *[HardModeError] for the first clue that w drops, green ones
// of a turn first. [marks.Off] allows every word.
//
// In hard mode, every green letter stays in its place, and every coloured letter is used at least as often as one guess had it
// coloured.
//
// In ultra-hard mode, no letter returns to a place where it was yellow or grey, either. A grey letter stays out, or is used no
// more often than the same guess had it coloured. So by true feedback the allowed words are those that [Score] says can still be
// hidden, no fewer and no more; a test compares the two.
func CheckClues(hard marks.Hardness, turns []Turn, w Word) error {
	if hard == marks.Off {
		return nil
	}
	for _, t := range turns {
		var coloured [26]int
		for i := range Length {
			mark, letter := t.Feedback.Mark(i), t.Guess.Letter(i)
			if mark != Black {
				coloured[letter-'A']++
			}
			if mark == Green && w.Letter(i) != letter {
				return &HardModeError{Hard: hard, Letter: letter, Position: i + 1, Mark: Green, Times: 1}
			}
		}
		for i := range Length {
			mark, letter := t.Feedback.Mark(i), t.Guess.Letter(i)
			dropped := &HardModeError{Hard: hard, Letter: letter, Position: i + 1, Mark: mark, Times: coloured[letter-'A']}
			switch used := w.Count(letter); {
			case mark == Yellow && used < dropped.Times:
				return dropped
			case mark == Green || hard != marks.Ultra:
			case mark == Black && used > dropped.Times:
				return dropped
			case w.Letter(i) == letter:
				dropped.There = true
				return dropped
			}
		}
	}
	return nil
}

// HardModeError says which clue a guess drops in hard or ultra-hard mode.
type HardModeError struct {
	Hard     marks.Hardness
	Letter   byte       // 'A' to 'Z'
	Position int        // where an earlier guess had the letter, from 1
	Mark     marks.Mark // its mark there; if it is green, the letter must stay there
	Times    int        // how often the guess must have the letter: at least, or at most if it was grey
	There    bool       // the guess has the letter at Position again, though it is not green
}

func (e *HardModeError) Error() string {
	switch {
	case e.Mark == Green:
		return fmt.Sprintf("%v mode: %c must stay at position %d", e.Hard, e.Letter, e.Position)
	case e.There:
		return fmt.Sprintf("%v mode: %c must not be at position %d again", e.Hard, e.Letter, e.Position)
	case e.Mark == Black:
		return fmt.Sprintf("%v mode: %c must be used at most %d×", e.Hard, e.Letter, e.Times)
	}
	return fmt.Sprintf("%v mode: %c, coloured at position %d, must be used at least %d×", e.Hard, e.Letter, e.Position, e.Times)
}
