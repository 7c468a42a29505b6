package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"fivefold/bot/terminal/tty"
)

// screen is a terminal with a program in it, and what it shows.
type screen struct {
	t      *testing.T
	cmd    *exec.Cmd
	keys   *os.File // our end
	other  *os.File // the program's end
	output chan []byte
	before uint32          // the terminal's mode before the program started
	raw    strings.Builder // everything that was written
	emulator
}

// longWait is how long a test waits for what should come. It is not a measure of speed:
// nothing fails because a machine is busy.
const longWait = 5 * time.Minute

// openTerminal returns the person's end of a terminal, and the program's.
func openTerminal(t *testing.T) (keys, other *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals to be had: %v", err)
	}
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		other, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		other.Close()
		keys.Close()
	})
	return keys, other
}

// startOn starts a program in a terminal of that size.
func startOn(t *testing.T, columns, rows int, cmd *exec.Cmd, env ...string) *screen {
	t.Helper()
	keys, other := openTerminal(t)
	s := &screen{t: t, cmd: cmd, keys: keys, other: other, output: make(chan []byte)}
	s.before = s.mode()
	s.resize(columns, rows)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = other, other, other
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.output)
		for {
			b := make([]byte, 4096)
			n, err := keys.Read(b)
			if err != nil {
				return
			}
			s.output <- b[:n]
		}
	}()
	t.Cleanup(func() {
		// Both fail where the test has ended the program already.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		other.Close()
		keys.Close()
		for range s.output {
		}
	})
	return s
}

// resize makes the terminal that large; the program learns of it.
func (s *screen) resize(columns, rows int) {
	s.t.Helper()
	s.emulator.resize(columns, rows)
	if err := unix.IoctlSetWinsize(int(s.keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) typed(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, text); err != nil {
		s.t.Fatal(err)
	}
}

// until returns when the screen is as wanted; what describes that.
func (s *screen) until(what string, wanted func() bool) {
	s.t.Helper()
	limit := time.After(longWait)
	for !wanted() {
		select {
		case b, more := <-s.output:
			if !more {
				s.t.Fatalf("the terminal was closed before it showed %s:\n%s", what, s.text())
			}
			s.read(b)
		case <-limit:
			s.t.Fatalf("the terminal does not show %s but\n%s", what, s.text())
		}
	}
}

// shows waits until the screen has all these texts, each in one row.
func (s *screen) shows(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		s.until(fmt.Sprintf("%q", text), func() bool { return strings.Contains(s.text(), text) })
	}
}

// hides waits until the screen no longer has the text.
func (s *screen) hides(text string) {
	s.t.Helper()
	s.until(fmt.Sprintf("no %q any more", text), func() bool { return !strings.Contains(s.text(), text) })
}

// ends waits for the end of the program, and reads what it wrote until then.
func (s *screen) ends() {
	s.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	limit := time.After(longWait)
	for running := true; running; {
		select {
		case err := <-ended:
			if err != nil {
				s.t.Errorf("the program ended with %v", err)
			}
			running = false
		case b := <-s.output:
			s.read(b)
		case <-limit:
			s.t.Fatalf("the program does not end:\n%s", s.text())
		}
	}
	// What it wrote last may still be on its way.
	if _, err := io.WriteString(s.other, endMark); err != nil {
		s.t.Fatal(err)
	}
	s.until("the end", func() bool { return strings.HasSuffix(s.raw.String(), endMark) })
}

// read takes what the program wrote.
func (s *screen) read(b []byte) {
	s.t.Helper()
	s.raw.Write(b)
	s.write(b)
	if s.unknown != "" {
		s.t.Fatalf("the terminal does not know %q", s.unknown)
	}
}

// endMark is written after the end of a program. It changes nothing on the screen.
const endMark = "\x1b7\x1b7"

func (s *screen) mode() uint32 {
	s.t.Helper()
	state, err := unix.IoctlGetTermios(int(s.other.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return state.Lflag
}

// emulator is as much of an xterm as the program needs. What it does not know is an error.
type emulator struct {
	columns, rows int
	cells         [][]cell // of the screen that is shown
	main          [][]cell // while the other screen is shown
	x, y          int
	style         style
	pending       []byte // the beginning of a sequence
	unknown       string // a sequence that it does not know
}

type cell struct {
	text string
	style
}

// style is how a character looks. The colours are SGR parameters, 0 for the usual ones.
type style struct {
	bold, dim              bool
	foreground, background int
}

// sgr returns the sequence that sets the style, whatever it was before.
func (s style) sgr() string {
	text := "\x1b[0"
	if s.bold {
		text += ";1"
	}
	if s.dim {
		text += ";2"
	}
	for _, colour := range []int{s.foreground, s.background} {
		if colour != 0 {
			text += ";" + strconv.Itoa(colour)
		}
	}
	return text + "m"
}

// set changes the style by an SGR parameter, and reports whether it is known.
func (s *style) set(parameter int) bool {
	switch p := parameter; {
	case p == 0:
		*s = style{}
	case p == 1:
		s.bold = true
	case p == 2:
		s.dim = true
	case p >= 30 && p <= 37 || p >= 90 && p <= 97:
		s.foreground = p
	case p >= 40 && p <= 47 || p >= 100 && p <= 107:
		s.background = p
	default:
		return false
	}
	return true
}

func (e *emulator) resize(columns, rows int) {
	e.columns, e.rows = columns, rows
	fit := func(cells [][]cell) [][]cell {
		for len(cells) < rows {
			cells = append(cells, nil)
		}
		cells = cells[len(cells)-rows:]
		for i := range cells {
			cells[i] = slices.Clip(cells[i][:min(len(cells[i]), columns)])
		}
		return cells
	}
	e.cells = fit(e.cells)
	if e.main != nil {
		e.main = fit(e.main)
	}
	e.x, e.y = min(e.x, columns-1), min(e.y, rows-1)
}

// write interprets what a program wrote.
func (e *emulator) write(b []byte) {
	b = append(e.pending, b...)
	e.pending = nil
	for len(b) > 0 {
		n := e.step(b)
		if n == 0 {
			e.pending = slices.Clone(b)
			return
		}
		b = b[n:]
	}
}

// step interprets the first character or sequence, and returns its length; 0 if it is not
// complete.
func (e *emulator) step(b []byte) int {
	switch c := b[0]; {
	case c == '\x1b':
		return e.escape(b)
	case c == '\r':
		e.x = 0
	case c == '\n':
		e.down()
	case c == '\b':
		e.x = max(0, e.x-1)
	case c < ' ' || c == 0x7f:
		e.unknown = string(c)
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		e.put(string(r))
		return n
	}
	return 1
}

func (e *emulator) put(text string) {
	width := tty.Width(text)
	if e.x+width > e.columns {
		e.x = 0
		e.down()
	}
	row := e.row(e.y)
	row[e.x] = cell{text, e.style}
	for i := 1; i < width; i++ {
		row[e.x+i] = cell{"", e.style}
	}
	e.x += width
}

// row returns a row with all its cells.
func (e *emulator) row(y int) []cell {
	for len(e.cells[y]) < e.columns {
		e.cells[y] = append(e.cells[y], cell{text: " "})
	}
	return e.cells[y]
}

func (e *emulator) down() {
	if e.y == e.rows-1 {
		e.cells = append(e.cells[1:], nil)
	} else {
		e.y++
	}
}

func (e *emulator) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= '@' && b[i] <= '~' {
				e.control(string(b[2:i]), b[i], string(b[:i+1]))
				return i + 1
			}
		}
		return 0
	case ']': // the clipboard
		return strings.IndexByte(string(b), '\a') + 1
	case '7': // see endMark
		return 2
	}
	e.unknown = string(b[:2])
	return 2
}

// control interprets ESC [ parameters final.
func (e *emulator) control(parameters string, final byte, all string) {
	var numbers []int
	for part := range strings.SplitSeq(strings.TrimPrefix(parameters, "?"), ";") {
		n, _ := strconv.Atoi(part) // nothing is 0
		numbers = append(numbers, n)
	}
	switch {
	case parameters == "?1049" && final == 'h': // the other screen
		e.main, e.cells = e.cells, make([][]cell, e.rows)
	case parameters == "?1049" && final == 'l':
		e.cells, e.main, e.x, e.y = e.main, nil, 0, 0
	case parameters == "?25" || parameters == "?2004": // the cursor; pasting
	case final == 'H' && len(numbers) == 2:
		e.y, e.x = min(e.rows, numbers[0])-1, min(e.columns, numbers[1])-1
	case final == 'H':
		e.y, e.x = 0, 0
	case final == 'J' && numbers[0] == 2:
		e.cells = make([][]cell, e.rows)
	case final == 'K' && numbers[0] == 2:
		e.cells[e.y] = nil
	case final == 'm':
		for _, n := range numbers {
			if !e.style.set(n) {
				e.unknown = all
			}
		}
	default:
		e.unknown = all
	}
}

// text is what the screen shows, without spaces at the ends of rows and empty rows at the
// end.
func (e *emulator) text() string { return textOf(e.cells, false) }

// coloured is the same with colours.
func (e *emulator) coloured() string { return textOf(e.cells, true) }

func textOf(cells [][]cell, colours bool) string {
	var rows []string
	for _, row := range cells {
		var b strings.Builder
		var now style
		end := len(row)
		for end > 0 && row[end-1] == (cell{text: " "}) {
			end--
		}
		for _, c := range row[:end] {
			if colours && c.style != now {
				now = c.style
				b.WriteString(now.sgr())
			}
			b.WriteString(c.text)
		}
		if now != (style{}) {
			b.WriteString(style{}.sgr())
		}
		text := b.String()
		if !colours {
			text = strings.TrimRight(text, " ")
		}
		rows = append(rows, text)
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}
