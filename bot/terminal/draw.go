package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/terminal/tty"
)

// Draw returns a reply as text for out. With colours, a tile is a letter or card on a coloured ground; brackets
// distinguish marks without colours: [A] is green, (A) is yellow. A terminal without colours gets only the brackets. A
// file or another program gets squares before the word.
func Draw(out io.Writer, reply bot.Reply, colour bool) string {
	r := renderer{style: inSquares, look: reply.Look}
	switch {
	case colour:
		r.style = inColours
	case tty.IsTerminal(out):
		r.style = inBrackets
	}
	return r.draw(reply.Lines()...)
}

// besides returns what a reply says besides the board and its heading, for a screen that shows them.
func (p *person) besides(o outcome) (lines []bot.Line) {
	if !o.board {
		return o.reply.Lines()
	}
	if p.over() { // what follows is about the answer
		lines = append(lines, o.reply.Heading)
	}
	if o.reply.Subtext.Text != nil {
		lines = append(lines, o.reply.Subtext)
	}
	for _, block := range o.reply.Blocks {
		switch b := block.(type) {
		case bot.Line:
			if len(b.Tiles) == 0 && b.Text != nil {
				lines = append(lines, b)
			}
		case *bot.Picture:
			if p.face().Dealt { // the last line of a table is not on the board
				lines = append(lines, b.Instead[len(b.Instead)-1])
			}
		}
	}
	return lines
}

// draw returns lines as text, each with its end.
func (r renderer) draw(lines ...bot.Line) string {
	var b strings.Builder
	for _, line := range lines {
		if line.Outlines() { // a guess still to come
			continue
		}
		b.WriteString(r.row(line))
		for _, s := range line.Text {
			text := printable(s.Text)
			switch {
			case r.style == inColours && (s.Style == bot.StyleBold || s.Style == bot.StyleCommand):
				text = r.bold(text)
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

// tileWidth returns the width of the tiles in a row, so that those of several rows are aligned.
func tileWidth(row bot.Line) int {
	if row.Wide() {
		return bot.WideTile + 2
	}
	return 3
}

// row draws the tiles of a line in one row.
func (r renderer) row(line bot.Line) string {
	if len(line.Tiles) == 0 {
		return ""
	}
	squares := r.style == inSquares || r.style == inColours && r.look.Shapes != bot.TileShapes
	var b strings.Builder
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		if squares {
			b.WriteString(r.look.Square(t.Mark))
		} else {
			b.WriteString(r.tile(t, tileWidth(line), false))
		}
	}
	if squares {
		b.WriteString(" " + line.TileText())
	}
	return b.String()
}

// aside draws what is beside the tiles: a keyboard, or lines with cards.
func (r renderer) aside(blocks []bot.Block, columns int) (rows []string) {
	for _, block := range blocks {
		switch b := block.(type) {
		case bot.Line:
			row := ""
			for _, t := range b.Tiles {
				row += r.ink(t.Ink).Render(fmt.Sprintf("%*s ", bot.WideTile, t.Text)) + " "
			}
			b.Tiles = nil
			rows = append(rows, row+strings.TrimSuffix(r.draw(b), "\n"))
		case *bot.Keyboard:
			between := ""
			if columns >= 4*len(b.Rows[0])-1 { // the keys have room for gaps
				between = " "
			}
			keys := bot.Each(b.Rows, func(row []bot.Key) string { return strings.Join(bot.Each(row, r.key), between) })
			rows = append(rows, strings.Split(lipgloss.JoinVertical(lipgloss.Center, keys...), "\n")...)
		}
	}
	return rows
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
