package terminal

import (
	"testing"

	"fivefold/bot/solve"
)

// TestSpeaker: who types a line. The ace of spades at its beginning names nobody.
func TestSpeaker(t *testing.T) {
	for _, c := range []struct{ line, player, rest string }{
		{"guess crane", "ana", "guess crane"},
		{"as ben", "ben", ""},
		{"/as ben", "ben", ""},
		{"/as ben /guess crane", "ben", "/guess crane"},
		{"AS ben guess crane", "ben", "guess crane"},
		{"as js", "js", ""},
		{"as js guess crane", "js", "guess crane"},
		{"as js 2c 3d 10h 4s ks", "js", "2c 3d 10h 4s ks"},
		{"as kd 2c 3h 4s", "ana", "as kd 2c 3h 4s"},
		{"AS 4H QH AC JC gyeyg", "ana", "AS 4H QH AC JC gyeyg"},
		{"As 4h", "4h", ""},
		{"AS QC 10H 2H 9H KH 213 132 213", "ana", "AS QC 10H 2H 9H KH 213 132 213"},
		{"AS QC10H2H 9HKH 213132213", "ana", "AS QC10H2H 9HKH 213132213"},
	} {
		s := &person{Terminal: &Terminal{Player: "ana", Help: &solve.BoardLanguage}, player: "ana"}
		if player, rest, said := s.speaker(c.line); string(player) != c.player || rest != c.rest {
			t.Errorf("%q is %q by %s, want %q by %s\n%v", c.line, rest, player, c.rest, c.player, said.Text)
		}
	}
}
