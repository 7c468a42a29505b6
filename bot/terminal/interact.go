package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"fivefold/bot/terminal/tty"
	"fivefold/game"
)

// interact answers lines that a person types. With colours, the screen is drawn in place:
// the board, what was said, and the line. Without them nothing but text is written, as
// there may be no cursor to move.
func (t *Terminal) interact(ctx context.Context) error {
	lines, err := readLines(t.HistoryFile)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &model{
		terminal: t, ctx: ctx, person: &person{session: session{t, t.Player}}, player: t.Player,
		input: newInput(), lines: lines, at: len(lines.all), look: bracketsLook,
	}
	m.width, m.height = tty.Size(t.Out)
	if err != nil {
		m.note("Earlier lines cannot be read: " + err.Error())
	}
	options := []tea.ProgramOption{
		tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithoutSignalHandler(),
		tea.WithEnvironment(append([]string{}, t.Environ...)), tea.WithColorProfile(colorprofile.ANSI256),
	}
	if t.Colour {
		m.look = coloursLook
	} else {
		in := t.In.(*os.File)
		before, err := term.MakeRaw(int(in.Fd()))
		if err != nil {
			return fmt.Errorf("preparing the terminal: %w", err)
		}
		defer term.Restore(int(in.Fd()), before)
		m.plain = &plainScreen{out: t.Out}
		options = append(options, tea.WithoutRenderer())
	}
	screen := tea.NewProgram(m, options...)
	// Not tea.WithContext: at the end of its context bubbletea closes the input while it may
	// still be reading from it.
	stop := context.AfterFunc(ctx, screen.Quit)
	defer stop()
	_, err = screen.Run()
	// What is still being worked on ends before the store is closed, and nothing new begins.
	cancel()
	m.work.Lock()
	defer m.work.Unlock()
	if err != nil {
		return fmt.Errorf("in the terminal: %w", err)
	}
	return errors.Join(m.err, m.leaveBehind())
}

// leaveBehind writes what stays in the terminal when the screen is gone: the board.
func (m *model) leaveBehind() error {
	if m.plain != nil {
		m.plain.enter() // whatever comes next in this terminal starts on a new line
		return m.plain.err
	}
	if m.match == nil {
		return nil
	}
	board := m.look.panel(m.terminal.Faces.Of(m.match.Kind), *m.match, m.width, m.height)
	_, err := fmt.Fprintln(m.terminal.Out, strings.Join(board, "\n"))
	return err
}

// model is what the screen shows, and what is going on.
type model struct {
	terminal *Terminal
	ctx      context.Context // of the program
	person   *person         // used by one command at a time
	look     look
	plain    *plainScreen // nil if the screen is drawn in place
	err      error        // of the output

	width, height int
	input         textinput.Model
	lines         *typedLines
	at            int    // which of the lines the input shows; their number for a new line
	draft         string // the new line, while an earlier one is shown
	player        game.PlayerID
	match         *game.Match

	log       []string // what was said, a line each, not wrapped
	folded    folded   // the log as the screen shows it
	latest    int      // where in the log the latest reply begins
	scrolled  int      // rows from there
	candidate []string // how the line can continue

	leaving    bool
	work       sync.RWMutex // read-locked by whatever uses the store
	started    int          // how many lines have been answered or are being answered
	busy       bool
	slow       bool      // it takes so long that the screen says so
	waiting    []string  // lines typed while another is answered
	completing bool      // what is typed meanwhile waits for the end of it
	typed      []tea.Msg // keys and pasted text, while completing
}

// slowAfter is how long an answer may take before the screen says that it is on its way.
const slowAfter = 500 * time.Millisecond

const maxLog = 1000 // lines of the log

func newInput() textinput.Model {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.SetStyles(textinput.Styles{})
	in.CharLimit = maxLine
	// These are ours, or would start other programs.
	in.KeyMap.AcceptSuggestion, in.KeyMap.NextSuggestion, in.KeyMap.PrevSuggestion, in.KeyMap.Paste =
		key.Binding{}, key.Binding{}, key.Binding{}, key.Binding{}
	in.Focus()
	return in
}

type (
	answered  struct{ outcome }
	completed struct{ completion }
	waited    struct{ started int } // for an answer
)

// background makes a [tea.Cmd] of work that uses the store, and leaves it out when the program
// ends.
func (m *model) background(work func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		m.work.RLock()
		defer m.work.RUnlock()
		if m.ctx.Err() != nil {
			return nil
		}
		return work()
	}
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd {
	m.busy = true
	return m.background(func() tea.Msg { return answered{m.person.open(m.ctx)} })
}

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if m.plain != nil && !m.leaving {
		if err := m.plain.editing(m); err != nil {
			m.err = err
			return m, tea.Quit
		}
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	if m.completing {
		switch msg.(type) {
		case tea.KeyPressMsg, tea.PasteMsg:
			m.typed = append(m.typed, msg)
			return nil
		}
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if m.plain == nil {
			m.width, m.height = msg.Width, msg.Height
		}
	case answered:
		return m.answered(msg.outcome)
	case waited:
		m.slow = m.busy && msg.started == m.started
	case completed:
		m.completed(msg.completion)
		typed := m.typed
		m.completing, m.typed = false, nil
		var all []tea.Cmd
		for _, msg := range typed {
			all = append(all, m.update(msg))
		}
		return tea.Sequence(all...)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		// Each line that was pasted is entered; the last one can still be edited.
		parts := strings.Split(strings.ReplaceAll(strings.ReplaceAll(msg.Content, "\r\n", "\n"), "\r", "\n"), "\n")
		var all []tea.Cmd
		for i, part := range parts {
			m.edit(tea.PasteMsg{Content: part})
			if i < len(parts)-1 {
				all = append(all, m.enter())
			}
		}
		return tea.Sequence(all...)
	}
	return nil
}

// press handles a key.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	empty := m.input.Value() == ""
	name := k.String()
	if name != "tab" {
		m.candidate = nil
	}
	switch name {
	case "ctrl+c":
		if empty {
			return tea.Quit
		}
		m.input.Reset()
		m.at = len(m.lines.all)
	case "ctrl+d":
		if empty {
			return tea.Quit
		}
		m.edit(k)
	case "ctrl+z":
		if m.plain == nil {
			return tea.Suspend
		}
	case "ctrl+l":
		return tea.ClearScreen
	case "enter", "ctrl+j":
		return m.enter()
	case "tab":
		m.completing = true
		t, ctx, player, line := m.terminal, m.ctx, m.player, m.input.Value()
		match := m.match
		return m.background(func() tea.Msg { return completed{t.complete(ctx, player, match, line)} })
	case "up", "ctrl+p":
		m.recall(m.at - 1)
	case "down", "ctrl+n":
		m.recall(m.at + 1)
	case "pgup":
		m.scrolled -= max(1, m.logRows()-1)
	case "pgdown":
		m.scrolled += max(1, m.logRows()-1)
	default:
		m.edit(k)
	}
	return nil
}

// edit changes the line by a key or by text that was pasted.
func (m *model) edit(msg tea.Msg) {
	m.input, _ = m.input.Update(msg) // its command would make a virtual cursor blink
}

// recall shows an earlier line, or the new one again.
func (m *model) recall(at int) {
	if at < 0 || at > len(m.lines.all) || at == m.at {
		return
	}
	if m.at == len(m.lines.all) {
		m.draft = m.input.Value()
	}
	m.at = at
	text := m.draft
	if at < len(m.lines.all) {
		text = m.lines.all[at]
	}
	m.input.SetValue(text)
	m.input.CursorEnd()
}

// enter takes the line. If that is empty, it shows the next page of what was said.
func (m *model) enter() tea.Cmd {
	line := strings.TrimSpace(m.input.Value())
	m.input.Reset()
	if line == "" {
		if m.plain != nil {
			m.plain.nextPage(m)
			return nil
		}
		m.scrolled += max(1, m.logRows()-1)
		return nil
	}
	if err := m.lines.add(line); err != nil {
		m.note("Lines are not kept: " + err.Error())
		m.lines.path = ""
	}
	m.at, m.draft = len(m.lines.all), ""
	if m.plain != nil {
		m.plain.enter()
	}
	m.waiting = append(m.waiting, line)
	return m.next()
}

// next answers the next line that waits.
func (m *model) next() tea.Cmd {
	if m.busy || len(m.waiting) == 0 {
		return nil
	}
	line := m.waiting[0]
	m.waiting = m.waiting[1:]
	m.busy = true
	if m.plain == nil {
		m.latest, m.scrolled = len(m.log), 0
		m.log = append(m.log, m.look.dim(m.prompt()+printable(line)))
	}
	m.started++
	started := m.started
	return tea.Batch(
		m.background(func() tea.Msg { return answered{m.person.respond(m.ctx, line)} }),
		tea.Tick(slowAfter, func(time.Time) tea.Msg { return waited{started} }),
	)
}

// answered shows what a line led to.
func (m *model) answered(o outcome) tea.Cmd {
	m.busy, m.slow = false, false
	m.player, m.match, m.look.own = o.player, o.match, o.look
	if m.plain != nil {
		m.plain.say(m, m.look.draw(o.reply.Lines...))
	} else {
		m.say(m.look.draw(o.brief...))
	}
	if o.leave {
		m.leaving = true
		return tea.Quit
	}
	return m.next()
}

// say adds lines to the log.
func (m *model) say(text string) {
	for line := range strings.Lines(text) {
		m.log = append(m.log, strings.TrimSuffix(line, "\n"))
	}
	if extra := len(m.log) - maxLog; extra > maxLog/4 { // seldom, as the rest is wrapped again
		m.log = slices.Delete(m.log, 0, extra)
		m.latest = max(0, m.latest-extra)
		m.folded = folded{}
	}
}

// note says something that is no reply.
func (m *model) note(text string) {
	if m.plain != nil {
		m.plain.say(m, text+"\n")
		return
	}
	m.say(text + "\n")
}

// completed shows how the line can continue.
func (m *model) completed(c completion) {
	m.input.SetValue(c.line)
	m.input.CursorEnd()
	m.candidate = c.candidates
	if m.plain != nil && len(c.candidates) > 0 {
		m.plain.list(m, strings.Join(c.candidates, "  "))
	}
}

func (m *model) prompt() string { return printable(string(m.player)) + "> " }

// maxCandidateRows is how many rows the candidates take at most.
const maxCandidateRows = 4

// candidateRows are the candidates as they are shown.
func (m *model) candidateRows() []string {
	switch {
	case m.slow:
		return []string{"working …"}
	case len(m.candidate) == 0:
		return nil
	}
	rows := m.wrapped([]string{strings.Join(m.candidate, "  ")})
	if len(rows) > maxCandidateRows {
		rows = append(rows[:maxCandidateRows-1], "…")
	}
	return rows
}

// wrapped breaks lines so that they fit.
func (m *model) wrapped(lines []string) []string {
	var rows []string
	for _, line := range lines {
		line = tty.Wrap(line, m.width)
		rows = append(rows, strings.Split(lipgloss.Wrap(line, m.width, ""), "\n")...) // for words that do not fit
	}
	return rows
}

// folded are the lines of a log, wrapped.
type folded struct {
	width  int
	rows   []string
	starts []int // where in rows each line begins
}

// fold wraps the lines that are new, or all of them for another width.
func (m *model) fold() {
	if m.folded.width != m.width {
		m.folded = folded{width: m.width}
	}
	for _, line := range m.log[len(m.folded.starts):] {
		m.folded.starts = append(m.folded.starts, len(m.folded.rows))
		m.folded.rows = append(m.folded.rows, m.wrapped([]string{line})...)
	}
}

// top are the rows of the board; nil if there is none.
func (m *model) top() []string {
	if m.match == nil {
		return nil
	}
	spare := max(6, m.height/3) // for what was said, and the line
	return m.look.panel(m.terminal.Faces.Of(m.match.Kind), *m.match, m.width, m.height-spare)
}

// logRows is how many rows there are for what was said.
func (m *model) logRows() int {
	rows := m.height - 1 - len(m.candidateRows())
	if top := m.top(); len(top) > 0 {
		rows -= len(top) + 1
	}
	return max(0, rows)
}

// View implements [tea.Model].
func (m *model) View() tea.View {
	if m.plain != nil {
		return tea.View{}
	}
	room := m.logRows()
	rows := m.top()
	m.fold()
	said := m.folded.rows
	end := max(0, len(said)-room)
	first := end
	if m.latest < len(m.folded.starts) {
		first = min(m.folded.starts[m.latest], end)
	}
	m.scrolled = min(max(m.scrolled, -first), end-first)
	first += m.scrolled
	shown := said[first:min(len(said), first+room)]
	if len(rows) > 0 {
		rows = append(rows, m.look.dim(strings.Repeat("─", m.width)))
	}
	if first < end && len(shown) > 0 {
		more := fmt.Sprintf("── %d more: Enter ──", len(said)-first-room+1)
		shown = append(slices.Clip(shown[:len(shown)-1]), m.look.dim(more))
	}
	rows = append(rows, shown...)
	for range room - len(shown) {
		rows = append(rows, "")
	}
	m.input.Prompt = m.prompt()
	m.input.SetWidth(max(1, m.width-tty.Width(m.input.Prompt)-1))
	v := tea.View{AltScreen: true}
	if v.Cursor = m.input.Cursor(); v.Cursor != nil {
		v.Cursor.Y = len(rows)
	}
	rows = append(append(rows, m.input.View()), m.candidateRows()...)
	v.Content = strings.Join(rows, "\n")
	return v
}
