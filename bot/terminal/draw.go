package terminal

import (
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
// on a coloured ground, and brackets say the same to who cannot tell the
// colours: [A] is green, (A) is yellow. Without, it is a square before the word.
func Draw(r bot.Reply, colour bool) string {
	var b strings.Builder
	for _, line := range r.Lines {
		drawTiles(&b, line.Tiles, colour)
		for _, s := range line.Text {
			text := printable(s.Text)
			if colour && s.Style == bot.Bold {
				text = sgrBold + text + sgrReset
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func drawTiles(b *strings.Builder, tiles []bot.Tile, colour bool) {
	if len(tiles) == 0 {
		return
	}
	word := ""
	for _, t := range tiles {
		word += t.Text
		switch {
		case !colour:
			b.WriteString(squares[t.Mark])
		case t.Mark == wordle.Green:
			b.WriteString(sgrGreen + "[" + t.Text + "]" + sgrReset)
		case t.Mark == wordle.Yellow:
			b.WriteString(sgrYellow + "(" + t.Text + ")" + sgrReset)
		default:
			b.WriteString(sgrBlack + " " + t.Text + " " + sgrReset)
		}
	}
	if !colour {
		b.WriteString(" " + word)
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

// columns is how much room a word takes: squares take two columns, all else here
// one, control sequences none.
func columns(word string) int {
	for _, sgr := range []string{sgrReset, sgrBold, sgrGreen, sgrYellow, sgrBlack} {
		word = strings.ReplaceAll(word, sgr, "")
	}
	n := 0
	for _, r := range word {
		n++
		if strings.ContainsRune(strings.Join(squares[:], ""), r) {
			n++
		}
	}
	return n
}
