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
	Guesses  []pokle.Step // oldest first; only the latest eight are shown
	Attempts int          // in the whole game; those left are empty rows
	Left     int          // boards that are still possible; negative to leave this out
	Hidden   *pokle.Board // the board, when the game is over; nil before
	Outcome  string       // how the game ended, such as "Won in 4 of 6"; empty before
	Players  []string     // who made each guess, by name; shorter, or with empty names, where that is not shown
	Contrast bool         // orange and blue instead of green and yellow
}

// mostRows is how many guesses are shown at most: more would be too small to read.
const mostRows = 8

// latest returns the guesses that are shown, and the number of the first one, from 1.
func (t PokerTable) latest() (from int, guesses []pokle.Step) {
	skip := max(0, len(t.Guesses)-mostRows)
	return skip + 1, t.Guesses[skip:]
}

// rows returns the number of rows of guesses, including empty ones.
func (t PokerTable) rows() int {
	return min(max(t.Attempts, len(t.Guesses)), mostRows)
}

// player returns who made the guess with this number, from 1; empty for nobody.
func (t PokerTable) player(number int) string {
	if number > len(t.Players) {
		return ""
	}
	return oneLine(t.Players[number-1])
}

// Letter returns what the picture has for the player who made the guess with this number, from 1, if
// the font cannot write the name: A for the first such player, then B; empty for others.
func (t PokerTable) Letter(number int) string {
	var unwritten []string
	for i := range number {
		if name := t.player(i + 1); name != "" && !canvas.Writes(name) && !slices.Contains(unwritten, name) {
			unwritten = append(unwritten, name)
		}
	}
	if i := slices.Index(unwritten, t.player(number)); i >= 0 {
		return string(rune('A' + i))
	}
	return ""
}

// WonAlike reports whether the game was won by another board than the hidden one.
func (t PokerTable) WonAlike() bool {
	n := len(t.Guesses)
	return t.Hidden != nil && n > 0 && t.Guesses[n-1].Feedback == marks.AllGreen && t.Guesses[n-1].Guess.Canonical() != t.Hidden.Canonical()
}
