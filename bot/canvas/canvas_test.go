package canvas

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

var white, black = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}, color.NRGBA{A: 0xFF}

// covered returns the smallest rectangle round all pixels that are not white.
func covered(c *Canvas) image.Rectangle {
	var r image.Rectangle
	for y := range c.Bounds().Dy() {
		for x := range c.Bounds().Dx() {
			if c.image.At(x, y) != color.Color(white) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// TestAlign: a text keeps to its side of the point, and to its width.
func TestAlign(t *testing.T) {
	for align, want := range []image.Rectangle{Left: image.Rect(100, 0, 200, 50), Centre: image.Rect(50, 0, 150, 50), Right: image.Rect(0, 0, 101, 50)} {
		c := New(200, 50, white)
		width := c.Text(Align(align), image.Pt(100, 35), 30, 100, black, "Hello")
		r := covered(c)
		if !r.In(want) || r.Dx() > width+1 || r.Dx() < width-8 || r.Max.Y > 37 {
			t.Errorf("alignment %d: the text covers %v and says it is %d wide", align, r, width)
		}
		if got := c.TextWidth("Hello", 30); got != width {
			t.Errorf("the width is %d, drawn %d", got, width)
		}
	}
}

// TestRoom: a text that is too wide ends within the room.
func TestRoom(t *testing.T) {
	for _, text := range []string{"W", strings.Repeat("i", 500), "漢字\x00\xff"} {
		c := New(300, 50, white)
		if width := c.Text(Left, image.Pt(0, 35), 30, 90, black, text); width > 90 || covered(c).Max.X > 91 {
			t.Errorf("%q is %d wide and covers %v", text, width, covered(c))
		}
	}
}

// TestFont reads every letter of the font. Missing letters are left out.
func TestFont(t *testing.T) {
	c := New(20, 20, white)
	for r := range rune(1 << 16) {
		c.Text(Centre, image.Pt(10, 15), 10, 20, black, string(r))
	}
}

// TestPlainLetters: a letter that the font lacks is written as the one it's made from; an accent of its own joins its
// letter.
func TestPlainLetters(t *testing.T) {
	for text, plain := range map[string]string{"Nguyễn": "Nguyen", "𝓛𝓾𝓷𝓪 ✨": "Luna ", "\uFF3Aoe\u0308": "Zoë", "漢字": ""} {
		got, want := New(300, 50, white), New(300, 50, white)
		got.Text(Left, image.Pt(0, 35), 30, 300, black, text)
		want.Text(Left, image.Pt(0, 35), 30, 300, black, plain)
		if !bytes.Equal(got.image.Pix, want.image.Pix) || Writes(text) != (plain != "") {
			t.Errorf("%q is not written as %q, or said to be written: %t", text, plain, Writes(text))
		}
	}
}

func TestCopy(t *testing.T) {
	c, want := New(40, 40, white), New(40, 40, white)
	c.Rounded(image.Rect(2, 2, 12, 22), 4, black)
	c.Copy(image.Pt(20, 10), image.Rect(2, 2, 12, 22))
	want.Rounded(image.Rect(2, 2, 12, 22), 4, black)
	want.Rounded(image.Rect(20, 10, 30, 30), 4, black)
	if !bytes.Equal(c.image.Pix, want.image.Pix) {
		t.Error("a copy is not what was drawn")
	}
}

// TestOutside: drawings outside the canvas are left out.
func TestOutside(t *testing.T) {
	c := New(20, 20, white)
	c.Box(image.Rect(-10, 30, 50, 60), black)
	c.Text(Left, image.Pt(-300, 10), 20, 500, black, "Hello")
	if r := covered(c); !r.Empty() {
		t.Errorf("drawn at %v", r)
	}
	c.Box(image.Rect(-10, -10, 50, 60), black)
	if r := covered(c); r != c.Bounds() {
		t.Errorf("drawn at %v, want everything", r)
	}
}

// TestPNG: the file can be read again.
func TestPNG(t *testing.T) {
	c := New(30, 20, white)
	c.Rounded(image.Rect(2, 2, 28, 18), 5, black)
	picture, err := png.Decode(bytes.NewReader(c.PNG()))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 20 {
		for x := range 30 {
			if got, want := color.NRGBAModel.Convert(picture.At(x, y)), c.image.At(x, y); got != want {
				t.Fatalf("%d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestMix(t *testing.T) {
	for _, c := range []struct {
		name        string
		under, over color.NRGBA
		part        int
		want        color.NRGBA
	}{
		{"nothing", black, white, 0, black},
		{"all", black, white, levels, white},
		{"half", black, white, levels / 2, color.NRGBA{0x80, 0x80, 0x80, 0xFF}},
		{"over nothing", color.NRGBA{}, white, levels / 2, color.NRGBA{0xFF, 0xFF, 0xFF, 0x7F}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mix(c.under, c.over, c.part); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestFullPalette: a full palette gives the nearest colour.
func TestFullPalette(t *testing.T) {
	c := New(10, 10, white)
	for i := 1; i < 256; i++ {
		c.index(color.NRGBA{uint8(i), 0xFF, 0, 0xFF})
	}
	if got := c.index(color.NRGBA{100, 0xFE, 0, 0xFF}); got != 100 || len(c.image.Palette) != 256 {
		t.Errorf("place %d of %d colours, want 100 of 256", got, len(c.image.Palette))
	}
}
