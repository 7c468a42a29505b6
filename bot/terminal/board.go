package terminal

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
)

// draft is what the screen adds to a match.
type draft struct {
	typed  []string // a text for each tile that is being typed
	cursor int      // the tile that the next key goes to; -1 for none
	hidden int      // how many tiles of the latest guess have yet to turn
	ended  []string // the player's statistics at the end
}

// noDraft adds nothing to a match.
var noDraft = draft{cursor: -1}

// The sizes of a tile.
const (
	smallTile  = iota // one row, without gaps
	mediumTile        // wider, with gaps
	largeTile         // three rows
)

// tileRows draws guesses, and an open row for each guess that is left, in tiles of a size. Open rows are like the line
// given; the first of them has what is being typed. Words are broken after so many columns.
func (r renderer) tileRows(guesses []bot.Line, left int, like bot.Line, size, columns int, d draft) []string {
	pad, wide := size, columnsOf(like)
	if wide > 1 {
		pad = min(size, 1)
	}
	var rows []string
	add := func(parts ...string) {
		if size == mediumTile && len(rows) > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, parts...), "\n")...)
	}
	addTiles := func(tile func(i int) string) {
		parts := []string{tile(0)}
		for i := 1; i < marks.Length; i++ {
			gap := min(size, 1)
			if like.Tiles[i].Apart {
				gap++
			}
			parts = append(parts, strings.Repeat(" ", gap), tile(i))
		}
		add(parts...)
	}
	for n, line := range guesses {
		turning := n == len(guesses)-1 && d.hidden > 0
		if !turning && (size == smallTile || r.look.Text || r.look.Shapes != bot.TileShapes) {
			add(tty.Wrap(r.row(line), columns))
			continue
		}
		addTiles(func(i int) string {
			if t := line.Tiles[i]; !turning || i < marks.Length-d.hidden {
				return r.fullTile(t, wide, pad, size)
			}
			return openTile(fmt.Sprintf("%*s", wide, line.Tiles[i].Text), wide, pad, size, false)
		})
	}
	for n := range left {
		addTiles(func(i int) string {
			text := ""
			if n == 0 && i < len(d.typed) {
				text = d.typed[i]
			}
			return openTile(text, wide, pad, size, n == 0 && i == d.cursor)
		})
	}
	return rows
}

// fullTile draws a tile with a mark.
func (r renderer) fullTile(t bot.Tile, wide, pad, size int) string {
	tile := r.tile(t, wide, pad)
	if size == largeTile {
		edge := func(half string) string {
			return edges[r.look.Colours][t.Mark] + strings.Repeat(half, wide+2+2*pad) + sgrReset
		}
		tile = edge("▄") + "\n" + tile + "\n" + edge("▀")
	}
	return tile
}

// openTile draws a tile without a mark. The next key goes to the tile with the cursor.
func openTile(text string, wide, pad, size int, cursor bool) string {
	inner := wide + 2*pad
	left, right, style, edge := " ", " ", "%s", "%s"
	if size == largeTile {
		left, right = "│", "│"
	}
	switch {
	case text != "":
		style = sgrBold + "%s" + sgrReset
		if cursor {
			left, right = "‹", "›"
		}
	case cursor:
		text = "_"
	case size == largeTile:
		edge = dim("%s")
	default:
		text, style = "·", dim("%s")
	}
	shown := fmt.Sprintf(style, lipgloss.PlaceHorizontal(inner, lipgloss.Center, text))
	if size != largeTile {
		return left + shown + right
	}
	line := strings.Repeat("─", inner)
	return strings.Join([]string{
		fmt.Sprintf(edge, "╭"+line+"╮"), fmt.Sprintf(edge, left) + shown + fmt.Sprintf(edge, right), fmt.Sprintf(edge, "╰"+line+"╯"),
	}, "\n")
}
