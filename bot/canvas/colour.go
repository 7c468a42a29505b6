package canvas

import "image/color"

// levels is how many steps lead from one colour to another at the edge of a shape.
// More would overflow a palette of 256; fewer would be visible.
const levels = 8

// mix returns the colour of a pixel covered by two colours: part of levels by over,
// the rest by under.
func mix(under, over color.NRGBA, part int) color.NRGBA {
	if under.A == 0 {
		over.A = uint8(int(over.A) * part / levels)
		return over
	}
	if over.A == 0 {
		return under
	}
	between := func(a, b uint8) uint8 {
		return uint8((int(a)*(levels-part) + int(b)*part + levels/2) / levels)
	}
	return color.NRGBA{between(under.R, over.R), between(under.G, over.G), between(under.B, over.B), between(under.A, over.A)}
}
