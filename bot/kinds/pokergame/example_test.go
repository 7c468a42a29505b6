package pokergame

import (
	"testing"

	"fivefold/game/pokle"
)

// TestGuessable: an example is a board that may be guessed, and differs from the usual one only
// where it must.
func TestGuessable(t *testing.T) {
	example := mustBoard(Face().Example)
	for _, c := range []struct{ hands [pokle.Players]string }{
		{[3]string{"AC AD", "AH AS", "QC QD"}},
		{[3]string{"2C 3D", "10H 4S", "KS 2D"}},
		{[3]string{"KS AC", "AD AH", "AS 2C"}}, // what replaces K♠ begins the deck again
		{[3]string{"2C 2D", "2H 2S", "3C 3D"}},
		{[3]string{"10H 10S", "JC JD", "3D 3H"}},
	} {
		var d pokle.Deal
		var held pokle.Cards
		for i, text := range c.hands {
			hole, err := pokle.ParseHole(text)
			if err != nil {
				t.Fatal(err)
			}
			d.Holes[i] = hole
			held |= hole.Cards()
		}
		got := Guessable(d, example)
		if err := d.Allows(got); err != nil {
			t.Errorf("%v: %v cannot be guessed: %v", c.hands, got, err)
		}
		for i := range got {
			if got[i] != example[i] && !held.Has(example[i]) && !pokle.Board(got).Cards(pokle.River).Has(example[i]) {
				t.Errorf("%v: the %v is free, but the example is %v", c.hands, example[i], got)
			}
		}
	}
}
