package picture

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goBold is the one font, read when it is first needed. It may be used by many at a
// time, each with a buffer of its own.
var goBold = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })

// letters draws text with a buffer of its own; not for concurrent use.
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

// word is a text as one path for each letter, from 0, 0 on the base line, and how
// wide it is.
type word struct {
	letters []path
	width   fixed.Int26_6
}

// set returns the text in letters of this size in pixels. Of a text that is wider
// than the room, in pixels, it is the beginning, and an ellipsis. A letter that the
// font lacks is an empty box. An error would be a fault of the font.
func (l *letters) set(text string, size, room int) (word, error) {
	var dots, w, short word // short is the beginning beside which the dots have room
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

// add puts one more letter at the end of the word.
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
