// Package canvastest has what tests of pictures share: comparison with a picture that
// somebody has looked at, and the contrast of colours.
package canvastest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"
)

// Golden fails the test if a pixel of the PNG file drawn differs from the file of this
// name. The bytes may differ, since releases of Go compress differently. With update it
// writes the file first. Both pictures must have a palette, as those of a canvas have.
func Golden(tb testing.TB, name string, drawn []byte, update bool) {
	tb.Helper()
	if update {
		if err := os.WriteFile(name, drawn, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	stored, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	got, want := decode(tb, drawn), decode(tb, stored)
	if got.Bounds() != want.Bounds() {
		tb.Errorf("%s is %v large, what is drawn %v; if that is right, draw it again as CONTRIBUTING.md says, and look at the file",
			name, want.Bounds().Size(), got.Bounds().Size())
		return
	}
	gotColours, wantColours := colours(got), colours(want)
	for i := range got.Pix {
		if gotColours[got.Pix[i]] != wantColours[want.Pix[i]] {
			tb.Errorf("%s is another picture, at first in the pixel %d, %d; if what is drawn is right, draw it again as CONTRIBUTING.md says, and look at the file",
				name, i%got.Stride, i/got.Stride)
			return
		}
	}
}

func decode(tb testing.TB, b []byte) *image.Paletted {
	tb.Helper()
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		tb.Fatal(err)
	}
	paletted, ok := picture.(*image.Paletted)
	if !ok {
		tb.Fatalf("the picture is a %T, with no palette", picture)
	}
	return paletted
}

// colours returns the palette, whose colours may be of different types.
func colours(p *image.Paletted) [256]color.NRGBA {
	var all [256]color.NRGBA
	for i, c := range p.Palette {
		all[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	return all
}

// Contrast is the contrast ratio of two opaque colours by WCAG 2.2, from 1 to 21. Text needs
// 4.5 and large text 3 (1.4.3); signs need 3 (1.4.11).
func Contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance by WCAG 2.2, from 0 to 1.
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
