package terminal

import (
	"fmt"
	"io"
	"strings"

	"fivefold/bot/terminal/tty"
)

// plainScreen is a terminal that may have neither colours nor a cursor to move. Nothing is
// written but text, and carriage returns while a line is edited.
type plainScreen struct {
	out    io.Writer
	err    error
	drawn  string   // the line that is edited, as far as it is shown
	atEnd  bool     // the cursor is at its end
	edited bool     // a line is shown
	more   []string // lines of a long reply that are not shown yet
}

func (s *plainScreen) write(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.out, text)
	}
}

// say prints text, the first page of it.
func (s *plainScreen) say(m *model, text string) {
	if text == "" {
		return
	}
	m.width, m.height = tty.Size(s.out)
	s.fresh()
	s.more = strings.Split(strings.TrimSuffix(tty.Wrap(text, m.width), "\n"), "\n")
	s.page(m)
}

// page prints as many lines as fit.
func (s *plainScreen) page(m *model) {
	n := min(len(s.more), max(1, m.height-2))
	s.write(strings.Join(s.more[:n], "\r\n") + "\r\n")
	s.more = s.more[n:]
}

// nextPage shows more of a long reply, when an empty line is entered.
func (s *plainScreen) nextPage(m *model) {
	if len(s.more) > 0 {
		s.fresh()
		s.page(m)
	} else {
		s.enter()
	}
}

// enter ends the line that is edited. The rest of a long reply will not be shown any more.
func (s *plainScreen) enter() {
	if s.edited {
		s.write("\r\n")
	}
	s.drawn, s.edited, s.more = "", false, nil
}

// fresh makes sure that the next text begins a line.
func (s *plainScreen) fresh() {
	if s.edited {
		s.write("\r" + strings.Repeat(" ", tty.Width(s.drawn)) + "\r")
	}
	s.drawn, s.edited = "", false
}

// list prints how the line can continue, below it.
func (s *plainScreen) list(m *model, text string) {
	if s.edited {
		s.write("\r\n")
		s.drawn, s.edited = "", false
	}
	s.write(strings.ReplaceAll(strings.TrimSuffix(tty.Wrap(text, m.width), "\n"), "\n", "\r\n") + "\r\n")
}

// editing shows the line as it is now, unless another one is being answered.
func (s *plainScreen) editing(m *model) error {
	if m.busy {
		return s.err
	}
	prompt := m.prompt()
	if len(s.more) > 0 {
		prompt = fmt.Sprintf("-- %d more lines: Enter -- ", len(s.more))
	}
	value := []rune(m.input.Value())
	before, after := value[:m.input.Position()], string(value[m.input.Position():])
	room := max(1, m.width-1-tty.Width(prompt))
	for tty.Width(string(before)) > room {
		before = before[1:] // a long line is shown up to the cursor
	}
	for rest := []rune(after); tty.Width(string(before)+after) > room; after = string(rest) {
		rest = rest[:len(rest)-1]
	}
	left, line := prompt+string(before), prompt+string(before)+after
	if line == s.drawn && (after == "") == s.atEnd && s.atEnd {
		return s.err
	}
	if added, ok := strings.CutPrefix(line, s.drawn); ok && s.atEnd && after == "" || !s.edited && after == "" {
		s.write(added)
	} else {
		s.write("\r" + line + strings.Repeat(" ", max(0, tty.Width(s.drawn)-tty.Width(line))))
		if after != "" || tty.Width(s.drawn) > tty.Width(line) {
			s.write("\r" + left)
		}
	}
	s.drawn, s.edited, s.atEnd = line, true, after == ""
	return s.err
}
