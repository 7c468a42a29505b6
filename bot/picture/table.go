package picture

import "fivefold/game/pokle"

// Table is what a picture shows. The deal must be valid, and guesses and board be
// boards of five different cards.
type Table struct {
	Title    string          // such as "Daily puzzle 326", in plain text; may be empty
	Deal     pokle.Deal      // the three holes and the places on each street
	Guesses  []pokle.Guessed // oldest first; of more than eight the latest are shown
	Attempts int             // guesses there are in all; those not used yet are empty rows
	Left     int             // boards that are possible now; -1 to say nothing
	Hidden   *pokle.Board    // the board, when the game is over; nil before
}

// mostRows is how many rows of guesses there can be: more would not be readable.
const mostRows = 8

// shown returns the guesses that are shown, and the number of the first, from 1.
func (t Table) shown() (from int, guesses []pokle.Guessed) {
	skip := max(0, len(t.Guesses)-mostRows)
	return skip + 1, t.Guesses[skip:]
}

// rows is how many rows of guesses there are, the empty ones too.
func (t Table) rows() int {
	return min(max(t.Attempts, len(t.Guesses)), mostRows)
}
