// Package canvas draws pictures: boxes, shapes and text in a few colours, written as a PNG file.
//
// A drawing depends on its arguments only; the font is inside the program. All calculations give the same result on
// every machine, so the same drawing has the same pixels everywhere. The bytes of the file also depend on the release
// of Go, which compresses them.
package canvas

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Ink is a colour to draw with: an index into the colours given to [New].
type Ink uint8

// Canvas is a picture in the making. It has a palette, which takes a fraction of the memory and time of full colour.
// The colours at the edges of shapes join the palette when they are first needed. A Canvas is not safe for concurrent
// use.
type Canvas struct {
	image   *image.Paletted
	colours []color.NRGBA
	letters letters
	raster  vector.Rasterizer
	mask    image.Alpha
	// mixed caches the palette indexes of mixed colours by ink, palette index below, and share of ink. 0 is unknown.
	mixed [][256][levels]uint8
}

// New returns a canvas of this size in pixels, filled with the first of 1 to 255 colours.
func New(width, height int, colours []color.NRGBA) *Canvas {
	palette := make(color.Palette, len(colours), 256)
	for i, colour := range colours {
		palette[i] = colour
	}
	return &Canvas{
		image:   image.NewPaletted(image.Rect(0, 0, width, height), palette),
		colours: colours,
		mixed:   make([][256][levels]uint8, len(colours)),
	}
}

// Bounds returns the whole canvas. Its top left corner is at 0, 0.
func (c *Canvas) Bounds() image.Rectangle { return c.image.Rect }

// Box fills a rectangle, in pixels.
func (c *Canvas) Box(r image.Rectangle, with Ink) {
	r = r.Intersect(c.image.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.image.Pix[c.image.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = uint8(with)
		}
	}
}

// Copy copies what is drawn in a rectangle to another place, given by its top left corner. Both must be in the canvas.
func (c *Canvas) Copy(to image.Point, r image.Rectangle) {
	for y := range r.Dy() {
		copy(c.image.Pix[c.image.PixOffset(to.X, to.Y+y):], c.image.Pix[c.image.PixOffset(r.Min.X, r.Min.Y+y):][:r.Dx()])
	}
}

// Rounded fills a rectangle with corners rounded by this radius, in pixels.
func (c *Canvas) Rounded(r image.Rectangle, radius int, with Ink) {
	c.Box(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), with)
	c.Box(image.Rect(r.Min.X, r.Min.Y+radius, r.Min.X+radius, r.Max.Y-radius), with)
	c.Box(image.Rect(r.Max.X-radius, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), with)
	for _, corner := range [...]struct{ x, y, left, up int }{
		{r.Min.X + radius, r.Min.Y + radius, 1, 1}, {r.Max.X - radius, r.Min.Y + radius, -1, 1},
		{r.Max.X - radius, r.Max.Y - radius, -1, -1}, {r.Min.X + radius, r.Max.Y - radius, 1, -1},
	} {
		// A quarter of a circle round the point, its control points at 0.5523.
		at := func(left, up int) point {
			return pixels(corner.x, corner.y).Add(point{
				X: -fixed.Int26_6(corner.left * left * radius * 64 / 10000), Y: -fixed.Int26_6(corner.up * up * radius * 64 / 10000)})
		}
		p := path{{at(0, 0), at(10000, 0)}}
		p.cubeTo(at(10000, 5523), at(5523, 10000), at(0, 10000))
		c.fill(p, point{}, with)
	}
}

// Shape fills a shape in a square of this size, in pixels, with its centre at the point. The size must be less than
// 512.
func (c *Canvas) Shape(s Shape, centre image.Point, size int, with Ink) {
	corner := pixels(centre.X-size/2, centre.Y-size/2)
	c.fill(outline(sfnt.Segments(s), func(p point) point {
		return corner.Add(point{X: p.X * fixed.Int26_6(size) / 100, Y: p.Y * fixed.Int26_6(size) / 100})
	}), point{}, with)
}

// fill fills the path, moved by this much. The path must be smaller than 512 pixels: up to that size, the rasterizer
// calculates in whole numbers. It rounds lines between points in 64ths of a pixel, like ours, the same on every
// machine.
func (c *Canvas) fill(p path, by point, with Ink) {
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

// dot covers part/levels of a pixel with ink.
func (c *Canvas) dot(x, y int, with Ink, part int) {
	if !(image.Point{X: x, Y: y}).In(c.image.Rect) {
		return
	}
	pixel := &c.image.Pix[c.image.PixOffset(x, y)]
	if part == levels || *pixel == uint8(with) {
		*pixel = uint8(with)
		return
	}
	known := &c.mixed[with][*pixel][part]
	if *known == 0 {
		*known = c.index(mix(c.image.Palette[*pixel].(color.NRGBA), c.colours[with], part))
	}
	*pixel = *known
}

// index returns the palette index of the colour or, in a full palette, of a similar one.
func (c *Canvas) index(want color.NRGBA) uint8 {
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

// levels is the number of steps between two colours at the edge of a shape. More would overflow a palette of 256; fewer
// would be visible.
const levels = 8

// mix returns the colour of a pixel covered by over for part/levels, and by under for the rest.
func mix(under, over color.NRGBA, part int) color.NRGBA {
	if under.A == 0 {
		over.A = uint8(int(over.A) * part / levels)
		return over
	}
	between := func(a, b uint8) uint8 {
		return uint8((int(a)*(levels-part) + int(b)*part + levels/2) / levels)
	}
	return color.NRGBA{between(under.R, over.R), between(under.G, over.G), between(under.B, over.B), between(under.A, over.A)}
}

// Align says which part of a text is at its point.
type Align int

const (
	Left   Align = iota // starts at the point
	Centre              // has its middle at the point
	Right               // ends at the point
)

// Text writes a text with its base line through the point, in letters of this size, in pixels. A text wider than the
// room, in pixels, ends in an ellipsis. Text returns the width in pixels.
func (c *Canvas) Text(align Align, at image.Point, size, room int, with Ink, text string) int {
	w := c.letters.set(text, size, room)
	from := pixels(at.X, at.Y).Sub(point{X: w.width / 2 * fixed.Int26_6(align)})
	for _, letter := range w.letters {
		c.fill(letter, from, with)
	}
	return w.width.Ceil()
}

// unlimited is more room, in pixels, than any text needs.
const unlimited = 1 << 20

// TextWidth returns the width of a text in letters of this size, both in pixels.
func (c *Canvas) TextWidth(text string, size int) int {
	return c.letters.set(text, size, unlimited).width.Ceil()
}

// encoder makes files a little larger than the default one, in half the time.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}

// buffers keeps the memory for encoding a picture, most of a megabyte, for the next picture.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	buffer, _ := b.pool.Get().(*png.EncoderBuffer)
	return buffer
}

func (b *buffers) Put(buffer *png.EncoderBuffer) { b.pool.Put(buffer) }

// PNG returns the picture as a PNG file.
func (c *Canvas) PNG() []byte {
	var b bytes.Buffer
	_ = encoder.Encode(&b, c.image) // writing to memory can't fail
	return b.Bytes()
}
