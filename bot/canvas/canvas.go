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

// Canvas is a picture in the making. It has a palette, which takes a fraction of the memory and time of full colour.
// Colours join the palette when they are first drawn, those at the edges of shapes too. A Canvas is not safe for
// concurrent use.
type Canvas struct {
	image  *image.Paletted
	inks   map[color.NRGBA]*ink
	font   sfnt.Buffer
	raster vector.Rasterizer
	mask   image.Alpha
}

// ink is a colour to draw with, by its palette index. Mixed caches the indexes of its mixtures by the palette index
// below and the share of ink. 0 is unknown.
type ink struct {
	index uint8
	mixed [256][levels]uint8
}

// New returns a canvas of this size in pixels, filled with a colour.
func New(width, height int, ground color.NRGBA) *Canvas {
	return &Canvas{
		image: image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{ground}),
		inks:  map[color.NRGBA]*ink{},
	}
}

func (c *Canvas) ink(colour color.NRGBA) *ink {
	if c.inks[colour] == nil {
		c.inks[colour] = &ink{index: c.index(colour)}
	}
	return c.inks[colour]
}

// Bounds returns the whole canvas. Its top left corner is at 0, 0.
func (c *Canvas) Bounds() image.Rectangle { return c.image.Rect }

// Box fills a rectangle, in pixels.
func (c *Canvas) Box(r image.Rectangle, with color.NRGBA) {
	r = r.Intersect(c.image.Rect)
	ink := c.ink(with)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.image.Pix[c.image.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = ink.index
		}
	}
}

// Copy copies what is drawn in a rectangle to another place, given by its top left corner. Both must be in the canvas.
func (c *Canvas) Copy(to image.Point, r image.Rectangle) {
	for y := range r.Dy() {
		copy(c.image.Pix[c.image.PixOffset(to.X, to.Y+y):], c.image.Pix[c.image.PixOffset(r.Min.X, r.Min.Y+y):][:r.Dx()])
	}
}

// Rounded fills a rectangle with corners rounded by this radius, in pixels. Half of its width makes a circle.
func (c *Canvas) Rounded(r image.Rectangle, radius int, with color.NRGBA) {
	if 2*radius >= r.Dx()-1 {
		c.Shape(Circle, r.Min.Add(r.Max).Div(2), r.Dx(), with)
		return
	}
	c.Box(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), with)
	c.Box(image.Rect(r.Min.X, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), with)
	inner := r.Inset(radius)
	for _, corner := range [...]image.Point{inner.Min, inner.Max, {inner.Min.X, inner.Max.Y}, {inner.Max.X, inner.Min.Y}} {
		c.Shape(Circle, corner, 2*radius, with)
	}
}

// Shape fills a shape in a square of this size, in pixels, with its centre at the point. The size must be less than
// 512.
func (c *Canvas) Shape(s Shape, centre image.Point, size int, with color.NRGBA) {
	c.fill(s, pixels(centre.X-size/2, centre.Y-size/2), fixed.Int26_6(size), with)
}

// fill fills the shape, moved by this much and this large, in hundredths. It must be smaller than 512 pixels: up to that
// size, the rasterizer calculates in whole numbers. It rounds lines between points in 64ths of a pixel, like ours, the
// same on every machine.
func (c *Canvas) fill(s Shape, by point, size fixed.Int26_6, with color.NRGBA) {
	at := func(a point) point { return point{X: a.X*size/100 + by.X, Y: a.Y*size/100 + by.Y} }
	var bounds fixed.Rectangle26_6
	for _, outline := range s {
		for _, a := range outline {
			bounds = bounds.Union(fixed.Rectangle26_6{Min: at(a), Max: at(a).Add(point{X: 1, Y: 1})})
		}
	}
	area := image.Rect(bounds.Min.X.Floor(), bounds.Min.Y.Floor(), bounds.Max.X.Ceil(), bounds.Max.Y.Ceil())
	visible := area.Intersect(c.image.Rect)
	if visible.Empty() {
		return
	}
	c.raster.Reset(area.Dx(), area.Dy())
	c.raster.DrawOp = draw.Src
	by = by.Sub(pixels(area.Min.X, area.Min.Y))
	for _, outline := range s {
		for i, a := range outline {
			if a = at(a); i == 0 {
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
	c.mask.Stride, c.mask.Rect = area.Dx(), image.Rectangle{Max: area.Size()}
	c.raster.Draw(&c.mask, c.mask.Rect, image.Opaque, image.Point{})
	ink := c.ink(with)
	for y := visible.Min.Y; y < visible.Max.Y; y++ {
		row := c.image.Pix[c.image.PixOffset(visible.Min.X, y):][:visible.Dx()]
		covered := c.mask.Pix[(y-area.Min.Y)*area.Dx()+visible.Min.X-area.Min.X:]
		for x := range row {
			part := (int(covered[x])*levels + 127) / 255
			switch pixel := &row[x]; {
			case part == levels:
				*pixel = ink.index
			case part > 0:
				known := &ink.mixed[*pixel][part]
				if *known == 0 {
					*known = c.index(mix(c.image.Palette[*pixel].(color.NRGBA), with, part))
				}
				*pixel = *known
			}
		}
	}
}

// index returns the palette index of the colour or, in a full palette, of a similar one.
func (c *Canvas) index(want color.NRGBA) uint8 {
	i := c.image.Palette.Index(want)
	if c.image.Palette[i] != color.Color(want) && len(c.image.Palette) < 256 {
		c.image.Palette, i = append(c.image.Palette, want), len(c.image.Palette)
	}
	return uint8(i)
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
// room, in pixels, ends in an ellipsis. Letters missing in the font are written without their accents and ornaments, or
// left out: see [Writes]. Text returns the width in pixels.
func (c *Canvas) Text(align Align, at image.Point, size, room int, with color.NRGBA, text string) int {
	text = written(text)
	width := c.width(text, size)
	for letters := []rune(text); width > fixed.I(room) && len(letters) > 0; width = c.width(text, size) {
		letters = letters[:len(letters)-1]
		text = string(letters) + "…"
	}
	pen := pixels(at.X, at.Y).Sub(point{X: width / 2 * fixed.Int26_6(align)})
	for _, r := range text {
		c.fill(c.letter(r, size), pen, 100, with)
		pen.X += c.width(string(r), size)
	}
	return width.Ceil()
}

// TextWidth returns the width of a text in letters of this size, both in pixels.
func (c *Canvas) TextWidth(text string, size int) int { return c.width(written(text), size).Ceil() }

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
