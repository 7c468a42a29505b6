package picture

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// canvas is a picture in the making. It has a palette from the beginning, since a
// picture of few colours takes a fraction of the room and the time; the colours at
// the edges of shapes join the palette as they are needed. Not for concurrent use.
type canvas struct {
	image   *image.Paletted
	letters *letters
	err     error // the first fault in drawing text
	raster  vector.Rasterizer
	mask    image.Alpha
	// mixed has the places in the palette of colours that were mixed before: by
	// what is below, which ink and how much of it. 0 is none, since no mixture is
	// [nothing].
	mixed [256][inks][levels]uint8
}

func newCanvas(width, height int) (*canvas, error) {
	l, err := newLetters()
	if err != nil {
		return nil, err
	}
	c := &canvas{letters: l}
	palette := make(color.Palette, inks, 256)
	for i, colour := range colours {
		palette[i] = colour
	}
	c.image = image.NewPaletted(image.Rect(0, 0, width, height), palette)
	return c, nil
}

// box fills a rectangle, in pixels.
func (c *canvas) box(r image.Rectangle, with ink) {
	r = r.Intersect(c.image.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.image.Pix[c.image.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = uint8(with)
		}
	}
}

// plate fills a rectangle whose corners are rounded with this radius, in pixels.
func (c *canvas) plate(r image.Rectangle, radius int, with ink) {
	c.box(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), with)
	c.box(image.Rect(r.Min.X, r.Min.Y+radius, r.Min.X+radius, r.Max.Y-radius), with)
	c.box(image.Rect(r.Max.X-radius, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), with)
	for _, corner := range [...]struct{ x, y, left, up int }{
		{r.Min.X + radius, r.Min.Y + radius, 1, 1}, {r.Max.X - radius, r.Min.Y + radius, -1, 1},
		{r.Max.X - radius, r.Max.Y - radius, -1, -1}, {r.Min.X + radius, r.Max.Y - radius, 1, -1},
	} {
		// A quarter of a circle round the point, its control points at 0.5523.
		at := func(left, up int) point {
			return pixels(corner.x, corner.y).Add(point{
				X: -fixed.Int26_6(corner.left * left * radius * 64 / 10000), Y: -fixed.Int26_6(corner.up * up * radius * 64 / 10000)})
		}
		var p path
		p.moveTo(at(0, 0))
		p.lineTo(at(10000, 0))
		p.cubeTo(at(10000, 5523), at(5523, 10000), at(0, 10000))
		c.fill(p, point{}, with)
	}
}

// fill fills the path, moved by this much. It must be smaller than 512 pixels: the
// rasterizer calculates in whole numbers up to there, and lines from points in
// 64ths of a pixel, as all are here, without rounding that differs by machine.
func (c *canvas) fill(p path, by point, with ink) {
	var bounds fixed.Rectangle26_6
	for _, closed := range p {
		for _, a := range closed {
			bounds = bounds.Union(fixed.Rectangle26_6{Min: a, Max: a.Add(point{X: 1, Y: 1})})
		}
	}
	if bounds.Empty() {
		return
	}
	area := image.Rect(bounds.Min.Add(by).X.Floor(), bounds.Min.Add(by).Y.Floor(),
		bounds.Max.Add(by).X.Ceil(), bounds.Max.Add(by).Y.Ceil())
	c.raster.Reset(area.Dx(), area.Dy())
	c.raster.DrawOp = draw.Src
	from := by.Sub(pixels(area.Min.X, area.Min.Y))
	for _, closed := range p {
		for i, a := range closed {
			a = a.Add(from)
			if i == 0 {
				c.raster.MoveTo(float32(a.X)/64, float32(a.Y)/64)
			} else {
				c.raster.LineTo(float32(a.X)/64, float32(a.Y)/64)
			}
		}
		c.raster.ClosePath()
	}
	if n := area.Dx() * area.Dy(); n > len(c.mask.Pix) {
		c.mask.Pix = make([]uint8, n)
	}
	c.mask.Stride, c.mask.Rect = area.Dx(), image.Rect(0, 0, area.Dx(), area.Dy())
	c.raster.Draw(&c.mask, c.mask.Rect, image.Opaque, image.Point{})
	for y := range area.Dy() {
		for x := range area.Dx() {
			if part := (int(c.mask.Pix[y*c.mask.Stride+x])*levels + 127) / 255; part > 0 {
				c.dot(area.Min.X+x, area.Min.Y+y, with, part)
			}
		}
	}
}

// dot covers a part of levels of a pixel with ink.
func (c *canvas) dot(x, y int, with ink, part int) {
	if !(image.Point{X: x, Y: y}).In(c.image.Rect) {
		return
	}
	pixel := &c.image.Pix[c.image.PixOffset(x, y)]
	if part == levels || *pixel == uint8(with) {
		*pixel = uint8(with)
		return
	}
	known := &c.mixed[*pixel][with][part]
	if *known == 0 {
		*known = c.colour(mix(c.image.Palette[*pixel].(color.NRGBA), colours[with], part))
	}
	*pixel = *known
}

// colour returns the place of the colour in the palette, or of one much like it where
// the palette is full.
func (c *canvas) colour(want color.NRGBA) uint8 {
	for i, has := range c.image.Palette {
		if has == color.Color(want) {
			return uint8(i)
		}
	}
	if len(c.image.Palette) < 256 {
		c.image.Palette = append(c.image.Palette, want)
		return uint8(len(c.image.Palette) - 1)
	}
	return uint8(c.image.Palette.Index(want))
}

// side is where a text stands beside its point.
type side int

const (
	rightOf side = iota // begins there
	round
	leftOf // ends there
)

// text writes a text in letters of this size, in pixels, on a base line through the
// point. It returns how wide it is. What has no room, in pixels, is left out.
func (c *canvas) text(s side, at image.Point, size, room int, with ink, text string) int {
	w := c.set(text, size, room)
	from := pixels(at.X, at.Y).Sub(point{X: w.width / 2 * fixed.Int26_6(s)})
	for _, letter := range w.letters {
		c.fill(letter, from, with)
	}
	return w.width.Ceil()
}

// width returns how wide a text of this size is, in pixels.
func (c *canvas) width(text string, size int) int { return c.set(text, size, Width).width.Ceil() }

func (c *canvas) set(text string, size, room int) word {
	w, err := c.letters.set(text, size, room)
	if err != nil && c.err == nil {
		c.err = err
	}
	return w
}

// shape fills a shape in a square of this size round the point.
func (c *canvas) shape(s shape, centre image.Point, size int, with ink) {
	c.fill(s.path(centre.X-size/2, centre.Y-size/2, size), point{}, with)
}

// packing writes PNG files; with best speed they take a little more room in half the
// time.
var packing = png.Encoder{CompressionLevel: png.BestSpeed}

func (c *canvas) write(w io.Writer) error { return packing.Encode(w, c.image) }
