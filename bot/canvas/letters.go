package canvas

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goBold is the one font, parsed when it is first needed. Concurrent use is fine with
// a buffer for each goroutine.
var goBold = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })

// letters sets text. It has a buffer, so it is not for concurrent use.
type letters struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
}

func newLetters() (*letters, error) {
	f, err := goBold()
	if err != nil {
		return nil, fmt.Errorf("reading the font: %w", err)
	}
	return &letters{font: f}, nil
}

// word is a text as a path for each letter. Its base line starts at 0, 0.
type word struct {
	letters []path
	width   fixed.Int26_6
}

// set returns the text in letters of this size, in pixels. A text wider than the room,
// in pixels, is cut and ends in an ellipsis. A letter that the font lacks becomes an
// empty box. An error would be a fault of the font.
func (l *letters) set(text string, size, room int) (word, error) {
	var dots, w, short word // short is the longest beginning that leaves room for the dots
	if err := l.add(&dots, '…', size); err != nil {
		return word{}, err
	}
	for _, r := range text {
		if w.width+dots.width <= fixed.I(room) {
			short = w
		}
		if err := l.add(&w, r, size); err != nil {
			return word{}, err
		}
		if w.width > fixed.I(room) {
			err := l.add(&short, '…', size)
			return short, err
		}
	}
	return w, nil
}

// add appends a letter to the word.
func (l *letters) add(w *word, r rune, size int) error {
	glyph, err := l.font.GlyphIndex(&l.buffer, r)
	if err != nil {
		return fmt.Errorf("looking for the letter %q: %w", r, err)
	}
	advance, err := l.font.GlyphAdvance(&l.buffer, glyph, fixed.I(size), font.HintingNone)
	if err != nil {
		return fmt.Errorf("measuring the letter %q: %w", r, err)
	}
	segments, err := l.font.LoadGlyph(&l.buffer, glyph, fixed.I(size), nil)
	if err != nil {
		return fmt.Errorf("drawing the letter %q: %w", r, err)
	}
	w.letters = append(w.letters, outline(segments, point{X: w.width}))
	w.width += advance
	return nil
}
