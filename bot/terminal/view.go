package terminal

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/bot/typed"
	"fivefold/game/marks"
)

const (
	leastColumns = 60
	mostColumns  = 100 // longer lines are hard to read
	largeTile    = 5   // columns
)

// View implements [tea.Model].
func (m *model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: "Fivefold"}
	if m.height > 0 { // known
		rows, cursor := m.screenful()
		v.Content, v.Cursor = strings.Join(rows, "\n"), cursor
	}
	return v
}

// last is the last screen, without what was only for typing.
func (m *model) last() string {
	m.clear()
	m.hidden = 0
	rows, _ := m.screenful()
	return strings.TrimRight(strings.Join(rows[:max(0, len(rows)-1)], "\n"), " \n")
}

// screenful returns the rows of the screen, and the cursor: a header, the tiles beside or above the rest, and a footer.
func (m *model) screenful() ([]string, *tea.Cursor) {
	wide, high := min(m.width, mostColumns), m.height-2
	if m.width >= leastColumns+2 { // with a margin
		wide = min(m.width-2, mostColumns)
	}
	side, gap := m.aside(m.width-leastColumns/2), 1+min(2, (wide-leastColumns)/4)
	tiles, x, y, g := m.boards(len(side), wide, high)
	body := ""
	switch {
	case m.Games == nil:
		body, gap = m.panel(nil, wide, high), 0
	case g.beside:
		gap += lipgloss.Width(tiles)
		side = append(make([]string, g.head), m.aside(wide-gap)...)
		panel := m.panel(side, wide-gap, high)
		body = lipgloss.JoinHorizontal(lipgloss.Top, tiles, strings.Repeat(" ", gap-lipgloss.Width(tiles)), panel)
	default:
		rows := strings.Split(tiles, "\n")
		side = wrapped(wide, side...)
		if len(rows)+len(side)+3 <= high {
			rows = append(append(rows, ""), side...)
		} else if most := max(1, min(len(rows), high-2)); y >= most { // what is typed stays visible
			rows, y = rows[y+1-most:], most-1
		}
		x, gap = x+max(0, (wide-lipgloss.Width(tiles))/2), 0
		body = lipgloss.PlaceHorizontal(wide, lipgloss.Center, strings.Join(rows, "\n")) + "\n" + m.panel(nil, wide, high-len(rows))
	}
	rows := strings.Split(m.header(wide)+"\n"+body, "\n")
	rows = append(rows[:max(0, min(len(rows), m.height-1))], m.footer(wide))
	left := max(0, (m.width-wide)/2)
	for i, row := range rows {
		if m.renderer.console {
			row = plainer.Replace(row)
		}
		rows[i] = strings.Repeat(" ", left) + row
	}
	cursor := tea.NewCursor(left+x, 1+y)
	if !m.onBoard() {
		cursor = tea.NewCursor(left+gap+m.input.Cursor().X, len(rows)-2)
	}
	if m.busy || m.onBoard() && !m.typing() {
		cursor = nil
	}
	return rows, cursor
}

// typing reports whether a guess can be typed into the tiles.
func (m *model) typing() bool { return m.anew() || !m.over() }

// anew reports whether the tiles are those of the next match: there is none yet, or its first guess is being typed.
func (m *model) anew() bool {
	return m.match == nil || m.over() && m.onBoard() && m.input.Value() != ""
}

// typed returns the texts of the tiles that are typed into, and which tile takes the next key.
func (m *model) typed() (texts []string, next int) {
	if !m.onBoard() {
		return nil, 0
	}
	before := m.face().Tiles(string([]rune(m.input.Value())[:m.input.Position()]))
	all := m.face().Tiles(m.input.Value())
	next = min(len(before.Texts), marks.Length-1)
	if n := len(all.Texts); n-1 < next && !all.Whole {
		next = n - 1
	}
	return all.Texts, next
}

// aside returns the rows beside the tiles, at most that wide, without the log.
func (m *model) aside(columns int) []string {
	if m.Games == nil {
		return nil
	}
	return m.renderer.aside(m.face().Aside(m.turned()), columns)
}

// panel returns the given number of rows: those given, how a race goes, what was said last, and the line that is typed.
func (m *model) panel(above []string, wide, high int) string {
	rows := wrapped(wide, above...)
	race := wrapped(wide, m.renderer.draw(m.race...))
	if len(rows) > 0 && race != nil {
		rows = append(rows, "")
	}
	if rows = append(rows, race...); len(rows) > 0 {
		rows = append(rows, "")
	}
	rows = rows[:min(len(rows), max(0, high-2))]
	room := max(0, high-len(rows)-1)
	if m.fresh || m.log.Width() != wide || m.log.Height() != room {
		m.log.SetWidth(wide)
		m.log.SetHeight(room)
		m.log.SetContentLines(wrapped(wide, m.said...))
		m.log.SetYOffset(len(wrapped(wide, m.said[:m.latest]...)))
		m.fresh = false
	}
	said, line := m.log.View(), ""
	if proposed := m.proposed(wide); m.command && proposed != "" {
		said = proposed
	}
	if below := m.log.TotalLineCount() - m.log.YOffset() - m.log.VisibleLineCount(); m.onBoard() && below > 0 {
		line = m.renderer.dim(fmt.Sprintf("%d more: PgDn", below))
	} else if !m.onBoard() {
		m.input.Prompt = m.prompt()
		m.input.SetWidth(max(1, wide-lipgloss.Width(m.input.Prompt)-1))
		line = m.input.View()
	}
	said = lipgloss.NewStyle().Height(room).MaxHeight(room).Render(said)
	return strings.Join(append(rows, said, line), "\n")
}

// proposed explains the lines that the typed one can become.
func (m *model) proposed(wide int) string {
	return strings.Join(bot.Each(m.input.MatchedSuggestions(), func(line string) string {
		row := m.renderer.bold(line)
		if c, rest, ok := typed.Find(strings.Fields(strings.TrimPrefix(line, "/")), m.Bot.Table.Commands); ok && len(rest) == 0 {
			row += " " + m.renderer.dim(c.Help)
		}
		return ansi.Truncate(row, wide, "…")
	}), "\n")
}

// wrapped breaks lines into rows that fit.
func wrapped(wide int, lines ...string) []string {
	text := strings.TrimSuffix(strings.Join(lines, "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(lipgloss.Wrap(text, wide, ""), "\n")
}

// header names the program, and the game with its state.
func (m *model) header(wide int) string {
	name, title := m.renderer.bold("Fivefold"), strings.TrimSuffix(renderer{}.draw(m.title), "\n")
	if m.others {
		name += " · " + printable(string(m.player))
	}
	if m.Games != nil && m.anew() {
		title = m.face().Name() + " · " + bot.Plural(m.face().Attempts(), "guess") + " left"
	}
	if room := wide - lipgloss.Width(name) - 1; lipgloss.Width(title) < room {
		return name + lipgloss.PlaceHorizontal(room, lipgloss.Right, title)
	}
	return ansi.Truncate(title, wide-1, "…")
}

// keys lists keys and what they do, in pairs.
func keys(pairs ...string) (all []key.Binding) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, key.NewBinding(key.WithKeys(pairs[i]), key.WithHelp(pairs[i], pairs[i+1])))
	}
	return all
}

// help returns what shows keys.
func (m *model) help() help.Model {
	h, dim := help.New(), m.renderer.dimmed()
	h.ShortSeparator, h.Styles = " · ", help.Styles{ShortDesc: dim, ShortSeparator: dim, FullDesc: dim}
	return h
}

// footer names the keys that matter now. In little room, Enter and the last ones stay.
func (m *model) footer(wide int) string {
	now := keys("Enter", "guess", "Tab", "hint", "/", "commands", "?", "keys", "Ctrl-C", "quit")
	switch {
	case m.slow:
		return m.renderer.dim("Thinking …")
	case m.Games == nil:
		now = keys("Enter", "send", "↑", "earlier", "Tab", "complete", "Ctrl-C", "quit")
	case !m.onBoard():
		now = keys("Enter", "send", "↑", "earlier", "Tab", "complete", "Esc", "back")
	case !m.typing():
		now = keys("Enter", "play again", "Ctrl-Y", "copy", "/", "commands", "?", "keys", "Ctrl-C", "quit")
	}
	for len(now) > 2 && lipgloss.Width(m.help().ShortHelpView(now)) >= wide {
		now = slices.Delete(now, 1, 2)
	}
	return ansi.Truncate(m.help().ShortHelpView(now), wide-1, "…")
}

// keyHelp lists all keys.
func (m *model) keyHelp() string {
	return m.help().FullHelpView([][]key.Binding{keys(
		"A–Z", "letters; cards as 10h", "Enter", "guess, or play again", "Esc", "clear the row", "Tab", "hint; or complete a command",
		"/", "commands; ? for this list", ":word", "a word as a command", "↑ ↓", "scroll; or earlier commands", "PgUp PgDn", "scroll by pages",
		"Ctrl-Y", "copy the result", "Ctrl-Z", "pause", "Ctrl-C", "clear the row, or quit",
	)}) + "\n\n" + strings.TrimSuffix(m.Welcome, "\n")
}
