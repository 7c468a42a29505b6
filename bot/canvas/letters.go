package canvas

import (
	"fmt"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// goBold is the one font, parsed at its first use. It is safe for concurrent use with a buffer for each goroutine.
var goBold = sync.OnceValue(func() *sfnt.Font { return must(sfnt.Parse(gobold.TTF)) })

// must panics at a fault of the font. The font is inside the program, and a test reads all of it.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("canvas: a fault of the font: %v", err))
	}
	return v
}

// written returns the letters of the text that the font has, and the plain ones that others are made from.
func written(text string) string {
	var buffer sfnt.Buffer
	has := func(r rune) bool { return must(goBold().GlyphIndex(&buffer, r)) != 0 }
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		if has(r) {
			b.WriteRune(r)
			continue
		}
		for _, plain := range norm.NFKD.String(string(r)) {
			if has(plain) {
				b.WriteRune(plain)
			}
		}
	}
	return b.String()
}

// Writes reports whether the font has at least one letter of the text, or one without its accents and ornaments.
func Writes(text string) bool { return strings.TrimSpace(written(text)) != "" }

// width returns the width of a text in letters of this size, in pixels. The font must have all of them.
func (c *Canvas) width(text string, size int) (width fixed.Int26_6) {
	for _, r := range text {
		glyph := must(goBold().GlyphIndex(&c.font, r))
		width += must(goBold().GlyphAdvance(&c.font, glyph, fixed.I(size), font.HintingNone))
	}
	return width
}

// letter returns a letter of this size, in pixels. Its base line starts at 0, 0.
func (c *Canvas) letter(r rune, size int) (letter Shape) {
	for _, s := range must(goBold().LoadGlyph(&c.font, must(goBold().GlyphIndex(&c.font, r)), fixed.I(size), nil)) {
		if s.Op == sfnt.SegmentOpMoveTo {
			letter = append(letter, s.Args[:1])
		} else {
			letter.to(s.Args[:s.Op]...) // an operation has as many points as its number
		}
	}
	return letter
}
