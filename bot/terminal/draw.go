package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"fivefold/bot"
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

// The looks of a player who has chosen nothing.
var (
	bracketsLook = look{way: inBrackets}
	coloursLook  = look{way: inColours}
)

// Draw returns the reply as text, line by line. With colour, a tile is its letter or
// card on a coloured background, in brackets for anyone who cannot tell the colours
// apart: [A] is green, (A) is yellow. Without colour, the tiles are squares before
// the word.
func Draw(r bot.Reply, colour bool) string {
	k := look{inSquares, r.Look}
	if colour {
		k.way = inColours
	}
	return k.draw(r.Lines...)
}

// DrawOn is Draw for a reply that goes to out. If that is a terminal without colours, it gets letters
// in brackets and no squares.
func DrawOn(out io.Writer, r bot.Reply, colour bool) string {
	if !colour && tty.IsTerminal(out) {
		return look{inBrackets, r.Look}.draw(r.Lines...)
	}
	return Draw(r, colour)
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

// cardColumns is the width of the longest card, such as 10♥. Other cards are padded,
// so that the cards of several lines are aligned.
const cardColumns = 3

func (k look) drawTiles(b *strings.Builder, line bot.Line) {
	if len(line.Tiles) == 0 {
		return
	}
	squares := k.way == inSquares || k.way == inColours && k.own.Shapes != bot.TileShapes
	wide := 1
	if line.HasCards() {
		wide = cardColumns
	}
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		if squares {
			b.WriteString(k.own.Square(t.Mark))
		} else {
			b.WriteString(k.tile(fmt.Sprintf("%*s", wide, t.Text), t.Mark, 0))
		}
	}
	if squares {
		b.WriteString(" " + line.TileText())
	}
}

// tile draws one letter or card with its mark, with that much room on both sides: in brackets if it is
// green or yellow.
func (k look) tile(text string, mark marks.Mark, pad int) string {
	room := strings.Repeat(" ", pad)
	before, after := brackets[mark][:1]+room, room+brackets[mark][1:]
	if k.way != inColours {
		return before + text + after
	}
	sgr := backgrounds[k.own.Colours][mark]
	if suit, ok := suitColours[lastRune(text)]; ok {
		text = suit + text + sgrReset + sgr
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

// card draws a card that has no mark.
func (k look) card(text string) string {
	text = fmt.Sprintf("%*s", cardColumns, text)
	if k.way != inColours {
		return text
	}
	return suitColours[lastRune(text)] + text + sgrReset
}

// suitColours are those of a pack in four colours, on white, by the sign of the suit.
var suitColours = map[rune]string{
	'♣': "\x1b[1;32;107m", '♦': "\x1b[1;34;107m", '♥': "\x1b[1;31;107m", '♠': "\x1b[1;30;107m",
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
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
