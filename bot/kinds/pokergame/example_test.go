package pokergame

import (
	"testing"

	"fivefold/game/pokle"
)

// TestGuessable: an example differs from the usual one only where players hold its cards.
func TestGuessable(t *testing.T) {
	for hands, want := range map[string]string{
		"AC AD AH AS QC QD":  "2C 3D 10H 4S KS",
		"2C 3D 10H 4S KS 2D": "2H 3H 10S 5C AC",
		"KS AC AD AH AS 2C":  "2D 3D 10H 4S 2H", // what replaces K♠ begins the deck again
		"2C 2D 2H 2S 3C 3D":  "3H 3S 10H 4S KS",
	} {
		cards, err := pokle.ParseCards(hands)
		if err != nil {
			t.Fatal(err)
		}
		var d pokle.Deal
		for i := range d.Holes {
			d.Holes[i] = pokle.Hole(cards[2*i:])
		}
		if got := Guessable(d, example); got != want {
			t.Errorf("%s: %s, want %s", hands, got, want)
		}
	}
}
