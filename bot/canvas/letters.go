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

// letters sets text. Its buffer is not safe for concurrent use.
type letters struct{ buffer sfnt.Buffer }

// word is a text as a path for each letter. Its base line starts at 0, 0.
type word struct {
	letters []path
	width   fixed.Int26_6
}

// set returns the text in letters of this size, in pixels. A text wider than the room, in pixels, ends in an ellipsis.
// Letters missing in the font are written without their accents and ornaments, or left out: see [Writes].
func (l *letters) set(text string, size, room int) word {
	var dots, w, short word // short is the longest beginning that leaves room for the dots
	l.add(&dots, '…', size)
	for _, r := range norm.NFC.String(text) {
		if w.width+dots.width <= fixed.I(room) {
			short = w
		}
		l.add(&w, r, size)
		if w.width > fixed.I(room) {
			l.add(&short, '…', size)
			return short
		}
	}
	return w
}

// Writes reports whether the font has at least one letter of the text, or one without its accents and ornaments.
func Writes(text string) bool {
	var b sfnt.Buffer
	return strings.ContainsFunc(norm.NFKD.String(text), func(r rune) bool { return r != ' ' && must(goBold().GlyphIndex(&b, r)) != 0 })
}

func (l *letters) add(w *word, r rune, size int) {
	glyph := must(goBold().GlyphIndex(&l.buffer, r))
	if glyph == 0 {
		if plain := norm.NFKD.String(string(r)); plain != string(r) {
			for _, r := range plain {
				l.add(w, r, size)
			}
		}
		return
	}
	segments := must(goBold().LoadGlyph(&l.buffer, glyph, fixed.I(size), nil))
	w.letters = append(w.letters, outline(segments, point{X: w.width}.Add))
	w.width += must(goBold().GlyphAdvance(&l.buffer, glyph, fixed.I(size), font.HintingNone))
}
