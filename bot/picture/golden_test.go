package picture

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"testing"
)

// Look at the new pictures before committing them.
var update = flag.Bool("update", false, "draw the expected pictures again")

// golden compares the pixels of a PNG with those of the named file. The bytes may differ, since releases of Go compress
// differently.
func golden(tb testing.TB, name string, drawn []byte) {
	tb.Helper()
	if *update {
		if err := os.WriteFile(name, drawn, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	stored, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	if got, want := decode(tb, drawn), decode(tb, stored); got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		tb.Errorf("%s is another picture; if what is drawn is right, draw it again as CONTRIBUTING.md says, and look at the file", name)
	}
}

func decode(tb testing.TB, b []byte) *image.NRGBA {
	tb.Helper()
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		tb.Fatal(err)
	}
	all := image.NewNRGBA(picture.Bounds())
	draw.Draw(all, all.Rect, picture, all.Rect.Min, draw.Src)
	return all
}

// contrastOf is the contrast ratio of two opaque colours by WCAG 2.2, from 1 to 21. Text needs 4.5 and large text 3
// (1.4.3); signs need 3 (1.4.11).
func contrastOf(a, b color.NRGBA) float64 {
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
