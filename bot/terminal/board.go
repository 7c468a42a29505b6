package terminal

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
)

// draft is the screen's addition to a match.
type draft struct {
	typed  []string // one text for each typed tile
	cursor int      // the tile for the next key; -1 for none
	hidden int      // how many tiles of the latest guess are still face down
	ended  []string // the player's statistics at the end
}

var noDraft = draft{cursor: -1}

// The sizes of a tile.
const (
	smallTile  = iota // one row, without gaps
	mediumTile        // wider, with gaps
	largeTile         // three rows
)

// tileRows draws the guesses, and an open row for each guess left, in tiles of one size. Open rows copy the layout of
// like; the first one shows the typed text. Words are broken at the given number of columns.
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

// openTile draws a tile without a mark. The cursor shows where the next key goes.
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
