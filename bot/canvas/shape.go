package canvas

import (
	"slices"

	"golang.org/x/image/math/fixed"
)

// point is a place in the picture, in 64ths of a pixel, from the top left corner.
type point = fixed.Point26_6

func pixels(x, y int) point { return fixed.P(x, y) }

// Shape is a form in a square of 100 by 100, made of closed outlines that may overlap. All outlines must run clockwise;
// one that runs the other way is a hole. [From] starts a shape, whose methods add to it and return it.
//
// Curves become straight lines here, in whole numbers: the rasterizer draws curves in floating point, which machines
// round differently.
type Shape [][]point

// From starts an outline at x, y.
func From(x, y int) Shape { return Shape{{pixels(x, y)}} }

// Line adds a straight line to x, y.
func (s Shape) Line(x, y int) Shape { return s.to(pixels(x, y)) }

// Curve adds a cubic Bézier curve to x, y with two control points.
func (s Shape) Curve(x1, y1, x2, y2, x, y int) Shape {
	return s.to(pixels(x1, y1), pixels(x2, y2), pixels(x, y))
}

// to adds a line, or a Bézier curve whose last point is its end. Eight straight lines are enough for smooth curves as
// short as ours.
func (s Shape) to(points ...point) Shape {
	outline := s[len(s)-1]
	start, steps := outline[len(outline)-1], fixed.Int26_6(8)
	if len(points) == 1 {
		steps = 1
	}
	for i := fixed.Int26_6(1); i <= steps; i++ {
		// Between each two points, the point at i of steps; and so on between those, up to a single one.
		p, whole := [4]point{start}, fixed.Int26_6(1)
		copy(p[1:], points)
		for n := range len(points) {
			for k := range len(points) - n {
				p[k] = point{X: p[k].X*(steps-i) + p[k+1].X*i, Y: p[k].Y*(steps-i) + p[k+1].Y*i}
			}
			whole *= steps
		}
		outline = append(outline, point{X: p[0].X / whole, Y: p[0].Y / whole})
	}
	s[len(s)-1] = outline
	return s
}

// Join returns a shape with the outlines of all these shapes.
func Join(shapes ...Shape) Shape { return slices.Concat(shapes...) }

// Disc is a circle with its centre at x, y: four curves with control points at 0.5523 of the radius.
func Disc(x, y, r int) Shape {
	at := func(right, down int) point {
		return pixels(x, y).Add(point{X: fixed.Int26_6(right * r * 64 / 10000), Y: fixed.Int26_6(down * r * 64 / 10000)})
	}
	return From(x, y-r).to(at(5523, -10000), at(10000, -5523), at(10000, 0)).to(at(10000, 5523), at(5523, 10000), at(0, 10000)).
		to(at(-5523, 10000), at(-10000, 5523), at(-10000, 0)).to(at(-10000, -5523), at(-5523, -10000), at(0, -10000))
}

// Circle fills the square.
var Circle = Disc(50, 50, 50)
