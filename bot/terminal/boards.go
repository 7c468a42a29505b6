package terminal

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// grid says how boards are laid out.
type grid struct {
	across     int // boards side by side
	tile, high int // columns and rows of a tile
	gap        int // columns between tiles
	head       int // rows above the tiles of a board
	rows       int // rows of tiles that are shown: the latest ones, in little room
	beside     bool
}

// Columns between boards, the least columns of what is beside them, and the least rows of what is below.
const (
	betweenBoards = 2
	leastBeside   = 28
	leastBelow    = 3
)

// room returns the columns and rows between header and footer.
func (m *model) room() (wide, high int) {
	if wide = min(m.width, mostColumns); m.width >= leastColumns+2 { // with a margin
		wide = min(m.width-2, mostColumns)
	}
	return wide, m.height - 2
}

// left returns the first column of a tile in its board, or the width of a board.
func (g grid) left(row bot.Line, tile int) (x int) {
	for i := range tile {
		x += g.tile
		if i+1 < marks.Length {
			x += g.gap
			if row.Tiles[i+1].Apart {
				x++
			}
		}
	}
	return x
}

// arrange lays out boards with so many rows, beside or above so many others: whole, with tiles as large as possible, or else
// as many rows as fit.
func (m *model) arrange(boards, rows, side int) (g grid) {
	wide, high := m.room()
	sample, most := m.face().Sample, min(boards, 2)
	if boards > 4 {
		most = 4
	}
	small := grid{across: most, tile: tileWidth(sample), high: 1, gap: 1, head: min(1, boards-1), rows: rows, beside: true}
	large, tight := small, small
	large.tile, large.high, tight.gap = largeTile, 3, 0
	if m.height >= roomyRows {
		large.head = 1
	}
	width := func() int { return g.across*(g.left(sample, marks.Length)+betweenBoards) - betweenBoards }
	down := func() int { return (boards + g.across - 1) / g.across }
	for _, g = range []grid{large, small, tight} {
		if width()+leastBeside < wide && down()*(g.head+rows*g.high) <= high {
			return g
		}
	}
	g = small
	g.beside = false
	for g.across > 1 && width() > wide {
		if g.gap == 0 {
			g.across--
		}
		g.gap = 0
	}
	if high -= leastBelow; high-side >= rows/2 && boards == 1 {
		high -= side
	}
	g.rows = max(1, min(rows, high/down()-g.head))
	return g
}

// boards draws the match's boards, and returns the place of the cursor. The typed text is in the tiles of the next guess, on
// all boards that are open.
func (m *model) boards(side int) (tiles string, x, y int, g grid) {
	if m.Games == nil {
		return "", 0, 0, g
	}
	f, state, total := m.face(), game.State(nil), m.face().Attempts()
	if !m.anew() {
		state, total = m.match.State, m.match.State.AttemptsLeft()
	}
	all, found, made := f.Boards(state), []int(nil), 0
	for _, rows := range all {
		made = max(made, len(rows))
	}
	if state != nil {
		found, total = f.Found(state), total+made
	}
	g, x = m.arrange(len(all), total, side), -1
	texts, next := m.typed()
	var blocks []string
	for i, rows := range all {
		told, first, last, typed := rows, max(0, min(made+1, total)-g.rows), total, -1
		if len(rows) == made && m.hidden > 0 { // the new row is still face down
			told = rows[:max(0, made-1)]
		}
		head := strconv.Itoa(i+1) + " " + known(told)
		switch n := len(told); {
		case found != nil && n > 0 && found[i] == n: // its last row is enough
			first, last, head = n-1, n, fmt.Sprintf("%d ✓ in %d", i+1, n)
		case m.typing():
			typed = made
		}
		if x < 0 && typed >= 0 {
			x = i%g.across*(g.left(f.Sample, marks.Length)+betweenBoards) + g.left(f.Sample, next) + g.tile/2
			y = i/g.across*(g.head+g.rows*g.high) + g.head + (made-first)*g.high + g.high/2
		}
		var lines []string
		if len(all) > 1 {
			lines = append(lines, m.renderer.bold(ansi.Truncate(head, g.left(f.Sample, marks.Length), "…")))
		} else if g.head > 0 {
			lines = append(lines, m.renderer.dim(f.Headings))
		}
		for n := first; n < min(last, first+g.rows); n++ {
			lines = append(lines, m.drawRow(g, n, typed, texts, rows, len(told) < len(rows)))
		}
		block := lipgloss.NewStyle().Height(g.head + g.rows*g.high).Render(strings.Join(lines, "\n"))
		if (i+1)%g.across > 0 {
			block = lipgloss.JoinHorizontal(lipgloss.Top, block, strings.Repeat(" ", betweenBoards))
		}
		blocks = append(blocks, block)
	}
	var down []string
	for across := range slices.Chunk(blocks, g.across) {
		down = append(down, lipgloss.JoinHorizontal(lipgloss.Top, across...))
	}
	return lipgloss.JoinVertical(lipgloss.Left, down...), max(0, x), y, g
}

// drawRow draws row n of a board. If the last row is new, its tiles turn.
func (m *model) drawRow(g grid, n, typed int, texts []string, rows []bot.Line, isNew bool) string {
	sample, large, x := m.face().Sample, g.high > 1, 0
	var parts []string
	for i := range sample.Tiles {
		parts = append(parts, strings.Repeat(" ", g.left(sample, i)-x))
		x = g.left(sample, i) + g.tile
		switch down := isNew && n == len(rows)-1 && i >= marks.Length-m.hidden; {
		case down:
			parts = append(parts, m.renderer.open(rows[n].Tiles[i].Text, g.tile, large, true))
		case n < len(rows):
			parts = append(parts, m.renderer.tile(rows[n].Tiles[i], g.tile, large))
		case n == typed && i < len(texts):
			parts = append(parts, m.renderer.open(texts[i], g.tile, large, true))
		default:
			parts = append(parts, m.renderer.open("", g.tile, large, n == typed))
		}
	}
	if n < len(rows) {
		parts = append(parts, strings.Repeat("\n", g.high/2)+strings.TrimSuffix(m.renderer.draw(bot.Line{Text: rows[n].Text}), "\n"))
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, parts...)
}

// known sums up what the rows of a board tell: the letters in place, and others of the word.
func known(rows []bot.Line) string {
	placed, copies := strings.Split("_____", ""), map[string]int{}
	for _, row := range rows {
		in := map[string]int{}
		for i, t := range row.Tiles {
			if t.Mark == marks.Green {
				placed[i] = t.Text
			}
			if t.Mark != marks.Black {
				in[t.Text]++
				copies[t.Text] = max(copies[t.Text], in[t.Text])
			}
		}
	}
	text, others := strings.Join(placed, ""), ""
	for _, letter := range slices.Sorted(maps.Keys(copies)) {
		others += strings.Repeat(letter, max(0, copies[letter]-strings.Count(text, letter)))
	}
	if others != "" {
		text += " +" + others
	}
	return text
}
