package terminal

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// gap separates parts of a board that are next to each other.
const gap = "     "

func width(rows []string) int { return lipgloss.Width(strings.Join(rows, "\n")) }

// centred puts blocks of rows below each other, each in the middle.
func centred(blocks ...[]string) []string {
	var rows []string
	wide := width(slices.Concat(blocks...))
	for _, block := range blocks {
		left := strings.Repeat(" ", (wide-width(block))/2)
		for _, row := range block {
			rows = append(rows, left+row)
		}
	}
	return rows
}

// panel draws the title of a match, its guesses and the draft in the largest tiles that fit, and the side panel. It
// takes at most the given rows, or two more with the statistics at the end. If all of that doesn't fit, it draws only
// the title and the latest guesses, or nothing in fewer than three rows.
func (r renderer) panel(f face.Face, m game.Match, columns, rows int, d draft) (panel []string, all bool) {
	if rows < 3 {
		return nil, false
	}
	title := strings.TrimSuffix(matchName(f, m), ", "+face.ModeName(game.Together)) + " · " + statusWords(m)
	if m.State.Hard() {
		title += " · hard"
	}
	title = sgrBold + title + sgrReset
	guesses, like := f.Rows(m.State), f.Sample
	aside := f.SidePanel(m.State.Rewind(m.Used() - min(d.hidden, 1, m.Used())))
	var beside []string
	for _, row := range aside.Rows {
		text := ""
		for _, p := range row {
			text += r.part(p)
		}
		beside = append(beside, text)
	}
	unused := m.State.AttemptsLeft()
	if m.Status() != game.Playing && len(d.ended) > 0 {
		unused = 0
	}
	for size := largeTile; size >= smallTile; size-- {
		// left and right, or one above the other
		left, right, align := headed(f, like, size, r.tileRows(guesses, unused, like, size, columns, d)), beside, lipgloss.Center
		switch {
		case aside.First:
			left, right, align = slices.Concat(beside, []string{""}, d.ended), left, lipgloss.Top
		case d.ended != nil:
			right = d.ended
		}
		board := strings.Split(lipgloss.JoinHorizontal(align, strings.Join(left, "\n"), gap, strings.Join(right, "\n")), "\n")
		if width(board) >= columns {
			board = centred(left, right)
		}
		room := rows
		if size == smallTile && d.ended != nil {
			room += 2 // few lines follow below
		}
		if len(board) < room && (size == smallTile || width(board) < columns) {
			return centred([]string{title}, board), true
		}
	}
	latest := r.tileRows(guesses, min(unused, 1), like, smallTile, columns, d)
	return centred([]string{title}, latest[max(0, len(latest)-(rows-1)):]), false
}

// headed returns rows of tiles below the headings of their kind.
func headed(f face.Face, like bot.Line, size int, rows []string) []string {
	if len(f.Typing.Headings) == 0 {
		return rows
	}
	gap := min(size, 1)
	var headings []string
	for i, from := 0, 0; i < len(like.Tiles); i++ {
		if n := i + 1 - from; i+1 == len(like.Tiles) || like.Tiles[i+1].Apart {
			wide := n*(columnsOf(like)+2+2*gap) + (n-1)*gap
			headings, from = append(headings, lipgloss.PlaceHorizontal(wide, lipgloss.Center, f.Typing.Headings[len(headings)])), i+1
		}
	}
	return append([]string{strings.Join(headings, strings.Repeat(" ", gap+1))}, rows...)
}

// row draws a guess, in words if the player wants text.
func (r renderer) row(tiles bot.Line) string {
	if r.look.Text {
		tiles = tiles.InWords()
	}
	return strings.TrimSuffix(r.draw(tiles), "\n")
}

func dim(text string) string { return sgrDim + text + sgrReset }
