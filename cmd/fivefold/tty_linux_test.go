package main

import (
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

const (
	keyUp        = "\x1b[A"
	keyLeft      = "\x1b[D"
	keyBackspace = "\x7f"
	keyPageDown  = "\x1b[6~"
	ctrlC        = "\x03"
	ctrlD        = "\x04"
	ctrlY        = "\x19"
)

// inTerminal starts the program in a terminal of 80 columns, with these words to find.
func inTerminal(t *testing.T, args []string, words string, env ...string) *screen {
	t.Helper()
	if words != "" {
		list := filepath.Join(t.TempDir(), "words.txt")
		mustWriteFile(t, list, words, 0o644)
		env = append(env, "FIVEFOLD_ANSWERS="+list)
	}
	return startOn(t, 80, 24, process(t, args...), append([]string{"USER=ana", "TERM=xterm", fmt.Sprint(envBegan, "=", time.Now().UnixNano())}, env...)...)
}

// noEscapes checks that the program wrote no control sequence.
func (s *screen) noEscapes() {
	s.t.Helper()
	if text, _, _ := strings.Cut(s.raw.String(), endMark); strings.Contains(text, "\x1b") {
		s.t.Errorf("there are control sequences in %q", text)
	}
}

// boardReady is shown while keys go to the tiles.
const boardReady = "Enter guess"

// TestTerminal plays in a real terminal of the kernel's: the board is drawn in place, lines
// are edited, completed and recalled, and others can play.
func TestTerminal(t *testing.T) {
	s := inTerminal(t, nil, "crane\n", "HOME="+t.TempDir())
	s.shows("Welcome, ana!", "Word game · 6 guesses left", "╭───╮", " Q   W   E   R ", boardReady)
	s.typed("/wordle start\r")
	s.shows("Find the five-letter word together")
	s.typed("slave" + keyBackspace + keyBackspace + "tx" + keyLeft + keyBackspace + "t\x1b[3~e") // Del takes the x
	s.shows("│ S │ │ L │ │ A │ │ T │ │ E │")
	s.typed("\r")
	s.shows("Word game · 5 guesses left", "  S     L     A     T     E", " Q   W  [E]  R   t   Y")
	if tile := s.shown.CellAt(15, 3); tile.Content != "A" || tile.Style.Fg != ansi.IndexedColor(16) || tile.Style.Bg != ansi.IndexedColor(71) {
		t.Errorf("a tile is %+v", tile)
	}
	s.resize(40, 24)
	s.shows(" S   L  [A]  T  [E]\n")
	s.typed("react\r")
	s.shows("Word game · 4 guesses left", "(R) (E) [A] (C)  T")
	s.resize(80, 24)
	s.shows("  S     L     A     T     E  ", "▐ R ▌ ▐ E ▌   A   ▐ C ▌   T  ")
	s.typed("/gu\t react\r") // the tab completes the command
	s.shows("REACT")
	s.typed("lions\r")
	s.shows("3 guesses left")
	s.typed(":as ben\r")
	s.shows("You're ben now.", "Fivefold · ben")
	s.typed("crane\r")
	s.shows("  C     R     A     N     E", "play again")
	s.typed(ctrlY)
	s.shows("Copied", "🔳🔳🟩🔳🟩")
	if !strings.Contains(s.raw.String(), "\x1b]52;c;") {
		t.Error("the result is not copied through the terminal")
	}
	s.typed("?")
	s.shows("pause", "Games are kept in")
	s.typed(ctrlD)
	s.ends()
	if text := s.text(); !strings.Contains(text, "  C     R     A     N     E  ") || strings.Contains(text, "Ctrl-C quit") {
		t.Errorf("what stays is not the last screen without its footer:\n%s", text)
	}
}

// TestTerminalWithoutColours: NO_COLOR keeps the board, with shapes and brackets.
func TestTerminalWithoutColours(t *testing.T) {
	s := inTerminal(t, nil, "crane\n", "HOME="+t.TempDir(), "NO_COLOR=1")
	s.shows("Welcome, ana!", boardReady)
	s.typed("react\r")
	s.shows("( R ) ( E ) [ A ] ( C )   t", "5 guesses left")
	s.typed(ctrlD)
	s.ends()
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*[34]8;`).FindString(s.raw.String()); colour != "" {
		t.Errorf("%q is written", colour)
	}
}

// TestDumbTerminal: nothing is written but text, letters and brackets.
func TestDumbTerminal(t *testing.T) {
	s := inTerminal(t, nil, "crane\n", "HOME="+t.TempDir(), "TERM=dumb")
	s.shows("Welcome, ana!", "ana>")
	s.typed("zzzzz\r") // it starts a game, and is refused
	s.shows("ZZZZZ")
	s.typed("/guess slate\r")
	s.shows(" s  l [A] t [E]", "5 guesses left")
	s.typed("crane\r")
	s.shows("[C][R][A][N][E]", "ana>")
	s.typed("/wordle challenge zonky what nobody says\r")
	s.shows("what nobody says")
	s.hides("zonky") // it is pushed up
	s.typed(ctrlD)
	s.ends()
	s.noEscapes()
	if strings.ContainsAny(s.raw.String(), "🔳🟨🟩🥇") {
		t.Errorf("there are coloured squares in\n%s", s.text())
	}
}

// TestTerminalInterrupt: Ctrl-C clears the line, and leaves on an empty one.
func TestTerminalInterrupt(t *testing.T) {
	s := inTerminal(t, nil, "", "HOME="+t.TempDir())
	s.shows(boardReady)
	s.typed(":half a li")
	s.shows("ana> half a li")
	s.typed(ctrlC)
	s.hides("half a li")
	s.typed(ctrlC)
	s.ends()
}

// TestLogWaitsForScreen: a command with a screen writes its log when the screen is gone.
func TestLogWaitsForScreen(t *testing.T) {
	keys, screen := openTerminal(t)
	p := &cli.Program{In: screen, Out: screen, ErrOut: screen}
	release := p.HoldLog()
	log := settings.Settings{}.Logger(p.ErrOut, slog.LevelWarn)
	log.Warn("first")
	fmt.Fprint(screen, "the screen")
	if err := release(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 4096)
	read, err := io.ReadAtLeast(keys, text, len("the screentime=2026-11-22T12:00:00.000Z level=WARN msg=first\r\n")-1)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text[:read]); !regexp.MustCompile(`^the screentime=\S+ level=WARN msg=first\r\n$`).MatchString(got) {
		t.Errorf("it writes %q", got)
	}
}

// TestTerminalEndsOnSignal: the terminal must not stay raw when the program is
// ended from elsewhere.
func TestTerminalEndsOnSignal(t *testing.T) {
	for _, term := range []string{"xterm", "dumb"} {
		s := inTerminal(t, nil, "", "HOME="+t.TempDir(), "TERM="+term)
		s.shows("Welcome, ana!")
		if raw := s.mode() != s.before; raw != (term == "xterm") {
			t.Errorf("while lines are typed, it is %t that the terminal is raw", raw)
		}
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		s.ends()
		if got := s.mode(); got != s.before {
			t.Errorf("the terminal's mode is %x, was %x", got, s.before)
		}
	}
}
