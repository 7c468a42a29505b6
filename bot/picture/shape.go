package picture

import (
	"golang.org/x/image/math/fixed"

	"fivefold/game/pokle"
)

// shape is a figure in a square of 100 by 100: lines that begin with M x y, go on by
// L x y, or by C and two control points before x y, and are closed. All lines of a
// shape run clockwise, so that they may overlap.
type shape []stroke

type stroke struct {
	kind byte // M, L or C
	at   [6]int
}

func move(x, y int) stroke                 { return stroke{'M', [6]int{x, y}} }
func line(x, y int) stroke                 { return stroke{'L', [6]int{x, y}} }
func bend(bx, by, cx, cy, x, y int) stroke { return stroke{'C', [6]int{bx, by, cx, cy, x, y}} }

// disc is a circle: four curves, whose control points are at 0.5523 of the radius.
func disc(x, y, r int) shape {
	k := r * 5523 / 10000
	return shape{
		move(x, y-r), bend(x+k, y-r, x+r, y-k, x+r, y), bend(x+r, y+k, x+k, y+r, x, y+r),
		bend(x-k, y+r, x-r, y+k, x-r, y), bend(x-r, y-k, x-k, y-r, x, y-r),
	}
}

func join(shapes ...shape) shape {
	var all shape
	for _, s := range shapes {
		all = append(all, s...)
	}
	return all
}

// suitShapes are the suits, by suit.
var suitShapes = [...]shape{
	pokle.Clubs: join(disc(50, 26, 23), disc(26, 60, 23), disc(74, 60, 23),
		shape{move(50, 36), line(66, 58), line(34, 58)},
		shape{move(45, 50), line(55, 50), bend(55, 78, 58, 90, 70, 98), line(30, 98), bend(42, 90, 45, 78, 45, 50)}),
	pokle.Diamonds: {move(50, 1), bend(60, 19, 73, 36, 88, 50), bend(73, 64, 60, 81, 50, 99),
		bend(40, 81, 27, 64, 12, 50), bend(27, 36, 40, 19, 50, 1)},
	pokle.Hearts: {move(50, 22), bend(54, 10, 63, 4, 73, 4), bend(86, 4, 97, 14, 97, 30),
		bend(97, 52, 70, 68, 50, 97), bend(30, 68, 3, 52, 3, 30), bend(3, 14, 14, 4, 27, 4), bend(37, 4, 46, 10, 50, 22)},
	pokle.Spades: {move(50, 2), bend(66, 30, 97, 42, 97, 64), bend(97, 77, 87, 84, 76, 84), bend(67, 84, 60, 80, 55, 73),
		bend(56, 84, 60, 92, 69, 98), line(31, 98), bend(40, 92, 44, 84, 45, 73),
		bend(40, 80, 33, 84, 24, 84), bend(13, 84, 3, 77, 3, 64), bend(3, 42, 34, 30, 50, 2)},
}

// markShapes are the signs of the marks: a tick, a wave and a dot.
var markShapes = [...]shape{
	pokle.Green: {move(6, 54), line(23, 37), line(41, 55), line(77, 13), line(95, 29), line(42, 89)},
	pokle.Yellow: {move(3, 58), bend(10, 34, 30, 24, 50, 42), bend(64, 55, 74, 54, 80, 37), line(97, 43),
		bend(90, 70, 66, 76, 48, 60), bend(36, 50, 26, 50, 20, 64)},
	pokle.Grey: disc(50, 50, 17),
}

// medalShapes are those of the first, second and third place: a star, a circle and
// a square that is cut at the corners.
var medalShapes = [...]shape{
	1: {move(50, 0), line(62, 13), line(79, 9), line(83, 26), line(98, 36), line(91, 52), line(97, 69), line(81, 76),
		line(76, 93), line(59, 90), line(50, 100), line(41, 90), line(24, 93), line(19, 76), line(3, 69), line(9, 52),
		line(2, 36), line(17, 26), line(21, 9), line(38, 13)},
	2: disc(50, 50, 45),
	3: {move(24, 9), line(76, 9), line(91, 24), line(91, 76), line(76, 91), line(24, 91), line(9, 76), line(9, 24)},
}

// path returns the shape in a square of this size, in pixels, from x, y.
func (s shape) path(x, y, size int) path {
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
