package canvas

import (
	"image/color"
	"testing"
)

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

// TestFullPalette: without room for another colour, the nearest one is used.
func TestFullPalette(t *testing.T) {
	c := New(10, 10, colours)
	for i := len(colours); i < 256; i++ {
		c.index(color.NRGBA{uint8(i), 0xFF, 0, 0xFF})
	}
	if got := c.index(color.NRGBA{100, 0xFE, 0, 0xFF}); got != 100 || len(c.image.Palette) != 256 {
		t.Errorf("place %d of %d colours, want 100 of 256", got, len(c.image.Palette))
	}
}
