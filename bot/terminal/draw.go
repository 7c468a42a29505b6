package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
)

// Control sequences of ECMA-48, "Select Graphic Rendition". Terminals have understood them for decades.
const (
	sgrReset  = "\x1b[0m"
	sgrBold   = "\x1b[1m"
	sgrDim    = "\x1b[2m"
	sgrGreen  = "\x1b[1;30;42m"  // black on green
	sgrYellow = "\x1b[1;30;43m"  // black on yellow
	sgrBlack  = "\x1b[1;97;100m" // white on grey

	// High contrast uses two of the 256 colours of nearly every terminal.
	sgrOrange = "\x1b[1;30;48;5;208m"
	sgrBlue   = "\x1b[1;30;48;5;117m"
)

// renderer draws tiles in a style and in the player's look.
type renderer struct {
	style tileStyle
	look  bot.Look
}

type tileStyle uint8

const (
	inSquares  tileStyle = iota // 🟩🟨🔳 ABC, for other programs and files
	inBrackets                  // [A](B) C , for a terminal without colours
	inColours                   // the same on coloured backgrounds
)

var inColour = renderer{style: inColours}

// Draw returns a reply as text for out. With colour, a tile is a letter or card on a coloured background; brackets
// distinguish marks without colour: [A] is green, (A) is yellow. A terminal without colours gets only the brackets. A
// file or another program gets squares before the word.
func Draw(out io.Writer, reply bot.Reply, colour bool) string {
	r := renderer{inSquares, reply.Look}
	switch {
	case colour:
		r.style = inColours
	case tty.IsTerminal(out):
		r.style = inBrackets
	}
	return r.draw(reply.Lines()...)
}

func (r renderer) draw(lines ...bot.Line) string {
	var b strings.Builder
	for _, line := range lines {
		if line.Outlines() {
			continue
		}
		r.drawTiles(&b, line)
		for _, s := range line.Text {
			text := printable(s.Text)
			switch {
			case r.style == inColours && (s.Style == bot.StyleBold || s.Style == bot.StyleCommand):
				text = sgrBold + text + sgrReset
			case r.style == inBrackets && s.Style == bot.StyleEmoji:
				text = ""
			case r.style == inBrackets:
				text = squareLetters.Replace(text)
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// squareLetters writes the squares of shared results in the letters of feedback.
var squareLetters = strings.NewReplacer("🔳", "b", "🟨", "y", "🟩", "g")

// columnsOf returns the width of the tiles in a line. Narrower tiles are padded, so that the tiles of several lines are
// aligned.
func columnsOf(line bot.Line) int {
	if line.Wide() {
		return bot.WideTile
	}
	return 1
}

func (r renderer) drawTiles(b *strings.Builder, line bot.Line) {
	if len(line.Tiles) == 0 {
		return
	}
	squares := r.style == inSquares || r.style == inColours && r.look.Shapes != bot.TileShapes
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		if squares {
			b.WriteString(r.look.Square(t.Mark))
		} else {
			b.WriteString(r.tile(t, columnsOf(line), 0))
		}
	}
	if squares {
		b.WriteString(" " + line.TileText())
	}
}

// tile draws a tile with its mark, at a width in columns and padded on both sides. Brackets mean green or yellow.
func (r renderer) tile(t bot.Tile, wide, pad int) string {
	room, text := strings.Repeat(" ", pad), fmt.Sprintf("%*s", wide, t.Text)
	before, after := brackets[t.Mark][:1]+room, room+brackets[t.Mark][1:]
	if r.style != inColours {
		return before + text + after
	}
	sgr := backgrounds[r.look.Colours][t.Mark]
	if t.Ink != bot.NoInk {
		text = inks[t.Ink] + text + sgrReset + sgr
	}
	return sgr + before + text + after + sgrReset
}

// The brackets of each mark, and its colours in each look: behind a letter, and of the half blocks above and below a
// large tile.
var (
	brackets    = [...]string{marks.Black: "  ", marks.Yellow: "()", marks.Green: "[]"}
	backgrounds = [...][3]string{
		bot.StandardColours: {marks.Black: sgrBlack, marks.Yellow: sgrYellow, marks.Green: sgrGreen},
		bot.ContrastColours: {marks.Black: sgrBlack, marks.Yellow: sgrBlue, marks.Green: sgrOrange},
	}
	edges = [...][3]string{
		bot.StandardColours: {marks.Black: "\x1b[90m", marks.Yellow: "\x1b[33m", marks.Green: "\x1b[32m"},
		bot.ContrastColours: {marks.Black: "\x1b[90m", marks.Yellow: "\x1b[38;5;117m", marks.Green: "\x1b[38;5;208m"},
	}
)

// part draws a part of the panel beside the tiles. Letters with a black mark are dim and in lower case.
func (r renderer) part(p face.SidePart) string {
	switch {
	case p.Marked && p.Mark == marks.Black:
		return dim(" " + strings.ToLower(p.Text) + " ")
	case p.Marked:
		return r.tile(bot.Tile{Text: p.Text, Mark: p.Mark}, 1, 0)
	case p.Ink != bot.NoInk && r.style == inColours:
		return inks[p.Ink] + p.Text + sgrReset
	}
	return p.Text
}

// inks are colours on white.
var inks = [...]string{
	bot.GreenInk: "\x1b[1;32;107m", bot.BlueInk: "\x1b[1;34;107m", bot.RedInk: "\x1b[1;31;107m", bot.BlackInk: "\x1b[1;30;107m",
}

// printable replaces control characters, so that one player's text can't control another's terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
