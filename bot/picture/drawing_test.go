package picture

import (
	"image/color"
	"testing"
)

// TestContrast: WCAG 2.2 asks for 4.5 for text (1.4.3) and 3 for signs (1.4.11). Neighbouring marks may have less,
// since their signs differ too.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		name     string
		on, with color.NRGBA
		want     float64
	}{
		{"text", cloth, bright, 4.5}, {"text about a player", panel, bright, 4.5}, {"lesser text", cloth, dim, 4.5},
		{"lesser text about a player", panel, dim, 4.5}, {"back of a card", back, bright, 4.5},
		{"clubs", paper, clubs, 4.5}, {"diamonds", paper, diamonds, 4.5}, {"hearts", paper, hearts, 4.5}, {"spades", paper, spades, 4.5},
		{"tick", green, paper, 3}, {"wave", yellow, dark, 3}, {"dot", grey, paper, 3},
		{"gold", gold, dark, 4.5}, {"silver", silver, dark, 4.5}, {"bronze", bronze, dark, 4.5},
		{"star", panel, gold, 3}, {"star on its tile", green, gold, 2}, {"number of a bar", grey, paper, 4.5}, {"number on green", green, dark, 4.5}, {"number on orange", orange, dark, 4.5},
		{"yellow circle", cloth, yellow, 3}, {"green square", cloth, green, 3}, {"grey square", cloth, grey, 2}, {"outline", cloth, frame, 2}, {"today", cloth, bright, 3},
		{"tick, high contrast", orange, paper, 3}, {"wave, high contrast", blue, dark, 3},
		{"orange next to blue", orange, blue, 1.5}, {"grey next to orange", grey, orange, 1.5}, {"grey next to blue", grey, blue, 3},
		{"green next to yellow", green, yellow, 1.5}, {"grey next to green", grey, green, 1.5}, {"grey next to yellow", grey, yellow, 3},
		{"letter on dim grey", faded(grey), dim, 4.5}, {"letter on dim yellow", faded(yellow), dim, 3}, {"letter on dim green", faded(green), dim, 3},
		{"letter on dim blue", faded(blue), dim, 3}, {"letter on dim orange", faded(orange), dim, 3},
	} {
		if got := contrastOf(c.on, c.with); got < c.want {
			t.Errorf("%s: the contrast is %.2f, want %.1f", c.name, got, c.want)
		}
	}
}
