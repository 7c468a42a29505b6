package bot

import (
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/game/marks"
)

// Look is the style of tiles and pictures. The zero Look is the standard one, used in replies for several players.
type Look struct {
	Colours Colours
	Shapes  Shapes
	// Text puts tiles and pictures into words, for players who use a screen reader.
	Text bool
}

// Colours are the colours of the marks.
type Colours uint8

const (
	StandardColours Colours = iota // green and yellow
	ContrastColours                // orange and blue
)

// Shapes are the shapes of tiles.
type Shapes uint8

const (
	TileShapes   Shapes = iota // a tile with its letter or card, where a front can draw it; otherwise like SquareShapes
	SquareShapes               // a square; the letters or cards follow the row
	SignShapes                 // like SquareShapes, with emojis that differ even without colour
)

// squares are the emojis by colours and mark. The black one has a dark and a light part, so that it is visible on every
// background.
var squares = [...][3]string{
	StandardColours: {marks.Black: "🔳", marks.Yellow: "🟨", marks.Green: "🟩"},
	ContrastColours: {marks.Black: "🔳", marks.Yellow: "🟦", marks.Green: "🟧"},
}

// Square returns the emoji for a mark.
func (l Look) Square(m marks.Mark) string {
	if l.Shapes == SignShapes && m == marks.Yellow {
		return [...]string{StandardColours: "🟡", ContrastColours: "🔵"}[l.Colours]
	}
	return squares[l.Colours][m]
}

// Squares returns the emojis for the marks of a row.
func (l Look) Squares(row Line) string {
	var b strings.Builder
	for _, t := range row.Tiles {
		b.WriteString(l.Square(t.Mark))
	}
	return b.String()
}

// InWords returns the line with its tiles in words: "CRANE: C green, R yellow, A yellow, N grey, E green". Cards do
// without the part before the colon.
func (l Line) InWords() Line {
	words := strings.Join(Each(l.Tiles, func(t Tile) string { return t.Text + " " + t.Mark.Colour() }), ", ")
	if !l.Wide() {
		words = l.TileText() + ": " + words
	}
	return Line{Text: append([]Span{{Style: StylePlain, Text: words}}, l.Text...)}
}

// Words returns lines in plain text for screen readers, each with a full stop. A player without a name is somebody.
func Words(names game.Names, lines ...Line) string {
	said := (Reply{Blocks: Lines(lines...)}).inWords().eachLine(func(l Line) Line {
		l.Text = Each(l.Named(names).Text, func(s Span) Span {
			if s.Style == StylePlayer {
				s.Text = "somebody"
			}
			return s
		})
		return l
	})
	return strings.TrimSpace(strings.NewReplacer(".\n", ". ", "\n", ". ").Replace(said.String()))
}

// In returns the reply in a look.
func (r Reply) In(l Look) Reply {
	r.Look = l
	if !l.Text {
		return r
	}
	if r.Form != nil {
		form := *r.Form
		form.About = Reply{Blocks: form.About}.inWords().Blocks
		r.Form = &form
	}
	if r.Reveal != nil {
		if hidden, any := r.spoilers(func(string) Span { return Span{Text: "(hidden)"} }); any {
			r = hidden.Row(*r.Reveal)
		}
	}
	return r.inWords()
}

// inWords returns the reply without tiles, keys, pictures and emojis.
func (r Reply) inWords() Reply {
	r = r.WithoutPicture()
	blocks := r.Blocks
	r.Blocks = nil
	for _, block := range blocks {
		if k, ok := block.(*Keyboard); ok {
			r = r.Say(k.Words...)
		} else if l, _ := block.(Line); !l.Outlines() {
			r = r.Add(block)
		}
	}
	return r.eachLine(func(line Line) Line {
		if len(line.Tiles) > 0 {
			line = line.InWords()
		}
		line.Text = slices.DeleteFunc(slices.Clone(line.Text), func(s Span) bool { return s.Style == StyleEmoji })
		return line
	})
}
