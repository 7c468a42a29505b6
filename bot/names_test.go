package bot

import (
	"fmt"
	"testing"

	"fivefold/game"
)

func TestNames(t *testing.T) {
	var nobody *Names
	nobody.Learn("1", "ana")
	if got := nobody.Of("1"); got != "" {
		t.Errorf("nobody is called %q", got)
	}
	n := new(Names)
	for _, c := range []struct{ player, name, want string }{
		{"1", "", ""}, {"1", "ana", "ana"}, {"1", " \t ", "ana"}, {"1", "Ana \n\x00 B\u202e.", "Ana B ."}, {"", "x", ""}, {"2", "Zoë 🎲", "Zoë 🎲"},
	} {
		n.Learn(game.PlayerID(c.player), c.name)
		if got := n.Of(game.PlayerID(c.player)); got != c.want {
			t.Errorf("%s is called %q after %q, want %q", c.player, got, c.name, c.want)
		}
	}
	// Those who asked last are known, and memory is bounded.
	for i := range 3*mostNames + 7 {
		n.Learn(game.PlayerID(fmt.Sprint("p", i)), "name")
	}
	if n.Of("1") != "" || n.Of(game.PlayerID(fmt.Sprint("p", 2*mostNames+8))) != "name" || len(n.now)+len(n.before) > 2*mostNames {
		t.Errorf("%d and %d names are kept", len(n.now), len(n.before))
	}
}
