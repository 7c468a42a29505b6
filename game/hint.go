package game

import (
	"fmt"
	"time"
)

// HintKind is a kind of help.
type HintKind string

// The kinds of hints. A suggestion is computed from guesses and feedback only; the others give away a part of the answer.
const (
	HintSuggestion HintKind = "suggestion"
	HintLetter     HintKind = "letter"
	HintPosition   HintKind = "position"
)

// HintLimit is how many hints the players of a match may take, all together. The zero value allows any number.
type HintLimit struct {
	Limited bool
	Most    int `json:",omitzero"` // if Limited; 0 turns hints off
}

// Within returns the stricter of both limits.
func (l HintLimit) Within(other HintLimit) HintLimit {
	if other.Limited && (!l.Limited || other.Most < l.Most) {
		return other
	}
	return l
}

// HintsLeft returns how many more hints the match allows, and whether there is a limit. Without one, the number means nothing.
func (m Match) HintsLeft() (left int, limited bool) {
	return max(0, m.HintLimit.Most-len(m.Hints)), m.HintLimit.Limited
}

// HintLimitError means that the match allows no more hints, or none at all.
type HintLimitError struct{ Limit HintLimit }

func (e *HintLimitError) Error() string { return fmt.Sprintf("%d hints are allowed", e.Limit.Most) }

// Hint is help that a player got.
type Hint struct {
	Kind    HintKind
	Player  PlayerID
	At      time.Time
	Version uint64 // of the match, after the hint
	After   int    // how many guesses had been made
	Content HintContent
}

// HintContent is the content of a hint from [Rules.Hint]. Each kind of game has its own types.
type HintContent any
