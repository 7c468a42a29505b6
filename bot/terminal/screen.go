package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"fivefold/bot"
	"fivefold/bot/typed"
	"fivefold/game"
	"fivefold/game/marks"
)

// interact answers lines on a screen with the board, the replies and the line. The last screen stays in the terminal.
func (t *Terminal) interact(ctx context.Context) error {
	m := newModel(ctx, t)
	// Lip Gloss would replace the colours by a theme's sixteen in a terminal that it does not know.
	program := tea.NewProgram(m, tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithoutSignalHandler(),
		tea.WithColorProfile(colorprofile.ANSI256), tea.WithFPS(30))
	// With tea.WithContext, bubbletea could close the input while it reads from it.
	stop := context.AfterFunc(ctx, program.Quit)
	defer stop()
	_, err := program.Run()
	m.work.Wait()
	if err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	_, err = fmt.Fprintln(t.Out, m.last())
	return err
}

// model is a person with a screen.
type model struct {
	person
	ctx      context.Context // of the program
	renderer renderer

	width, height int
	input         textinput.Model
	entered       string   // the latest line; if it is still in the tiles, it was refused
	lines         []string // typed commands
	at            int      // the index of the line in the input; len(lines) for a new one

	log    viewport.Model
	said   []string // the lines of the replies
	latest int      // index of the latest reply's first line in said
	fresh  bool     // the latest reply is to be scrolled to
	told   string   // the latest reply; after a guess it is not repeated

	command bool       // keys go to the line, not to the tiles
	hidden  int        // how many tiles of the latest guess are still face down
	race    []bot.Line // how the race goes
	leaving bool

	work sync.WaitGroup // the answer that is being made
	busy bool           // there is one
	slow bool           // it takes long
	keys []tea.Msg      // pressed meanwhile
}

func newModel(ctx context.Context, t *Terminal) *model {
	m := &model{person: person{Terminal: t, player: t.Player}, ctx: ctx, input: textinput.New(), log: viewport.New()}
	m.renderer = renderer{style: inBrackets, console: t.Console}
	if t.Colour {
		m.renderer.style = inColours
	}
	m.input.SetVirtualCursor(false)
	m.input.SetStyles(textinput.Styles{})
	m.input.ShowSuggestions = true
	m.input.CharLimit = 1 << 12
	// These keys are ours, or would start other programs.
	m.input.KeyMap.NextSuggestion, m.input.KeyMap.PrevSuggestion, m.input.KeyMap.Paste = key.Binding{}, key.Binding{}, key.Binding{}
	m.input.Focus()
	return m
}

// The messages of the program's own.
type (
	turned   struct{} // the next tile of a guess turns
	ticked   struct{} // a second has passed
	slow     struct{} // an answer takes long
	answered struct {
		question
		person  person
		outcome outcome
		race    []bot.Line
	}
)

// question is a line to answer. The zero question opens the program.
type question struct {
	line  string
	tiles bool // it is a guess in the tiles
	quiet bool // the player has not typed it
}

// after sends a message after a time.
func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.ask(question{quiet: true}), after(time.Second, ticked{}))
}

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height, m.fresh = msg.Width, msg.Height, true
	case turned:
		if m.hidden = max(0, m.hidden-1); m.hidden > 0 {
			cmd = after(turnEvery, turned{})
		}
	case ticked:
		cmd = tea.Batch(after(time.Second, ticked{}), m.watch())
	case slow:
		m.slow = m.busy
	case answered:
		cmd = m.show(msg)
		pressed := m.keys
		m.keys = nil
		for _, k := range pressed {
			_, next := m.Update(k)
			cmd = tea.Batch(cmd, next)
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		switch key, isKey := msg.(tea.KeyPressMsg); {
		case m.busy:
			m.keys = append(m.keys, msg)
		case isKey && !m.leaving:
			cmd = m.press(key)
		case !isKey:
			m.paste(msg.(tea.PasteMsg).Content)
		}
	}
	if m.leaving {
		return m, tea.Quit
	}
	return m, cmd
}

// press handles a key.
func (m *model) press(k tea.KeyPressMsg) (cmd tea.Cmd) {
	empty, name := m.input.Value() == "", k.String()
	switch {
	case name == "ctrl+c", name == "esc", name == "ctrl+d" && empty:
		m.leaving = name == "ctrl+d" || name == "ctrl+c" && empty && !(m.command && m.Games != nil)
		m.clear()
	case name == "ctrl+z":
		return tea.Suspend
	case name == "enter", name == "ctrl+j":
		return m.enter()
	case name == "?" && (empty || m.onBoard()):
		m.latest, m.fresh = len(m.said), true
		m.say(m.keyHelp())
	case name == "tab" && m.onBoard():
		return m.ask(question{line: "/" + m.face().Commands.Hint})
	case name == "ctrl+y" && m.over():
		text := renderer{}.draw(m.face().ShareLines(*m.match)...)
		m.latest, m.fresh = len(m.said), true
		m.say("Copied, if your terminal allows it:\n" + strings.TrimSuffix(text, "\n"))
		return tea.SetClipboard(text)
	case name == "pgup", name == "pgdown", m.onBoard() && (name == "up" || name == "down"):
		m.log, cmd = m.log.Update(k)
	case name == "up", name == "ctrl+p":
		m.recall(m.at - 1)
	case name == "down", name == "ctrl+n":
		m.recall(m.at + 1)
	default:
		m.edit(k)
	}
	return cmd
}

// paste types a text. Line breaks become spaces, so that no pasted line is entered unseen.
func (m *model) paste(text string) {
	for _, part := range strings.Join(strings.Fields(text), " ") {
		m.edit(tea.PasteMsg{Content: string(part)})
	}
}

// clear empties the line. The next key goes to the tiles, if there are any.
func (m *model) clear() {
	m.input.Reset()
	m.input.SetSuggestions(nil)
	m.at, m.command = len(m.lines), false
}

// edit changes the line by a key or by pasted text.
func (m *model) edit(msg tea.Msg) {
	text, at := m.input.Value(), m.input.Position()
	m.input, _ = m.input.Update(msg) // the command would make a virtual cursor blink
	now := m.input.Value()
	switch begin := strings.IndexAny(now, "/:"); {
	case !m.onBoard():
	case begin >= 0:
		m.at, m.command = len(m.lines), true
		m.input.SetValue(strings.TrimPrefix(now[begin:], ":"))
		m.input.CursorEnd()
	case !m.face().Tiles(strings.ReplaceAll(now, " ", "")).Fits:
		if more := strings.TrimPrefix(now, text); m.entered == text && m.face().Tiles(more).Fits {
			text, at = more, len(more) // begins the next guess
		}
		m.input.SetValue(text)
		m.input.SetCursor(at)
	case strings.Contains(now, " "):
		m.input.SetValue(strings.ReplaceAll(now, " ", ""))
	}
	if leftOut, line := "", m.input.Value(); !m.onBoard() {
		if m.Help != nil && !strings.HasPrefix(line, "/") {
			leftOut = m.Help.Group + " "
		}
		m.input.SetSuggestions(typed.Continued(line, leftOut, m.Bot.Table.Commands))
	}
}

// onBoard reports whether keys go to the tiles.
func (m *model) onBoard() bool { return m.Games != nil && !m.command }

// turnEvery is the time between two tiles that turn.
const turnEvery = 140 * time.Millisecond

// watch looks at the race. After its end it shows the board.
func (m *model) watch() tea.Cmd {
	if m.busy || m.over() {
		return nil
	}
	lines, closed := m.standings(m.ctx)
	m.race = lines
	if closed {
		return m.ask(question{line: "/" + m.face().Commands.Board, quiet: true})
	}
	return nil
}

// recall puts an earlier line into the input, or an empty line after the last.
func (m *model) recall(at int) {
	if at < 0 || at > len(m.lines) {
		return
	}
	m.at = at
	m.input.SetValue(append(slices.Clip(m.lines), "")[at])
	m.input.CursorEnd()
}

// enter answers the line or the guess in the tiles.
func (m *model) enter() tea.Cmd {
	q := question{line: strings.TrimSpace(m.input.Value()), tiles: m.onBoard()}
	m.clear()
	m.entered = q.line
	switch {
	case q.line == "" && q.tiles && m.over():
		q = question{line: m.next(m.face())}
	case q.line == "":
		return nil
	case q.tiles:
		m.input.SetValue(q.line) // stays in the tiles until it is answered
	}
	return m.ask(q)
}

// slowAfter is the time until the screen says that an answer takes long.
const slowAfter = 500 * time.Millisecond

// ask answers a question, while the screen can still be drawn.
func (m *model) ask(q question) tea.Cmd {
	m.busy = true
	a := answered{question: q, person: m.person}
	m.work.Add(1)
	return tea.Batch(func() tea.Msg {
		defer m.work.Done()
		ctx, p := game.WithWaiting(m.ctx), &a.person
		switch {
		case q == question{quiet: true}:
			a.outcome = p.open(ctx)
		case q.tiles:
			p.yes = nil
			a.outcome = p.enterGuess(ctx, p.player, p.face(), q.line)
		default:
			a.outcome = p.respond(ctx, q.line)
		}
		a.race, _ = p.standings(ctx)
		return a
	}, after(slowAfter, slow{}))
}

// show shows an answer.
func (m *model) show(a answered) (cmd tea.Cmd) {
	prompt, o := m.prompt(), a.outcome
	if m.match == nil && a.person.match != nil { // the welcome has been read
		m.said, m.latest = nil, 0
	}
	m.busy, m.slow = false, false
	m.person, m.renderer.look, m.race, m.leaving = a.person, a.person.look, a.race, o.leave
	before, last := m.latest, strings.TrimPrefix(strings.Join(m.said[m.latest:], "\n"), "\n")
	m.latest, m.fresh = len(m.said), true
	m.command = m.yes != nil
	switch {
	case o.secret:
		m.say(m.renderer.dim(prompt + "…"))
	case !a.quiet && !a.tiles:
		m.say(m.renderer.dim(prompt + printable(a.line)))
		m.lines = append(m.lines, a.line)
	}
	m.at = len(m.lines)
	if o.guessed && m.others && m.match.Mode == game.Together { // who made the latest guess
		m.say(strings.TrimSuffix(m.renderer.draw(o.reply.Board.Event), "\n"))
	}
	switch text := strings.TrimSuffix(m.renderer.draw(m.besides(o)...), "\n"); {
	case a.tiles && !o.guessed && text == last: // a refusal is said once
		m.latest = before
	case !o.guessed || text != m.told:
		m.told = text
		m.say(text)
	}
	if a.tiles && (o.guessed || m.command || !m.face().Tiles(a.line).Fits) { // else the player can correct it
		m.input.Reset()
	}
	if m.hidden = 0; a.tiles && o.guessed {
		m.hidden = marks.Length
		return after(turnEvery, turned{})
	}
	return nil
}

func (m *model) say(text string) {
	if text == "" {
		return
	}
	if m.latest == len(m.said) && m.latest > 0 { // an empty line separates replies
		m.said = append(m.said, "")
	}
	m.said = append(m.said, strings.Split(text, "\n")...)
}

func (m *model) prompt() string { return printable(string(m.player)) + "> " }
