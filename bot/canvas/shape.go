package canvas

import (
	"slices"

	"golang.org/x/image/math/fixed"
)

// Shape is a form in a square of 100 by 100, made of closed outlines that may
// overlap. All outlines must run clockwise. [From] starts one; shapes are values, which
// the methods leave as they are.
type Shape []segment

type segment struct {
	kind byte // M for the start of an outline, L for a line, C for a curve
	at   [6]int
}

// From starts an outline at x, y.
func From(x, y int) Shape { return Shape{{'M', [6]int{x, y}}} }

// Line adds a straight line to x, y.
func (s Shape) Line(x, y int) Shape { return append(slices.Clip(s), segment{'L', [6]int{x, y}}) }

// Curve adds a cubic Bézier curve to x, y with two control points.
func (s Shape) Curve(x1, y1, x2, y2, x, y int) Shape {
	return append(slices.Clip(s), segment{'C', [6]int{x1, y1, x2, y2, x, y}})
}

// Join returns a shape with the outlines of all these shapes.
func Join(shapes ...Shape) Shape { return slices.Concat(shapes...) }

// Disc is a circle with its centre at x, y: four curves, whose control points are at
// 0.5523 of the radius.
func Disc(x, y, r int) Shape {
	k := r * 5523 / 10000
	return From(x, y-r).Curve(x+k, y-r, x+r, y-k, x+r, y).Curve(x+r, y+k, x+k, y+r, x, y+r).
		Curve(x-k, y+r, x-r, y+k, x-r, y).Curve(x-r, y-k, x-k, y-r, x, y-r)
}

// path returns the shape in a square of this size, in pixels, with its top left corner
// at x, y.
func (s Shape) path(x, y, size int) path {
	at := func(right, down int) point {
		return pixels(x, y).Add(point{X: fixed.Int26_6(right * size * 64 / 100), Y: fixed.Int26_6(down * size * 64 / 100)})
	}
	var p path
	for _, k := range s {
		a := k.at
		switch k.kind {
		case 'M':
			p.moveTo(at(a[0], a[1]))
		case 'L':
			p.lineTo(at(a[0], a[1]))
		case 'C':
			p.cubeTo(at(a[0], a[1]), at(a[2], a[3]), at(a[4], a[5]))
		}
	}
	return p
}
