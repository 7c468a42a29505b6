package terminal

import (
	"fmt"
	"strings"
	"unicode"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// Control sequences by ECMA-48, "Select Graphic Rendition". Terminals have
// understood these few for decades; nothing else of them is used here.
const (
	sgrReset  = "\x1b[0m"
	sgrBold   = "\x1b[1m"
	sgrGreen  = "\x1b[1;30;42m"  // black on green
	sgrYellow = "\x1b[1;30;43m"  // black on yellow
	sgrBlack  = "\x1b[1;97;100m" // white on grey
)

// squares are the tiles in plain text, by mark.
var squares = [...]string{wordle.Black: "⬛", wordle.Yellow: "🟨", wordle.Green: "🟩"}

// Draw returns the reply as text, a line each. With colour a tile is its letter
// or card on a coloured ground, and brackets say the same to who cannot tell the
// colours: [A] is green, (A) is yellow. Without, it is a square before the word.
func Draw(r bot.Reply, colour bool) string {
	var b strings.Builder
	for _, line := range r.Lines {
		drawTiles(&b, line, colour)
		for _, s := range line.Text {
			text := printable(s.Text)
			if colour && s.Style == bot.StyleBold {
				text = sgrBold + text + sgrReset
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cardColumns is how wide the longest card is, such as 10♥. The others are filled up,
// so that cards stand below each other.
const cardColumns = 3

func drawTiles(b *strings.Builder, line bot.Line, colour bool) {
	if len(line.Tiles) == 0 {
		return
	}
	wide := 1
	if line.HasCards() {
		wide = cardColumns
	}
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		text := fmt.Sprintf("%*s", wide, t.Text)
		switch {
		case !colour:
			b.WriteString(squares[t.Mark])
		case t.Mark == wordle.Green:
			b.WriteString(sgrGreen + "[" + text + "]" + sgrReset)
		case t.Mark == wordle.Yellow:
			b.WriteString(sgrYellow + "(" + text + ")" + sgrReset)
		default:
			b.WriteString(sgrBlack + " " + text + " " + sgrReset)
		}
	}
	if !colour {
		b.WriteString(" " + line.Word())
	}
}

// printable replaces control characters: what a player typed is shown to
// others, and must not be able to steer their terminals.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// wrap breaks lines at spaces so that none is wider than the terminal. A word
// that is wider by itself stays whole; control sequences take no room.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		room := width - 1 // a terminal may go to the next line at a full one by itself
		for i, word := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			w := columns(word)
			switch {
			case i == 0:
			case w+1 > room:
				b.WriteByte('\n')
				room = width - 1
			default:
				b.WriteByte(' ')
				room--
			}
			b.WriteString(word)
			room -= w
		}
		b.WriteString(line[len(strings.TrimSuffix(line, "\n")):])
	}
	return b.String()
}

// doubleWidth are the characters that take two columns: squares and medals. Those of the
// suits take one, for they are no emojis unless a text asks for it.
const doubleWidth = "⬛🟨🟩🥇🥈🥉"

// columns is how much room a word takes: all but the wide ones take one column,
// control sequences none.
func columns(word string) int {
	for _, sgr := range []string{sgrReset, sgrBold, sgrGreen, sgrYellow, sgrBlack} {
		word = strings.ReplaceAll(word, sgr, "")
	}
	n := 0
	for _, r := range word {
		n++
		if strings.ContainsRune(doubleWidth, r) {
			n++
		}
	}
	return n
}
