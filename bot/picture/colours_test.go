package picture

import (
	"bytes"
	"image"
	"testing"

	"fivefold/bot/canvas"
	"fivefold/bot/canvas/canvastest"
	"fivefold/game/pokle"
)

// TestContrast: WCAG 2.2 asks for 4.5 for text (1.4.3) and 3 for signs (1.4.11). Marks next to
// each other need less, since their signs differ too.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		name     string
		on, with canvas.Ink
		want     float64
	}{
		{"text", cloth, bright, 4.5}, {"text about a player", panel, bright, 4.5}, {"lesser text", cloth, dim, 4.5},
		{"lesser text about a player", panel, dim, 4.5}, {"back of a card", back, bright, 4.5},
		{"clubs", paper, clubs, 4.5}, {"diamonds", paper, diamonds, 4.5}, {"hearts", paper, hearts, 4.5}, {"spades", paper, spades, 4.5},
		{"tick", green, paper, 3}, {"wave", yellow, dark, 3}, {"dot", grey, paper, 3},
		{"gold", gold, dark, 4.5}, {"silver", silver, dark, 4.5}, {"bronze", bronze, dark, 4.5},
		{"star", panel, gold, 3}, {"star on its tile", green, gold, 2}, {"outline", panel, dim, 3}, {"today", cloth, bright, 3},
		{"tick, high contrast", orange, paper, 3}, {"wave, high contrast", blue, dark, 3},
		{"orange next to blue", orange, blue, 1.5}, {"grey next to orange", grey, orange, 1.5}, {"grey next to blue", grey, blue, 3},
		{"green next to yellow", green, yellow, 1.5}, {"grey next to green", grey, green, 1.5}, {"grey next to yellow", grey, yellow, 3},
	} {
		if got := canvastest.Contrast(colours[c.on], colours[c.with]); got < c.want {
			t.Errorf("%s: the contrast is %.2f, want %.1f", c.name, got, c.want)
		}
	}
}

// TestShapes: suits, signs and medals differ even in one colour.
func TestShapes(t *testing.T) {
	draw := func(s canvas.Shape) []byte {
		c := canvas.New(100, 100, colours)
		c.Shape(s, image.Pt(50, 50), 100, dark)
		var b bytes.Buffer
		if err := c.Encode(&b); err != nil {
			t.Fatal(err)
		}
		return mustDecode(t, b.Bytes()).Pix
	}
	for name, shapes := range map[string][]canvas.Shape{"suits": suitShapes[:], "signs": markShapes[:], "medals": medalShapes[1:]} {
		for i := range shapes {
			for j := range i {
				a, b := draw(shapes[i]), draw(shapes[j])
				differ := 0
				for k := range a {
					if a[k] != b[k] {
						differ++
					}
				}
				if least := len(a) / 20; differ < least {
					t.Errorf("%s %d and %d differ in %d pixels, want %d", name, i, j, differ, least)
				}
			}
		}
	}
	if suitShapes[pokle.Hearts] == nil || bytes.Equal(draw(suitShapes[pokle.Hearts]), make([]byte, 100*100)) {
		t.Error("hearts are not drawn")
	}
}
