package terminal

import (
	"fmt"
	"strings"
	"unicode"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// Control sequences of ECMA-48, "Select Graphic Rendition". Terminals have
// understood these few for decades; no others are used.
const (
	sgrReset  = "\x1b[0m"
	sgrBold   = "\x1b[1m"
	sgrGreen  = "\x1b[1;30;42m"  // black on green
	sgrYellow = "\x1b[1;30;43m"  // black on yellow
	sgrBlack  = "\x1b[1;97;100m" // white on grey
)

// squares are the tiles in plain text, by mark.
var squares = [...]string{wordle.Black: "⬛", wordle.Yellow: "🟨", wordle.Green: "🟩"}

// Draw returns the reply as text, line by line. With colour, a tile is its letter or
// card on a coloured background, in brackets for anyone who cannot tell the colours
// apart: [A] is green, (A) is yellow. Without colour, the tiles are squares before
// the word.
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

// cardColumns is the width of the longest card, such as 10♥. Other cards are padded,
// so that the cards of several lines are aligned.
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
		b.WriteString(" " + line.TileText())
	}
}

// printable replaces control characters: other players see what a player typed, and
// it must not control their terminals.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// wrap breaks lines at spaces so that none is wider than the terminal. A word that
// is wider than that stays whole; control sequences have no width.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		room := width - 1 // after a full line, a terminal may start a new one by itself
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

// doubleWidth are the characters that take two columns: squares and medals. Suits
// take one: they are not shown as emojis unless a text asks for it.
const doubleWidth = "⬛🟨🟩🥇🥈🥉"

// columns returns the width of a word.
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
