package picture

import (
	"slices"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// PokerTable is what a picture shows. The deal must be valid, and each guess and the hidden
// board must have five different cards.
type PokerTable struct {
	Title    string       // such as "Daily puzzle 326", in plain text; may be empty
	Deal     pokle.Deal   // the three holes and the places on each street
	Guesses  []pokle.Step // oldest first
	Attempts int          // in the whole game; those left are empty rows
	Left     int          // boards that are still possible; negative to leave this out
	Hidden   *pokle.Board // the board, when the game is over; nil before
	Outcome  string       // how the game ended, such as "Won in 4 of 6"; empty before
	Players  []string     // who made each guess, by name, empty where that is not known; nil to leave this out
	Contrast bool         // orange and blue instead of green and yellow
}

// player returns who made a guess, by its index; empty for nobody.
func (t PokerTable) player(guess int) string {
	if guess >= len(t.Players) {
		return ""
	}
	return t.Players[guess]
}

// Names reports whether the picture has something of the name of each player who made a guess.
func (t PokerTable) Names() bool {
	return !slices.ContainsFunc(t.Players, func(name string) bool { return !canvas.Writes(name) })
}

// WonAlike reports whether the game was won by another board than the hidden one.
func (t PokerTable) WonAlike() bool {
	n := len(t.Guesses)
	return t.Hidden != nil && n > 0 && t.Guesses[n-1].Feedback == marks.AllGreen && t.Guesses[n-1].Guess.Canonical() != t.Hidden.Canonical()
}
