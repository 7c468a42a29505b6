package picture

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"fivefold/game/pokle"
)

// luminance is how bright a colour is, from 0 to 1, by WCAG 2.2 ("relative
// luminance").
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast is from 1 to 21, by WCAG 2.2 ("contrast ratio").
func contrast(a, b ink) float64 {
	x, y := luminance(colours[a]), luminance(colours[b])
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast: 4.5 is what WCAG 2.2 asks of text (1.4.3), 3 of signs and of large
// text (1.4.11), which is all there is here.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		name     string
		on, with ink
		want     float64
	}{
		{"text", cloth, bright, 4.5}, {"text about a player", panel, bright, 4.5}, {"lesser text", cloth, dim, 4.5},
		{"lesser text about a player", panel, dim, 4.5}, {"back of a card", back, bright, 4.5},
		{"clubs", paper, clubs, 4.5}, {"diamonds", paper, diamonds, 4.5}, {"hearts", paper, hearts, 4.5}, {"spades", paper, spades, 4.5},
		{"tick", green, paper, 3}, {"wave", yellow, dark, 3}, {"dot", grey, paper, 3},
		{"gold", gold, dark, 4.5}, {"silver", silver, dark, 4.5}, {"bronze", bronze, dark, 4.5},
		{"green beside yellow", green, yellow, 1.5}, {"grey beside green", grey, green, 1.5}, {"grey beside yellow", grey, yellow, 3},
	} {
		if got := contrast(c.on, c.with); got < c.want {
			t.Errorf("%s: the contrast is %.2f, want %.1f", c.name, got, c.want)
		}
	}
}

// TestShapes: suits, signs and medals can be told apart in one colour.
func TestShapes(t *testing.T) {
	draw := func(s shape) []byte {
		c, err := newCanvas(100, 100)
		if err != nil {
			t.Fatal(err)
		}
		c.shape(s, image.Pt(50, 50), 100, dark)
		return c.image.Pix
	}
	for name, shapes := range map[string][]shape{"suits": suitShapes[:], "signs": markShapes[:], "medals": medalShapes[1:]} {
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

func TestMix(t *testing.T) {
	black, white := color.NRGBA{A: 0xFF}, color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
	for _, c := range []struct {
		name        string
		under, over color.NRGBA
		part        int
		want        color.NRGBA
	}{
		{"nothing", black, white, 0, black},
		{"all", black, white, levels, white},
		{"half", black, white, levels / 2, color.NRGBA{0x80, 0x80, 0x80, 0xFF}},
		{"over nothing", color.NRGBA{}, white, levels / 2, color.NRGBA{0xFF, 0xFF, 0xFF, 0x7F}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mix(c.under, c.over, c.part); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
