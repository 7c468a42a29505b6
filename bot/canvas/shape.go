package canvas

import (
	"slices"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// point is a place in the picture, in 64ths of a pixel, from the top left corner.
type point = fixed.Point26_6

func pixels(x, y int) point { return fixed.P(x, y) }

// path is a list of closed lines. An area enclosed twice in the same direction is inside; an area enclosed once in each
// direction is a hole.
//
// Curves become straight lines here, in whole numbers: the rasterizer draws curves in floating point, which machines
// round differently.
type path [][]point

func (p *path) lineTo(a point) {
	last := len(*p) - 1
	(*p)[last] = append((*p)[last], a)
}

func (p *path) end() point {
	line := (*p)[len(*p)-1]
	return line[len(line)-1]
}

// steps is the number of straight lines for a curve. It is enough for smooth curves as short as ours.
const steps = 8

// quadTo draws a curve with one control point, as in TrueType letters.
func (p *path) quadTo(b, c point) {
	a := p.end()
	for i := 1; i <= steps; i++ {
		i := fixed.Int26_6(i)
		j := steps - i
		p.lineTo(point{
			X: (j*j*a.X + 2*i*j*b.X + i*i*c.X) / (steps * steps),
			Y: (j*j*a.Y + 2*i*j*b.Y + i*i*c.Y) / (steps * steps),
		})
	}
}

// cubeTo draws a curve with two control points.
func (p *path) cubeTo(b, c, d point) {
	a := p.end()
	for i := 1; i <= steps; i++ {
		i := fixed.Int26_6(i)
		j := steps - i
		p.lineTo(point{
			X: (j*j*j*a.X + 3*i*j*j*b.X + 3*i*i*j*c.X + i*i*i*d.X) / (steps * steps * steps),
			Y: (j*j*j*a.Y + 3*i*j*j*b.Y + 3*i*i*j*c.Y + i*i*i*d.Y) / (steps * steps * steps),
		})
	}
}

// outline returns the path of an outline, with each point moved by at.
func outline(segments sfnt.Segments, at func(point) point) path {
	var p path
	for _, s := range segments {
		a, b, c := at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p = append(p, []point{a})
		case sfnt.SegmentOpLineTo:
			p.lineTo(a)
		case sfnt.SegmentOpQuadTo:
			p.quadTo(a, b)
		case sfnt.SegmentOpCubeTo:
			p.cubeTo(a, b, c)
		}
	}
	return p
}

// Shape is a form in a square of 100 by 100, made of closed outlines that may overlap. All outlines must run clockwise.
// [From] starts a shape. Shapes are values: the methods leave them unchanged.
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

// Disc is a circle with its centre at x, y: four curves with control points at 0.5523 of the radius.
func Disc(x, y, r int) Shape {
	k := r * 5523 / 10000
	return From(x, y-r).Curve(x+k, y-r, x+r, y-k, x+r, y).Curve(x+r, y+k, x+k, y+r, x, y+r).
		Curve(x-k, y+r, x-r, y+k, x-r, y).Curve(x-r, y-k, x-k, y-r, x, y-r)
}
