package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/marks"
)

// interact answers lines on a screen with the board, the replies and the line.
func (t *Terminal) interact(ctx context.Context) error {
	m := &model{
		person: &person{Terminal: t, player: t.Player}, ctx: ctx,
		input: newInput(), renderer: inColour, screen: drawnScreen{out: t.Out},
	}
	// bubbletea draws nothing here, so it need not look for changes sixty times a second.
	program := tea.NewProgram(m, tea.WithInput(t.In), tea.WithOutput(unwritten{t.Out.(*os.File)}), tea.WithoutSignalHandler(), tea.WithFPS(1))
	// With tea.WithContext, bubbletea could close the input while it reads from it.
	stop := context.AfterFunc(ctx, program.Quit)
	defer stop()
	if _, err := program.Run(); err != nil {
		return fmt.Errorf("terminal: %w", errors.Join(err, m.screen.end()))
	}
	return errors.Join(m.err, m.leaveBehind())
}

// unwritten is a terminal for bubbletea to prepare and measure. It drops all output of bubbletea: see [drawnScreen].
type unwritten struct{ *os.File }

func (unwritten) Write(b []byte) (int, error)       { return len(b), nil }
func (unwritten) WriteString(s string) (int, error) { return len(s), nil }

// leaveBehind leaves the screen and writes the board below the earlier output of the terminal.
func (m *model) leaveBehind() error {
	if err := m.screen.end(); err != nil || m.match == nil {
		return err
	}
	board, _ := m.renderer.panel(m.face(), *m.match, m.width, m.height-m.spare(), noDraft)
	_, err := io.WriteString(m.Out, strings.Join(board, "\r\n")+"\r\n")
	return err
}

// model is a person with a screen. It answers a line before it reads the next key.
type model struct {
	*person
	ctx      context.Context // of the program
	renderer renderer
	screen   drawnScreen
	err      error // of the output

	width, height int
	input         textinput.Model
	lines         []string // typed commands
	at            int      // the index of the line in the input; len(lines) for a new one

	log        []string // the lines of the replies
	latest     int      // index of the latest reply's first line in the log
	scrolled   int      // rows from there
	page       int      // rows that a key scrolls
	candidates []string // possible continuations of the line

	command bool       // keys go to the line, not to the tiles
	hidden  int        // how many tiles of the latest guess are still face down
	ended   []bot.Line // the player's statistics at the end of the match
	leaving bool
}

// maxLog is the most lines in the log.
const maxLog = 300

func newInput() textinput.Model {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.SetStyles(textinput.Styles{})
	in.CharLimit = 1 << 12
	// These keys are ours, or would start other programs.
	in.KeyMap.AcceptSuggestion, in.KeyMap.NextSuggestion, in.KeyMap.PrevSuggestion, in.KeyMap.Paste =
		key.Binding{}, key.Binding{}, key.Binding{}, key.Binding{}
	in.Focus()
	return in
}

// turned is the message that the next tile of a guess turns.
type turned struct{}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd {
	m.err = m.screen.begin()
	ctx := game.WithWaiting(m.ctx)
	o := m.open(ctx)
	m.renderer.look = m.person.lookOf(ctx, m.player)
	m.command = m.yes != nil
	m.say(m.renderer.draw(o.brief...))
	m.draw()
	return nil
}

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.leaving {
		return m, tea.Quit
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case turned:
		m.hidden = max(0, m.hidden-1)
		cmd = m.turn()
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case tea.PasteMsg:
		// Line breaks become spaces, so that no pasted line is entered unseen.
		for _, part := range strings.Join(strings.Fields(msg.Content), " ") {
			m.edit(tea.PasteMsg{Content: string(part)})
		}
	}
	m.draw()
	if m.leaving || m.err != nil {
		return m, tea.Quit
	}
	return m, cmd
}

// View implements [tea.Model]; [model.Update] draws the screen.
func (*model) View() tea.View { return tea.View{} }

func (m *model) draw() {
	m.width, m.height = tty.Size(m.Out)
	rows, cursor := m.screenful()
	m.err = errors.Join(m.err, m.screen.draw(rows, cursor, m.width, m.height))
}

// press handles a key.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	empty := m.input.Value() == ""
	name := k.String()
	if m.onBoard() {
		switch {
		case name == "enter" && empty && m.over():
			return m.answer("", false)
		case name == "tab", name == "up", name == "down", name == "ctrl+p", name == "ctrl+n":
			return nil
		}
	}
	m.candidates = nil
	switch name {
	case "ctrl+c", "esc":
		m.leaving = name == "ctrl+c" && empty && !(m.command && m.Games != nil)
		m.input.Reset()
		m.at, m.command = len(m.lines), false
	case "ctrl+d":
		m.leaving = empty
		m.edit(k)
	case "enter", "ctrl+j":
		return m.enter()
	case "tab":
		line, candidates := m.completed(m.input.Value())
		m.input.SetValue(line)
		m.input.CursorEnd()
		m.candidates = candidates
	case "up", "ctrl+p":
		m.recall(m.at - 1)
	case "down", "ctrl+n":
		m.recall(m.at + 1)
	case "ctrl+y":
		if m.over() {
			m.copyResult()
		}
	case "pgup":
		m.scrolled -= m.page
	case "pgdown":
		m.scrolled += m.page
	default:
		m.edit(k)
	}
	return nil
}

// edit changes the line by a key or by pasted text.
func (m *model) edit(msg tea.Msg) {
	text, at := m.input.Value(), m.input.Position()
	m.input, _ = m.input.Update(msg) // the command would make a virtual cursor blink
	if !m.onBoard() {
		if now := m.input.Value(); m.command && now == ":" { // a line is typed already
			m.input.Reset()
		}
		return
	}
	switch now := m.input.Value(); {
	case strings.ContainsAny(now, "/:"):
		m.command = true
		m.input.SetValue(strings.TrimPrefix(now[strings.IndexAny(now, "/:"):], ":"))
		m.input.CursorEnd()
	case !m.face().Tiles(strings.ReplaceAll(now, " ", "")).Fits:
		m.input.SetValue(text)
		m.input.SetCursor(at)
	case strings.Contains(now, " "):
		m.input.SetValue(strings.ReplaceAll(now, " ", ""))
	}
}

// onBoard reports whether keys go to the tiles.
func (m *model) onBoard() bool { return m.Games != nil && !m.command }

// copyResult copies the result through the terminal, for sharing.
func (m *model) copyResult() {
	text := bot.Reply{Blocks: bot.Lines(m.face().ShareLines(*m.match)...)}.String()
	_, m.err = io.WriteString(m.Out, ansi.SetSystemClipboard(text))
	m.latest, m.scrolled = len(m.log), 0
	m.say("Copied, if your terminal allows that:\n" + text)
}

// turnEvery is the time between two tiles that turn.
const turnEvery = 140 * time.Millisecond

// turn waits for the next tile of a guess, if one is face down.
func (m *model) turn() tea.Cmd {
	if m.hidden <= 0 {
		return nil
	}
	return tea.Tick(turnEvery, func(time.Time) tea.Msg { return turned{} })
}

// recall puts an earlier line into the input, or an empty line after the last.
func (m *model) recall(at int) {
	if at < 0 || at > len(m.lines) {
		return
	}
	m.at = at
	text := ""
	if at < len(m.lines) {
		text = m.lines[at]
	}
	m.input.SetValue(text)
	m.input.CursorEnd()
}

// enter answers the line. An empty line shows the next page of the log.
func (m *model) enter() tea.Cmd {
	line := strings.TrimSpace(m.input.Value())
	m.input.Reset()
	if line == "" {
		m.scrolled += m.page
		m.command = false
		return nil
	}
	if m.onBoard() {
		return m.answer(line, true)
	}
	m.command = false
	return m.answer(line, false)
}

// answer carries out a line or a guess from the tiles, and shows the outcome. An empty text starts the next match.
func (m *model) answer(text string, tiles bool) tea.Cmd {
	m.latest, m.scrolled = len(m.log), 0
	m.draw()
	stop := m.screen.working()
	before, prompt := m.match, m.prompt()
	ctx := game.WithWaiting(m.ctx)
	var o outcome
	switch {
	case tiles:
		o = m.guess(ctx, text)
	case text == "":
		o = m.carryOut(ctx, m.player, m.next(m.face()))
	default:
		o = m.respond(ctx, text)
	}
	m.renderer.look = m.person.lookOf(ctx, m.player)
	stop()
	m.leaving = o.leave
	another := before == nil || m.match == nil || before.ID != m.match.ID
	if another || len(o.ended) > 0 {
		m.ended, m.hidden = o.ended, 0
	}
	m.command = m.command || m.yes != nil
	switch {
	case o.secret:
		m.say(dim(prompt + "…"))
	case !tiles && text != "":
		m.say(dim(prompt + printable(text)))
		m.lines = append(m.lines, text)
	}
	m.at = len(m.lines)
	m.say(m.renderer.draw(o.brief...))
	switch {
	case tiles && o.guessed && !m.renderer.look.Text:
		m.hidden = marks.Length
		return m.turn()
	case tiles && !o.guessed && m.onBoard() && m.face().Tiles(text).Fits: // the player can correct it
		m.input.SetValue(text)
		m.input.CursorEnd()
	}
	return nil
}

func (m *model) say(text string) {
	if text == "" {
		return
	}
	m.log = append(m.log, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	if extra := len(m.log) - maxLog; extra > 0 {
		m.log = slices.Delete(m.log, 0, extra)
		m.latest = max(0, m.latest-extra)
	}
}

func (m *model) prompt() string { return printable(string(m.player)) + "> " }
