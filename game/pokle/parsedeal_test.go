package pokle

import (
	"errors"
	"testing"
)

func TestParseDeal(t *testing.T) {
	want := Deal{
		Holes: [Players]Hole{
			{NewCard(Queen, Diamonds), NewCard(Queen, Clubs)},
			{NewCard(Ten, Hearts), NewCard(Two, Hearts)},
			{NewCard(Nine, Hearts), NewCard(King, Hearts)},
		},
		Places: [Streets]Places{{2, 1, 3}, {1, 2, 2}, {1, 1, 1}},
	}
	hands, places := [Players]string{"QD QC", "10♥2♥", "9h kh"}, [Streets]string{"213", "1 2 2", "111"}
	if got, err := ParseDeal(hands, places); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, c := range []struct {
		name   string
		change func()
		want   string
	}{
		{"a hand of one card", func() { hands[1] = "10H" }, "hand 2: 1 cards, not 2"},
		{"not a card", func() { hands[2] = "9H KX" }, "hand 3: card 2: not a suit: C, D, H, S"},
		{"both wrong", func() { hands[2], places[0] = "9H KX", "2 1" }, "hand 3: card 2: not a suit: C, D, H, S"},
		{"two places", func() { places[1] = "12" }, "turn: "},
		{"a card twice", func() { hands[2] = "9H QD" }, "Q♦ "},
		{"places that hands cannot have", func() { places[2] = "133" }, "river: "},
	} {
		was, were := hands, places
		c.change()
		got, err := ParseDeal(hands, places)
		if err == nil || len(err.Error()) < len(c.want) || err.Error()[:len(c.want)] != c.want {
			t.Errorf("%s: got %+v, %v, want %s", c.name, got, err, c.want)
		}
		var hand *HandError
		if errors.As(err, &hand) && errors.Unwrap(err) != hand.Err {
			t.Errorf("%s: %v does not wrap its cause", c.name, err)
		}
		hands, places = was, were
	}
}
