package wordle

import "fmt"

// CheckHard returns nil when hard mode allows w after the turns: every green letter stays in its place, and every coloured letter
// is used at least as often as one guess had it coloured. Otherwise it returns a *[HardModeError] for the first clue that w
// drops, green ones of a turn first.
func CheckHard(turns []Turn, w Word) error {
	for _, t := range turns {
		var coloured [26]int
		for i := range Length {
			mark, letter := t.Feedback.Mark(i), t.Guess.Letter(i)
			if mark != Black {
				coloured[letter-'A']++
			}
			if mark == Green && w.Letter(i) != letter {
				return &HardModeError{Letter: letter, Position: i + 1, Green: true, Times: 1}
			}
		}
		for i := range Length {
			letter := t.Guess.Letter(i)
			if n := coloured[letter-'A']; t.Feedback.Mark(i) == Yellow && w.Count(letter) < n {
				return &HardModeError{Letter: letter, Position: i + 1, Times: n}
			}
		}
	}
	return nil
}

// HardModeError says which clue a guess drops in hard mode.
type HardModeError struct {
	Letter   byte // 'A' to 'Z'
	Position int  // where an earlier guess had the letter coloured, from 1
	Green    bool // the letter must be at Position; otherwise anywhere
	Times    int  // how often the guess must have the letter
}

func (e *HardModeError) Error() string {
	if e.Green {
		return fmt.Sprintf("hard mode: %c must stay at position %d", e.Letter, e.Position)
	}
	return fmt.Sprintf("hard mode: %c, coloured at position %d, must be used at least %d×", e.Letter, e.Position, e.Times)
}
