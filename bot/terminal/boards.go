package terminal

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// grid says how boards are laid out.
type grid struct {
	across    int // boards side by side
	tile, gap int // columns of a tile, and between tiles
	high      int // rows of a tile
	head      int // rows above the tiles of a board
	rows      int // of tiles; in little room, the latest ones
	beside    bool
}

// Columns between boards, the least columns of what is beside them, the least rows of what is below, and the rows that leave
// room for a heading.
const betweenBoards, leastBeside, leastBelow, roomyRows = 2, 28, 3, 20

// left returns the first column of a tile in its board, or the width of a board.
func (g grid) left(row bot.Line, tile int) int {
	x := tile*g.tile + min(tile, marks.Length-1)*g.gap
	for _, t := range row.Tiles[:min(tile+1, marks.Length)] {
		if t.Apart {
			x++
		}
	}
	return x
}

// arrange lays out boards with so many rows, beside or above so many others: two across, or four of eight. They are whole,
// with tiles as large as possible; or else without gaps or fewer across, with as many rows as fit.
func (m *model) arrange(boards, rows, side, wide, high int) (g grid) {
	sample := m.face().Sample
	small := grid{across: min(boards, 2+boards/8*2), tile: tileWidth(sample), gap: 1, high: 1, head: min(1, boards-1), rows: rows, beside: true}
	large, tight := small, small
	large.tile, large.high, large.head, tight.gap = largeTile, 3, max(small.head, min(1, high/roomyRows)), 0
	width := func() int { return g.across*(g.left(sample, marks.Length)+betweenBoards) - betweenBoards }
	down := func() int { return (boards + g.across - 1) / g.across }
	for _, g = range []grid{large, small, tight} {
		if width()+leastBeside < wide && down()*(g.head+rows*g.high) <= high {
			return g
		}
	}
	for g, g.beside = small, false; g.across > 1 && width() > wide; g.gap = 0 {
		g.across -= 1 - g.gap
	}
	if high -= leastBelow; high-side >= rows/2 && boards == 1 {
		high -= side
	}
	g.rows = max(1, min(rows, high/down()-g.head))
	return g
}

// turned returns the state of which the screen tells, without a guess whose tiles still turn; nil before a game.
func (m *model) turned() game.State {
	if m.anew() {
		return nil
	}
	return m.match.State.Rewind(m.match.Used() - min(m.hidden, 1, m.match.Used()))
}

// boards draws the match's boards, and returns the place of the cursor. The typed text is in the tiles of the next guess, on
// all boards that are open. Of others, the last row is enough.
func (m *model) boards(side, wide, high int) (tiles string, x, y int, g grid) {
	if m.Games == nil {
		return "", 0, 0, g
	}
	f := m.face()
	told := f.Boards(m.turned())
	all, total, made, text := told, f.Attempts(), 0, 0
	if !m.anew() {
		all, total = f.Boards(m.match.State), m.match.State.AttemptsLeft()
	}
	for _, b := range all {
		made = max(made, len(b.Rows))
		for _, row := range b.Rows {
			text = max(text, lipgloss.Width(m.renderer.draw(bot.Line{Text: row.Text})))
		}
	}
	total += made
	g = m.arrange(len(all), total, side, wide-text, high)
	width, height := g.left(f.Sample, marks.Length), g.head+g.rows*g.high
	texts, next := m.typed()
	typed := bot.Line{Tiles: bot.Each(texts, func(text string) bot.Tile { return bot.Tile{Text: text} })}
	var blocks, down []string
	for i, b := range all {
		first, last, open := max(0, min(made+1, total)-g.rows), total, !told[i].Found
		if !open {
			first, last = len(b.Rows)-1, len(b.Rows)
		} else if m.typing() && x == 0 {
			x = i%g.across*(width+betweenBoards) + g.left(f.Sample, next) + g.tile/2
			y = i/g.across*height + g.head + (made-first)*g.high + g.high/2
		}
		lines := []string{ansi.Truncate(told[i].Head, width, "…")}[:g.head]
		if g.head > 0 && (len(all) == 1 || !open) {
			lines[0] = m.renderer.dim(lines[0])
		}
		for n := first; n < min(last, first+g.rows); n++ {
			row, up, now := bot.Line{}, marks.Length, n == made && m.typing()
			if now {
				row, up = typed, 0
			} else if n < len(b.Rows) {
				row = b.Rows[n]
			}
			if n == made-1 {
				up -= m.hidden
			}
			lines = append(lines, m.row(g, row, up, now))
		}
		style := lipgloss.NewStyle().Height(height).PaddingLeft(min(1, i%g.across) * betweenBoards)
		blocks = append(blocks, style.Render(strings.Join(lines, "\n")))
	}
	for across := range slices.Chunk(blocks, g.across) {
		down = append(down, lipgloss.JoinHorizontal(lipgloss.Top, across...))
	}
	return lipgloss.JoinVertical(lipgloss.Left, down...), x, y, g
}

// row draws a row of tiles, the first up ones with their marks. The row that is typed into is brighter.
func (m *model) row(g grid, row bot.Line, up int, now bool) string {
	sample, large, x := m.face().Sample, g.high > 1, 0
	var parts []string
	for i := range sample.Tiles {
		parts = append(parts, strings.Repeat(" ", g.left(sample, i)-x))
		x = g.left(sample, i) + g.tile
		switch {
		case i < min(up, len(row.Tiles)):
			parts = append(parts, m.renderer.tile(row.Tiles[i], g.tile, large))
		case i < len(row.Tiles):
			parts = append(parts, m.renderer.open(row.Tiles[i].Text, g.tile, large, true))
		default:
			parts = append(parts, m.renderer.open("", g.tile, large, now))
		}
	}
	if text := strings.TrimSuffix(m.renderer.draw(bot.Line{Text: row.Text}), "\n"); text != "" {
		parts = append(parts, strings.Repeat("\n", g.high/2)+text)
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, parts...)
}
