package bot

import (
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

// Reply is what a player is told, ready to be drawn by any front.
type Reply struct {
	// Private replies are shown to nobody but who asked, where a front can.
	Private bool
	Lines   []Line
	// Buttons are rows of buttons under the lines, at most 5 rows of 5. No two
	// that can be pressed ask for the same with the same arguments. A front
	// without buttons leaves them out: whatever they do can be typed too.
	Buttons [][]Button
	// InPlace says that the reply takes the place of the message whose button was
	// pressed. It means nothing where no button was, and a private reply never
	// takes the place of what everybody sees.
	InPlace bool
}

// Line is one line of a reply: a row of tiles, or text.
type Line struct {
	Tiles []Tile // drawn with marks, then the tiles' texts as one word
	Text  []Span
}

// Tile is one square of a board.
type Tile struct {
	Text string // one letter
	Mark wordle.Mark
}

// Span is a run of text in one style.
type Span struct {
	Style Style
	Text  string
}

// Style is what a span is; fronts decide how that looks.
type Style uint8

// The styles of a span.
const (
	Plain   Style = iota
	Bold          // what matters most in its line
	Spoiler       // hidden until asked for, where a front can
	Mono          // in a fixed pitch, spaces kept; fills whole lines
	Player        // the text is a game.PlayerID; shown as the name, without a ping
)

// String returns the reply without styles, for tests and logs of failures.
func (r Reply) String() string {
	var b strings.Builder
	for _, line := range r.Lines {
		for _, t := range line.Tiles {
			b.WriteString(t.Text)
		}
		for _, s := range line.Text {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// say makes a line of text of strings, spans and players.
func say(parts ...any) Line {
	var line Line
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			line.Text = append(line.Text, Span{Plain, p})
		case Span:
			line.Text = append(line.Text, p)
		case game.PlayerID:
			if p == "" { // whoever it was has cleared their history
				line.Text = append(line.Text, Span{Plain, "somebody"})
				continue
			}
			line.Text = append(line.Text, Span{Player, string(p)})
		default:
			panic(fmt.Sprintf("bot: cannot say a %T", p))
		}
	}
	return line
}

func bold(text string) Span    { return Span{Bold, text} }
func spoiler(text string) Span { return Span{Spoiler, text} }
func mono(text string) Line    { return say(Span{Mono, text}) }

// tiles is the row of one guess.
func tiles(t wordle.Turn) Line {
	var line Line
	for i := range wordle.Length {
		line.Tiles = append(line.Tiles, Tile{string(t.Guess.Letter(i)), t.Feedback.Mark(i)})
	}
	return line
}

// private is a reply of lines that only the asker sees.
func private(lines ...Line) Reply { return Reply{Private: true, Lines: lines} }

// plural returns "1 word", "2 words".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
