package canvas

import (
	"slices"

	"golang.org/x/image/font/sfnt"
)

// Shape is a form in a square of 100 by 100, made of closed outlines that may
// overlap. All outlines must run clockwise. [From] starts one; shapes are values, which
// the methods leave as they are.
type Shape sfnt.Segments

// From starts an outline at x, y.
func From(x, y int) Shape { return Shape(nil).add(sfnt.SegmentOpMoveTo, x, y) }

// Line adds a straight line to x, y.
func (s Shape) Line(x, y int) Shape { return s.add(sfnt.SegmentOpLineTo, x, y) }

// Curve adds a cubic Bézier curve to x, y with two control points.
func (s Shape) Curve(x1, y1, x2, y2, x, y int) Shape {
	return s.add(sfnt.SegmentOpCubeTo, x1, y1, x2, y2, x, y)
}

func (s Shape) add(op sfnt.SegmentOp, numbers ...int) Shape {
	next := sfnt.Segment{Op: op}
	for i := 0; i < len(numbers); i += 2 {
		next.Args[i/2] = pixels(numbers[i], numbers[i+1])
	}
	return append(slices.Clip(s), next)
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
