package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/marks"
)

// interact answers lines that a person types. With colours, the screen is drawn in place:
// the board, what was said, and the line. Without them nothing but text is written, as
// there may be no cursor to move.
func (t *Terminal) interact(ctx context.Context) error {
	lines, err := readLines(t.HistoryFile)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &model{
		terminal: t, ctx: ctx, person: &person{Terminal: t, player: t.Player, asks: true}, player: t.Player,
		input: newInput(), lines: lines, at: len(lines.all), look: bracketsLook,
	}
	m.width, m.height = tty.Size(t.Out)
	if t.Colour {
		m.look = coloursLook
		m.screen = &drawnScreen{out: t.Out}
	} else {
		m.plain = &plainScreen{out: t.Out}
	}
	if err != nil {
		m.note("Earlier lines cannot be read: " + err.Error())
	}
	// It would look for something to draw sixty times a second, although there is nothing.
	screen := tea.NewProgram(m, tea.WithInput(t.In), tea.WithOutput(unwritten{t.Out.(*os.File)}), tea.WithoutSignalHandler(),
		tea.WithEnvironment(append([]string{}, t.Environ...)), tea.WithFPS(1))
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

// unwritten is a terminal that bubbletea may prepare and ask for its size. What it writes goes nowhere:
// see [drawnScreen].
type unwritten struct{ *os.File }

func (unwritten) Write(b []byte) (int, error)       { return len(b), nil }
func (unwritten) WriteString(s string) (int, error) { return len(s), nil }

// leaveBehind writes what stays in the terminal when the screen is gone: the board.
func (m *model) leaveBehind() error {
	if m.plain != nil {
		m.plain.enter() // whatever comes next in this terminal starts on a new line
		return m.plain.err
	}
	if err := m.screen.end(); err != nil || m.match == nil {
		return err
	}
	board, _ := m.look.panel(m.face(), *m.match, m.width, m.height-m.spare(), noDraft)
	_, err := io.WriteString(m.terminal.Out, strings.Join(board, "\r\n")+"\r\n")
	return err
}

// model is what the screen shows, and what is going on.
type model struct {
	terminal *Terminal
	ctx      context.Context // of the program
	person   *person         // used by one command at a time
	look     look
	plain    *plainScreen // nil if the screen is drawn in place
	screen   *drawnScreen
	err      error // of the output

	width, height int
	input         textinput.Model
	lines         *typedLines
	at            int    // which of the lines the input shows; their number for a new line
	draft         string // the new line, while an earlier one is shown
	player        game.PlayerID
	match         *game.Match

	log       []said   // what was said
	latest    int      // where in the log the latest reply begins
	scrolled  int      // rows from there
	page      int      // how many rows a key scrolls
	candidate []string // how the line can continue

	command bool       // a line is typed, not tiles
	motion  int        // how many steps of a movement are left
	turning bool       // the tiles of the latest guess turn; otherwise what was typed shakes
	ended   []bot.Line // what there is to say at the end of the match

	leaving bool
	work    sync.RWMutex // read-locked by whatever uses the store
	started int          // how many lines have been answered or are being answered
	busy    bool
	slow    bool    // it takes so long that the screen says so
	waiting []entry // what was entered while another line is answered
}

// slowAfter is how long an answer may take before the screen says that it is on its way.
const slowAfter = 500 * time.Millisecond

const maxLog = 300 // replies

// said is a part of the log, and its rows on a screen of that width.
type said struct {
	lines []string
	width int
	rows  []string
}

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

// entry is a line, or a guess that was typed into the tiles.
type entry struct {
	text  string
	tiles bool
}

type (
	answered struct {
		outcome
		entry
	}
	moved  struct{}              // the next step of a movement is due
	waited struct{ started int } // for an answer
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
	if m.screen != nil {
		m.err = m.screen.begin()
	}
	m.busy = true
	return m.background(func() tea.Msg { return answered{outcome: m.person.open(m.ctx)} })
}

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.screen != nil {
		m.width, m.height = tty.Size(m.terminal.Out)
	}
	cmd := m.update(msg)
	if m.plain != nil && !m.leaving {
		m.err = errors.Join(m.err, m.plain.editing(m))
	} else if m.screen != nil && !m.leaving {
		rows, cursor := m.screenful()
		m.err = errors.Join(m.err, m.screen.draw(rows, cursor, m.width, m.height))
	}
	if m.err != nil {
		return m, tea.Quit
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.ResumeMsg:
		m.err = m.screen.begin()
	case moved:
		m.motion--
		return m.move()
	case answered:
		return m.answered(msg)
	case waited:
		m.slow = m.busy && msg.started == m.started
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
	if m.onBoard() {
		switch {
		case name == "c" && empty && m.over():
			return m.copyResult()
		case name == "enter" && empty && m.over():
			return m.respond(entry{text: "/" + m.again()})
		case name == "tab", name == "up", name == "down", name == "ctrl+p", name == "ctrl+n", name == "ctrl+r":
			return nil
		}
	}
	if name != "tab" {
		m.candidate = nil
	}
	switch name {
	case "ctrl+c", "esc":
		if name == "ctrl+c" && empty && !(m.command && m.terminal.Games != nil) {
			return tea.Quit
		}
		m.input.Reset()
		m.at, m.command = len(m.lines.all), false
	case "ctrl+d":
		if empty {
			return tea.Quit
		}
		m.edit(k)
	case "ctrl+z":
		if m.screen != nil {
			m.err = m.screen.end()
			return tea.Suspend
		}
	case "ctrl+l":
		if m.screen != nil {
			m.screen.width = 0 // draws everything again
		}
	case "enter", "ctrl+j":
		return m.enter()
	case "tab":
		m.complete()
	case "up", "ctrl+p":
		m.recall(m.at - 1)
	case "down", "ctrl+n":
		m.recall(m.at + 1)
	case "ctrl+r": // the line before that has what was typed
		typed := m.draft
		if m.at == len(m.lines.all) {
			typed = m.input.Value()
		}
		at := m.at - 1
		for at >= 0 && !strings.Contains(m.lines.all[at], typed) {
			at--
		}
		m.recall(at)
	case "pgup":
		m.scrolled -= m.page
	case "pgdown":
		m.scrolled += m.page
	default:
		m.edit(k)
	}
	return nil
}

// edit changes the line by a key or by text that was pasted.
func (m *model) edit(msg tea.Msg) {
	text, at := m.input.Value(), m.input.Position()
	m.input, _ = m.input.Update(msg) // its command would make a virtual cursor blink
	if !m.onBoard() {
		if now := m.input.Value(); m.command && now == ":" { // the line is open already
			m.input.Reset()
		}
		return
	}
	switch now := m.input.Value(); {
	case strings.ContainsAny(now, "/:"):
		m.command = true
		m.input.SetValue(strings.TrimPrefix(now[strings.IndexAny(now, "/:"):], ":"))
		m.input.CursorEnd()
	case m.over() || !m.face().Typing.Fits(strings.ReplaceAll(now, " ", "")):
		m.input.SetValue(text)
		m.input.SetCursor(at)
	case strings.Contains(now, " "):
		m.input.SetValue(strings.ReplaceAll(now, " ", ""))
	}
}

// onBoard reports whether keys go to the tiles.
func (m *model) onBoard() bool { return m.plain == nil && m.terminal.Games != nil && !m.command }

// over reports whether the board is that of a match which has ended.
func (m *model) over() bool { return m.match != nil && m.match.Status() != game.Playing }

// face is that of the match that is shown, or else of the one that a guess would start.
func (m *model) face() face.Face {
	if m.match == nil {
		return m.terminal.Faces[0]
	}
	return m.terminal.Faces.Of(m.match.Kind)
}

// again is the command that starts another match like the one that has ended.
func (m *model) again() string {
	command := m.face().Commands.Start
	if m.match.Mode == game.Solo {
		command += " " + face.ModeName(game.Solo)
	}
	return command
}

// copyResult copies what can be shared of the match, through the terminal.
func (m *model) copyResult() tea.Cmd {
	text := bot.Reply{Lines: m.face().ShareLines(*m.match)}.String()
	_, m.err = io.WriteString(m.terminal.Out, ansi.SetSystemClipboard(text))
	m.latest, m.scrolled = len(m.log), 0
	m.say("Copied, if your terminal allows that:\n" + text)
	return nil
}

// moveEvery is the time between two steps of a movement, and turnSteps and shakeSteps are how many
// there are, two for each tile that turns.
const (
	moveEvery  = 70 * time.Millisecond
	turnSteps  = 2 * marks.Length
	shakeSteps = 4
)

// move waits for the next step, while there is one.
func (m *model) move() tea.Cmd {
	if m.motion <= 0 {
		return nil
	}
	return tea.Tick(moveEvery, func(time.Time) tea.Msg { return moved{} })
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
		m.scrolled += m.page
		m.command = false
		return nil
	}
	if m.onBoard() {
		return m.respond(entry{line, true})
	}
	m.command = false
	if err := m.lines.add(line); err != nil {
		m.note("Lines are not kept: " + err.Error())
		m.lines.path = ""
	}
	m.at, m.draft = len(m.lines.all), ""
	if m.plain != nil {
		m.plain.enter()
	}
	return m.respond(entry{text: line})
}

// respond answers what was entered, after what waits.
func (m *model) respond(e entry) tea.Cmd {
	m.waiting = append(m.waiting, e)
	return m.next()
}

// next answers the next line that waits.
func (m *model) next() tea.Cmd {
	if m.busy || len(m.waiting) == 0 {
		return nil
	}
	e := m.waiting[0]
	m.waiting = m.waiting[1:]
	m.busy = true
	if m.plain == nil {
		m.latest, m.scrolled = len(m.log), 0
		if !e.tiles {
			m.say(dim(m.prompt() + printable(e.text)))
		}
	}
	m.started++
	started := m.started
	return tea.Batch(
		m.background(func() tea.Msg {
			if e.tiles {
				return answered{m.person.guess(m.ctx, e.text), e}
			}
			return answered{m.person.respond(m.ctx, e.text), e}
		}),
		tea.Tick(slowAfter, func(time.Time) tea.Msg { return waited{started} }),
	)
}

// answered shows what a line led to.
func (m *model) answered(o answered) tea.Cmd {
	m.busy, m.slow = false, false
	before := m.match
	m.player, m.match, m.look.own = o.player, o.match, o.look
	same := before != nil && o.match != nil && before.ID == o.match.ID
	if !same || len(o.ended) > 0 {
		m.ended, m.motion = o.ended, 0
	}
	m.command = m.command || o.asks
	if m.plain != nil {
		m.plain.say(m, m.look.draw(o.reply.Lines...))
	} else {
		m.say(m.look.draw(o.brief...))
	}
	if o.leave {
		m.leaving = true
		return tea.Quit
	}
	next := m.next()
	if !o.tiles {
		return next
	}
	m.turning = o.match != nil && o.match.Used() > 0 && !(same && before.Version == o.match.Version)
	moving := m.motion > 0
	m.motion = turnSteps
	if !m.turning { // it was refused, and can be mended
		m.motion = shakeSteps
		if m.input.Value() == "" && m.onBoard() && m.face().Typing.Fits(o.text) {
			m.input.SetValue(o.text)
			m.input.CursorEnd()
		}
	}
	if m.look.own.Text {
		m.motion = 0
	}
	if moving {
		return next
	}
	return tea.Batch(next, m.move())
}

// say adds lines to the log.
func (m *model) say(text string) {
	if text == "" {
		return
	}
	m.log = append(m.log, said{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")})
	if extra := len(m.log) - maxLog; extra > 0 {
		m.log = slices.Delete(m.log, 0, extra)
		m.latest = max(0, m.latest-extra)
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

// maxCompletion is how long the screen may wait for a store to say what can be guessed.
const maxCompletion = 2 * time.Second

// complete shows how the line can continue. What is typed meanwhile waits.
func (m *model) complete() {
	m.work.RLock()
	defer m.work.RUnlock()
	ctx, cancel := context.WithTimeout(m.ctx, maxCompletion)
	defer cancel()
	c := m.terminal.complete(ctx, m.player, m.match, m.input.Value())
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

// spare is how many rows are for what was said, and the line.
func (m *model) spare() int { return max(6, m.height/3) }

// top are the rows of the board, in the middle; nil if there is none. What there is to say at the end
// is returned if it has no room there.
func (m *model) top() (rows, said []string) {
	if m.match == nil && !m.onBoard() {
		return nil, nil
	}
	d := noDraft
	if m.onBoard() && !m.over() {
		typing, whole := m.face().Typing, true
		before, _ := typing.Tiles(string([]rune(m.input.Value())[:m.input.Position()]))
		d.typed, whole = typing.Tiles(m.input.Value())
		d.cursor = min(len(before), marks.Length-1)
		if n := len(d.typed); n-1 < d.cursor && !whole {
			d.cursor = n - 1
		}
	}
	if m.turning {
		d.hidden = (m.motion + 1) / 2
	}
	if d.hidden == 0 && len(m.ended) > 0 {
		d.ended = strings.Split(strings.TrimSuffix(tty.Wrap(m.look.draw(m.ended...), m.width+1), "\n"), "\n")
	}
	if m.match == nil {
		size := largeTile
		for size > smallTile && (m.height-m.spare() < (size+1)*game.MaxAttempts || m.width <= 20*(size+1)) {
			size--
		}
		rows = m.look.tileRows(nil, game.MaxAttempts, m.face().SampleRow(), size, m.width, d)
	} else {
		// Where not all statistics have room next to the board, their chart may, if the board is small.
		chart := slices.IndexFunc(m.ended, func(l bot.Line) bool { return len(l.Text) > 0 && l.Text[0].Style == bot.StyleMono })
		ended, all := d.ended, false
		for i, words := range []int{0, len(ended) - len(m.ended) + chart, len(ended)} {
			room := m.height - m.spare()
			if i == 1 {
				room = min(room, game.MaxAttempts+2)
			}
			if said, d.ended = ended[:max(0, words)], ended[max(0, words):]; len(d.ended) == 0 {
				d.ended = nil
			}
			if rows, all = m.look.panel(m.face(), *m.match, m.width, room, d); all {
				break
			}
		}
	}
	left := max(0, (m.width-width(rows))/2)
	if !m.turning && m.motion%2 == 1 {
		left++ // it shakes
	}
	for i, row := range rows {
		rows[i] = strings.Repeat(" ", left) + row
	}
	return rows, said
}

// View implements [tea.Model]. The screen is drawn by [model.Update].
func (*model) View() tea.View { return tea.View{} }

// screenful is what the screen shows, and where the cursor is; nil to hide it.
func (m *model) screenful() ([]string, *tea.Cursor) {
	rows, more := m.top()
	if len(rows) > 0 {
		rows = append(rows, dim(strings.Repeat("─", m.width)))
	}
	candidates := m.candidateRows()
	room := max(0, m.height-1-len(candidates)-len(rows))
	m.page = max(1, room-1)
	var said []string
	first := math.MaxInt
	for i := range m.log {
		if i == m.latest {
			first = len(said)
		}
		if s := &m.log[i]; s.width != m.width {
			s.rows, s.width = m.wrapped(s.lines), m.width
		}
		said = append(said, m.log[i].rows...)
	}
	said = append(said, m.wrapped(more)...)
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
		if m.over() {
			help = "c copies · Enter again · / commands"
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
