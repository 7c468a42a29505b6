package terminal

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/marks"
)

// top returns the rows of the board, or nil without a board. It returns the statistics at the end if the board has no
// room for them.
func (m *model) top() (rows, said []string) {
	if m.match == nil && !m.onBoard() {
		return nil, nil
	}
	d, room := m.draft(), m.height-m.spare()
	if m.match == nil || m.over() && d.typed != nil { // the typed text begins the next match
		size := largeTile
		for size > smallTile && (room < (size+1)*game.MaxAttempts || m.width <= 20*(size+1)) {
			size--
		}
		rows = m.renderer.tileRows(nil, game.MaxAttempts, m.face().Sample, size, m.width, d)
	} else {
		var all bool
		if rows, all = m.renderer.panel(m.face(), *m.match, m.width, room, d); !all && d.ended != nil {
			said, d.ended = d.ended, nil
			rows, _ = m.renderer.panel(m.face(), *m.match, m.width, room, d)
		}
	}
	left := strings.Repeat(" ", max(0, (m.width-width(rows))/2))
	for i, row := range rows {
		rows[i] = left + row
	}
	return rows, said
}

// screenful returns the rows of the screen and the cursor. A nil cursor is hidden.
func (m *model) screenful() ([]string, *tea.Cursor) {
	rows, more := m.top()
	if len(rows) > 0 {
		rows = append(rows, dim(strings.Repeat("─", m.width)))
	}
	candidates := m.candidateRows()
	room := max(0, m.height-1-len(candidates)-len(rows))
	m.page = max(1, room-1)
	said := m.wrapped(m.log[:m.latest]...)
	first := len(said)
	said = append(said, m.wrapped(append(slices.Clip(m.log[m.latest:]), more...)...)...)
	end := max(0, len(said)-room)
	first = min(first, end)
	m.scrolled = min(max(m.scrolled, -first), end-first)
	first += m.scrolled
	shown := said[first:min(len(said), first+room)]
	if first < end && len(shown) > 0 {
		more := fmt.Sprintf("── %d more: PgDn ──", len(said)-first-room+1)
		shown = append(slices.Clip(shown[:len(shown)-1]), dim(more))
	}
	rows = append(rows, shown...)
	for range room - len(shown) {
		rows = append(rows, "")
	}
	if m.onBoard() {
		help := "Enter guesses · / commands · /help"
		if m.over() && m.input.Value() == "" {
			help = "Enter again · Ctrl-Y copies · / commands"
		}
		if m.others {
			help = printable(string(m.player)) + " · " + help
		}
		return append(append(rows, dim(help)), candidates...), nil
	}
	m.input.Prompt = m.prompt()
	m.input.SetWidth(max(1, m.width-tty.Width(m.input.Prompt)-1))
	cursor := m.input.Cursor()
	if cursor != nil {
		cursor.Y = len(rows)
	}
	return append(append(rows, m.input.View()), candidates...), cursor
}

// draft returns the screen's addition to the match.
func (m *model) draft() draft {
	d := noDraft
	if m.onBoard() && (!m.over() || m.input.Value() != "") {
		before := m.face().Tiles(string([]rune(m.input.Value())[:m.input.Position()]))
		typed := m.face().Tiles(m.input.Value())
		d.typed, d.cursor = typed.Texts, min(len(before.Texts), marks.Length-1)
		if n := len(d.typed); n-1 < d.cursor && !typed.Whole {
			d.cursor = n - 1
		}
	}
	d.hidden = m.hidden
	if d.hidden == 0 && len(m.ended) > 0 && d.typed == nil {
		d.ended = strings.Split(strings.TrimSuffix(tty.Wrap(m.renderer.draw(m.ended...), m.width+1), "\n"), "\n")
	}
	return d
}

// spare returns the number of rows for the log and the line.
func (m *model) spare() int { return max(6, m.height/3) }

// wrapped breaks lines into rows that fit.
func (m *model) wrapped(lines ...string) []string {
	text := strings.Join(lines, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(lipgloss.Wrap(text, m.width, ""), "\n")
}

// maxCandidateRows is the most rows for the candidates.
const maxCandidateRows = 4

func (m *model) candidateRows() []string {
	rows := m.wrapped(strings.Join(m.candidates, "  "))
	if len(rows) > maxCandidateRows {
		rows = append(rows[:maxCandidateRows-1], "…")
	}
	return rows
}
