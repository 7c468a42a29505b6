package terminal

import (
	"fmt"
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
)

// draft is what the screen adds to a match: what is being typed, and what is still to be seen.
type draft struct {
	typed  []string // a letter or card each
	cursor int      // the tile that the next key goes to; -1 where nothing is typed
	hidden int      // how many tiles of the latest guess have not turned yet
	ended  []string // what there is to say about the player at the end
}

// noDraft is a board that nobody types on.
var noDraft = draft{cursor: -1}

// What can be typed into the tiles, up to now.
var (
	typedWord  = regexp.MustCompile(`^\pL{0,5}$`)
	typedCards = regexp.MustCompile(`(?i)^((10|[2-9tjqka])[cdhs]){0,4}(1|(10|[2-9tjqka])[cdhs]?)?$`)
	typedTile  = regexp.MustCompile(`(?i)(10?|[2-9tjqka])[cdhs]?`)
	suits      = strings.NewReplacer("T", "10", "C", "♣", "D", "♦", "H", "♥", "S", "♠")
)

// tilesOf divides what was typed into tiles.
func tilesOf(f face.Face, text string) []string {
	if !f.HasPicture() {
		return strings.Split(strings.ToUpper(text), "")
	}
	var tiles []string
	for _, card := range typedTile.FindAllString(text, -1) {
		tiles = append(tiles, suits.Replace(strings.ToUpper(card)))
	}
	return tiles
}

// The sizes of a tile.
const (
	smallTile  = iota // one row, without gaps
	mediumTile        // wider, with gaps
	largeTile         // three rows
)

// tileRows draws guesses, and a row for each that is left, in tiles of a size; in words they are broken
// after that many columns. The first row that is left has what is being typed.
func (k look) tileRows(guesses []bot.Line, left, wide, size, columns int, d draft) []string {
	pad := size
	if wide > 1 {
		pad = min(size, 1)
	}
	var rows []string
	add := func(parts []string) {
		if size == mediumTile && len(rows) > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, parts...), "\n")...)
	}
	between := func(i int) string {
		gap := strings.Repeat(" ", min(size, 1))
		if wide > 1 && i > marks.Length-3 {
			gap += " " // the turn and the river stand apart
		}
		return gap
	}
	for n, line := range guesses {
		turning := n == len(guesses)-1 && d.hidden > 0
		if !turning && (size == smallTile || k.own.Text || k.own.Shapes != bot.TileShapes) {
			add([]string{tty.Wrap(k.row(line), columns)})
			continue
		}
		var parts []string
		for i, t := range line.Tiles {
			parts = append(parts, between(i))
			if turning && i >= marks.Length-d.hidden {
				parts = append(parts, k.openTile(t.Text, wide, pad, size, false))
				continue
			}
			parts = append(parts, k.fullTile(t, wide, pad, size))
		}
		add(parts[1:])
	}
	for n := range left {
		var parts []string
		for i := range marks.Length {
			text := ""
			if n == 0 && i < len(d.typed) {
				text = d.typed[i]
			}
			parts = append(parts, between(i), k.openTile(text, wide, pad, size, n == 0 && i == d.cursor))
		}
		add(parts[1:])
	}
	return rows
}

// fullTile is one with a mark.
func (k look) fullTile(t bot.Tile, wide, pad, size int) string {
	tile := k.padded(fmt.Sprintf("%*s", wide, t.Text), t.Mark, pad)
	if size == largeTile {
		edge := func(half string) string {
			return inForeground.Replace(k.sgr(t.Mark)) + strings.Repeat(half, wide+2+2*pad) + sgrReset
		}
		tile = edge("▄") + "\n" + tile + "\n" + edge("▀")
	}
	return tile
}

// inForeground makes the colour behind a mark that of a half block, which leaves half a row between
// one tile and the next.
var inForeground = strings.NewReplacer("1;30;48", "38", "1;30;4", "3", "1;97;10", "9")

// openTile has no mark: what is being typed, or nothing. The next key goes to the one with the cursor.
func (k look) openTile(text string, wide, pad, size int, cursor bool) string {
	inner := wide + 2*pad
	if suited(text) {
		text = fmt.Sprintf("%*s", wide, text) // where it will be with its mark
	}
	shown := lipgloss.PlaceHorizontal(inner, lipgloss.Center, text)
	switch {
	case cursor && text == "":
		shown = lipgloss.PlaceHorizontal(inner, lipgloss.Center, "_")
	case text == "" && size != largeTile:
		shown = dim(lipgloss.PlaceHorizontal(inner, lipgloss.Center, "·"))
	case text != "":
		shown = sgrBold + shown + sgrReset
	}
	left, right := " ", " "
	if cursor && text != "" {
		left, right = "‹", "›"
	}
	if size != largeTile {
		return left + shown + right
	}
	edge := func(s string) string {
		if text == "" && !cursor {
			return dim(s)
		}
		return s
	}
	if left == " " {
		left, right = "│", "│"
	}
	line := strings.Repeat("─", inner)
	return edge("╭"+line+"╮") + "\n" + edge(left) + shown + edge(right) + "\n" + edge("╰"+line+"╯")
}
