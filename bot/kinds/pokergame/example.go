package pokergame

import (
	"fivefold/game/pokle"
)

// Guessable returns a board that may be guessed with the deal: b, but with other cards in place
// of those that a player holds.
func Guessable(d pokle.Deal, b pokle.Board) pokle.Board {
	var taken pokle.Cards
	for _, hole := range d.Holes {
		taken |= hole.Cards()
	}
	for i := range b {
		for taken.Has(b[i]) {
			b[i] = (b[i] + 1) % pokle.Deck
		}
		taken = taken.Add(b[i])
	}
	return b
}
