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

// Control sequences of ECMA-48, "Select Graphic Rendition". Terminals have
// understood these few for decades; no other colours are used.
const (
	sgrReset  = "\x1b[0m"
	sgrBold   = "\x1b[1m"
	sgrDim    = "\x1b[2m"
	sgrGreen  = "\x1b[1;30;42m"  // black on green
	sgrYellow = "\x1b[1;30;43m"  // black on yellow
	sgrBlack  = "\x1b[1;97;100m" // white on grey

	// In high contrast, of the 256 colours that nearly every terminal has.
	sgrOrange = "\x1b[1;30;48;5;208m"
	sgrBlue   = "\x1b[1;30;48;5;117m"
)

// look is how tiles are drawn: in what way, and what the player has chosen.
type look struct {
	way way
	own bot.Look
}

type way uint8

const (
	inSquares  way = iota // 🟩🟨🔳 ABC, for other programs and files
	inBrackets            // [A](B) C , for a terminal without colours
	inColours             // the same on coloured backgrounds
)

// coloursLook is that of a player who has chosen nothing.
var coloursLook = look{way: inColours}

// Draw returns the reply as text for out, line by line. With colour, a tile is its letter or card on a
// coloured background, in brackets for anyone who cannot tell the colours apart: [A] is green, (A) is
// yellow. A terminal without colours gets the brackets alone; for a file or a program, the tiles are
// squares before the word.
func Draw(out io.Writer, r bot.Reply, colour bool) string {
	k := look{inSquares, r.Look}
	switch {
	case colour:
		k.way = inColours
	case tty.IsTerminal(out):
		k.way = inBrackets
	}
	return k.draw(r.Lines...)
}

func (k look) draw(lines ...bot.Line) string {
	var b strings.Builder
	for _, line := range lines {
		k.drawTiles(&b, line)
		for _, s := range line.Text {
			text := printable(s.Text)
			switch {
			case k.way == inColours && (s.Style == bot.StyleBold || s.Style == bot.StyleCommand):
				text = sgrBold + text + sgrReset
			case k.way == inBrackets && s.Style == bot.StyleEmoji:
				text = ""
			case k.way == inBrackets:
				text = squareLetters.Replace(text)
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// squareLetters writes results that are shared, which are squares, in the letters of feedback.
var squareLetters = strings.NewReplacer("🔳", "b", "🟨", "y", "🟩", "g")

// columnsOf is the width of the longest tile that a line like this one can have. Others are padded,
// so that the tiles of several lines are aligned.
func columnsOf(line bot.Line) int {
	if line.Wide {
		return bot.WideTile
	}
	return 1
}

func (k look) drawTiles(b *strings.Builder, line bot.Line) {
	if len(line.Tiles) == 0 {
		return
	}
	squares := k.way == inSquares || k.way == inColours && k.own.Shapes != bot.TileShapes
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		if squares {
			b.WriteString(k.own.Square(t.Mark))
		} else {
			b.WriteString(k.tile(t, columnsOf(line), 0))
		}
	}
	if squares {
		b.WriteString(" " + line.TileText())
	}
}

// tile draws a tile with its mark, in that many columns and with that much room on both sides: in
// brackets if it is green or yellow.
func (k look) tile(t bot.Tile, wide, pad int) string {
	room, text := strings.Repeat(" ", pad), fmt.Sprintf("%*s", wide, t.Text)
	before, after := brackets[t.Mark][:1]+room, room+brackets[t.Mark][1:]
	if k.way != inColours {
		return before + text + after
	}
	sgr := backgrounds[k.own.Colours][t.Mark]
	if t.Ink != bot.NoInk {
		text = inks[t.Ink] + text + sgrReset + sgr
	}
	return sgr + before + text + after + sgrReset
}

// brackets are those of a mark, and backgrounds and edges its colours, by the player's choice: behind a
// letter, and as that of a half block, which leaves half a row between one tile and the next.
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

// part draws one part of the text beside the tiles. Letters with a black mark are dim and in lower case.
func (k look) part(p face.Part) string {
	switch {
	case p.Marked && p.Mark == marks.Black:
		return dim(" " + strings.ToLower(p.Text) + " ")
	case p.Marked:
		return k.tile(bot.Tile{Text: p.Text, Mark: p.Mark}, 1, 0)
	case p.Ink != bot.NoInk && k.way == inColours:
		return inks[p.Ink] + p.Text + sgrReset
	}
	return p.Text
}

// inks are on white.
var inks = [...]string{
	bot.GreenInk: "\x1b[1;32;107m", bot.BlueInk: "\x1b[1;34;107m", bot.RedInk: "\x1b[1;31;107m", bot.BlackInk: "\x1b[1;30;107m",
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
