package bot

import (
	"slices"
	"strings"

	"fivefold/game/marks"
)

// Block is a part of a reply: a [Line], a [*Keyboard], a [*Picture], a [Beside], a [Row] or a [*Menu].
type Block interface{ block() }

func (Line) block()      {}
func (*Keyboard) block() {}
func (*Picture) block()  {}
func (Beside) block()    {}
func (Row) block()       {}
func (*Menu) block()     {}

// Line is a line of text, or a row of tiles with text after it.
type Line struct {
	Tiles []Tile // drawn with marks; see also [Line.TileText]
	Text  []Span
}

// Tile is one square of a row. Without a text it is an outline, for a guess still to come.
type Tile struct {
	Text  string // one letter, or a card such as "10♥" of at most [WideTile] characters
	Mark  marks.Mark
	Apart bool // follows a gap, as the turn follows the flop
	Ink   Ink  // colour of the text
}

// WideTile is the most characters of a tile.
const WideTile = 3

// Ink is the colour of a tile's text, on white, where a front has colours.
type Ink uint8

// The inks. NoInk leaves the colour to the mark.
const (
	NoInk Ink = iota
	GreenInk
	BlueInk
	RedInk
	BlackInk
)

// Outlines reports whether the line is a row of tiles without texts.
func (l Line) Outlines() bool {
	return len(l.Tiles) > 0 && !slices.ContainsFunc(l.Tiles, func(t Tile) bool { return t.Text != "" })
}

// Wide reports whether the tiles have more than one letter, as cards do.
func (l Line) Wide() bool {
	return slices.ContainsFunc(l.Tiles, func(t Tile) bool { return len(t.Text) > 1 })
}

// TileText returns the texts of the tiles: letters as one word, cards with spaces between them and a bar before each Apart
// tile, such as "2♣ 3♦ 10♥ | 4♠ | K♠".
func (l Line) TileText() string {
	var b strings.Builder
	for i, t := range l.Tiles {
		switch {
		case t.Apart:
			b.WriteString(" | ")
		case i > 0 && l.Wide():
			b.WriteString(" ")
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// Keyboard shows what the guesses say of each letter.
type Keyboard struct {
	Rows [][]Key
	// Words are the same in words, for fronts that can't draw keys, and for screen readers.
	Words []Line
}

// Key is a letter of a [Keyboard].
type Key struct {
	Text  string
	Tried bool
	Mark  marks.Mark // the best one, of a tried letter
	Times int        // how often the letter is known to be in the word
}

// MaxAlt is the most UTF-16 units of a [Picture.Alt], Discord's limit. The end of a longer one is left out.
const MaxAlt = 1024

// Picture is shown in place of its lines by a front that can show pictures. A reply has one at most. With a name that does not end
// in .png it is a file for the reader to keep.
type Picture struct {
	Name string // of the file, such as "table.png"
	Alt  string // the content in words, not empty; see [MaxAlt]
	// Draw returns the picture as PNG, in high contrast or not, or the file. It takes milliseconds. It is called at most once, perhaps
	// in another goroutine than the one that made the reply.
	Draw    func(contrast bool) []byte
	Instead []Line
}

// Beside is text with a button at its side.
type Beside struct {
	Text   []Line // one to three
	Button Button
}

// Row is a row of one to five buttons, or [Rows] of more.
type Row []Button

// Rows chunks buttons into rows.
func Rows(buttons ...Button) (all []Block) {
	for row := range slices.Chunk(buttons, 5) {
		all = append(all, Row(row))
	}
	return all
}

// Menu is a list to choose from. Choosing makes a request for the command, with the chosen values as its option, joined by
// commas. The option is empty if none is chosen.
type Menu struct {
	Label       string            // shown while nothing is chosen, at most 150 characters
	Command     string            // as in the [Table]
	Args        map[string]string // as of a [Button]
	Option      string
	Of          MenuKind     // what can be chosen
	Least, Most int          // how many can be chosen, at most 25; exactly one if Most is 0
	Chosen      []string     // the values chosen now
	Choices     []MenuChoice // of a ChoiceMenu, up to 25; without any, it is left out
}

// MenuKind is the type of the choices in a [Menu].
type MenuKind uint8

const (
	ChoiceMenu  MenuKind = iota
	ChannelMenu          // the server's channels in which players can write, and threads; values are a [game.ChannelID]
	RoleMenu             // the server's roles; values are a [game.RoleID]
)

// MenuChoice is a choice of a [Menu], by texts of at most 100 characters.
type MenuChoice struct {
	Label, Value string
	Help         string // may be empty
}

// Lines are lines as blocks.
func Lines(lines ...Line) []Block { return Each(lines, func(l Line) Block { return l }) }

// Say returns the reply with more lines.
func (r Reply) Say(lines ...Line) Reply { return r.Add(Lines(lines...)...) }

// Add returns the reply with more blocks.
func (r Reply) Add(blocks ...Block) Reply {
	r.Blocks = append(slices.Clip(r.Blocks), blocks...)
	return r
}

// Row returns the reply with one more row of buttons.
func (r Reply) Row(row ...Button) Reply { return r.Add(Row(row)) }

// Under returns the reply with lines before its blocks.
func (r Reply) Under(lines ...Line) Reply {
	r.Blocks = append(Lines(lines...), r.Blocks...)
	return r
}

// Lines returns the reply's text and tiles from top to bottom, with a picture's lines in its place.
func (r Reply) Lines() (all []Line) {
	for _, l := range []Line{r.Heading, r.Subtext} {
		if l.Text != nil {
			all = append(all, l)
		}
	}
	for _, block := range r.Blocks {
		switch b := block.(type) {
		case Line:
			all = append(all, b)
		case *Keyboard:
			all = append(all, b.Words...)
		case *Picture:
			all = append(all, b.Instead...)
		case Beside:
			all = append(all, b.Text...)
		}
	}
	return all
}

// Buttons returns the reply's buttons from top to bottom.
func (r Reply) Buttons() (all []Button) {
	for _, block := range r.Blocks {
		switch b := block.(type) {
		case Row:
			all = append(all, b...)
		case Beside:
			all = append(all, b.Button)
		}
	}
	return all
}

// Picture returns the reply's picture, or nil.
func (r Reply) Picture() *Picture {
	for _, block := range r.Blocks {
		if p, ok := block.(*Picture); ok {
			return p
		}
	}
	return nil
}

// WithoutPicture returns the reply with lines in place of its picture.
func (r Reply) WithoutPicture() Reply {
	if p := r.Picture(); p != nil {
		at := slices.Index(r.Blocks, Block(p))
		r.Blocks = slices.Replace(slices.Clone(r.Blocks), at, at+1, Lines(p.Instead...)...)
	}
	return r
}

// String returns the reply as plain text, for tests and logs.
func (r Reply) String() string {
	var b strings.Builder
	for _, line := range r.Lines() {
		b.WriteString(line.TileText())
		for _, s := range line.Text {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// eachLine returns the reply with the results of f for its lines, also those beside buttons and in place of a picture.
func (r Reply) eachLine(f func(Line) Line) Reply {
	r.Heading, r.Subtext = f(r.Heading), f(r.Subtext)
	r.Blocks = Each(r.Blocks, func(block Block) Block {
		switch b := block.(type) {
		case Line:
			return f(b)
		case Beside:
			b.Text = Each(b.Text, f)
			return b
		case *Picture:
			p := *b
			p.Instead = Each(p.Instead, f)
			return &p
		case *Keyboard:
			return &Keyboard{b.Rows, Each(b.Words, f)}
		}
		return block
	})
	return r
}

// spoilers returns the reply with each spoiler replaced, and reports whether there was one.
func (r Reply) spoilers(instead func(string) Span) (_ Reply, any bool) {
	r = r.eachLine(func(line Line) Line {
		line.Text = Each(line.Text, func(s Span) Span {
			if s.Style == StyleSpoiler {
				s, any = instead(s.Text), true
			}
			return s
		})
		return line
	})
	return r, any
}
