package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTerminal types into a real terminal of the kernel's: a prompt with
// editing and history, coloured tiles, and plain ones where colour is unwanted.
func TestTerminal(t *testing.T) {
	words := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(words, []byte("crane\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const (
		up        = "\x1b[A"
		backspace = "\x7f"
	)
	for _, c := range []struct {
		name, noColour string
		board          string
	}{
		{"colour", "", "\x1b[1;97;100m S \x1b[0m\x1b[1;97;100m L \x1b[0m\x1b[1;30;42m[A]\x1b[0m"},
		{"NO_COLOR", "1", "⬛⬛🟩⬛🟩 SLATE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			screen := startInTerminal(t, nil, "HOME="+t.TempDir(), "USER=ana", "TERM=xterm", "NO_COLOR="+c.noColour, "FIVEFOLD_ANSWERS="+words)
			screen.waitFor("Fivefold: find the hidden word")
			screen.waitFor("ana> ")
			screen.typed("/wordle start\r")
			screen.waitFor("6 attempts left.")
			screen.typed("/gu\tslave" + backspace + backspace + "te\r") // the tab completes the command
			screen.waitFor(c.board)
			screen.typed(up + "\r") // the same again
			screen.waitFor("That word was guessed already, as attempt 1")
			screen.typed("as ben\r")
			screen.waitFor("ben> ")
			screen.typed("crane\r")
			screen.waitFor("found by ben.")
			screen.typed("\x04") // end of input
			if err := screen.cmd.Wait(); err != nil {
				t.Errorf("the program ended with %v", err)
			}
		})
	}
}

// TestSolveInTerminal asks for help with a puzzle, and goes on in a second run.
func TestSolveInTerminal(t *testing.T) {
	words := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(words, []byte("batch\ncatch\nhatch\nlatch\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + t.TempDir(), "USER=ana", "TERM=xterm", "FIVEFOLD_ANSWERS=" + words, "FIVEFOLD_GUESSES=" + words}
	screen := startInTerminal(t, []string{"solve"}, env...)
	screen.waitFor("Help with a word puzzle that you play elsewhere.")
	screen.waitFor("Guess 1 of 6: try ")
	screen.waitFor("ana> ")
	screen.typed("batch bgggg\r")
	screen.waitFor("\x1b[1;97;100m B \x1b[0m\x1b[1;30;42m[A]\x1b[0m")
	screen.waitFor("Guess 2 of 6: try ")
	screen.typed("quit\r")
	if err := screen.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	screen = startInTerminal(t, []string{"solve"}, env...)
	screen.waitFor("Your puzzle goes on")
	screen.waitFor("Guess 2 of 6: try ")
	screen.typed("catch bgggg\r")
	screen.waitFor("Guess 3 of 6: try ")
	screen.typed("hatch bgggg\r")
	screen.waitFor("Guess 4 of 6: try ")
	screen.typed("/solve next l\t")
	screen.waitFor("/solve next latch")
	screen.typed(" ggggg\r")
	screen.waitFor("Solved in 4 of 6. Well done!")
	screen.typed("\x04")
	if err := screen.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// TestPokleSolveInTerminal asks for help with a poker puzzle, and goes on in a second
// run.
func TestPokleSolveInTerminal(t *testing.T) {
	env := []string{"HOME=" + t.TempDir(), "USER=ana", "TERM=xterm", "NO_COLOR=1"}
	args := []string{"pokle", "solve", "--time", "1m"}
	screen := startInTerminal(t, args, env...)
	screen.waitFor("Help with a poker puzzle that you play elsewhere. Type its deal")
	screen.waitFor("ana> ")
	screen.typed("QD QC 10H 2H 9H KH 213 132 213\r")
	screen.waitFor("32 boards are possible.")
	screen.typed("10C 10D JC QH 10S ygygy\r")
	screen.waitFor("Guess 2 of 6: try ")
	screen.typed("quit\r")
	if err := screen.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	screen = startInTerminal(t, args, env...)
	screen.waitFor("Your puzzle goes on")
	screen.waitFor("Guess 2 of 6: try ")
	screen.typed("ggggg\r")
	screen.waitFor("Solved in 2 of 6. Well done!")
	screen.typed("\x04")
	if err := screen.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// TestTerminalEndsOnSignal: the terminal must not stay raw when the program is
// ended from elsewhere.
func TestTerminalEndsOnSignal(t *testing.T) {
	screen := startInTerminal(t, nil, "HOME="+t.TempDir(), "USER=ana", "TERM=xterm")
	before := screen.mode()
	screen.waitFor("ana> ")
	if screen.mode() == before {
		t.Error("the terminal is not raw while lines are edited")
	}
	if err := screen.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := screen.cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if got := screen.mode(); got != before {
		t.Errorf("the terminal's mode is %x, was %x", got, before)
	}
}

// screen is a terminal with the program in it.
type screen struct {
	t      *testing.T
	cmd    *exec.Cmd
	keys   *os.File // our end
	other  *os.File // the program's end
	output chan []byte
	seen   bytes.Buffer // what was shown since the last text waited for
}

func startInTerminal(t *testing.T, args []string, env ...string) *screen {
	t.Helper()
	return startProcessInTerminal(t, process(t, args...), env...)
}

func startProcessInTerminal(t *testing.T, cmd *exec.Cmd, env ...string) *screen {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals to be had: %v", err)
	}
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 200}); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = other, other, other
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, cmd: cmd, keys: keys, other: other, output: make(chan []byte)}
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

func (s *screen) typed(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, text); err != nil {
		s.t.Fatal(err)
	}
}

// waitFor returns when the text was shown after the one waited for before.
func (s *screen) waitFor(text string) {
	s.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		if _, after, found := strings.Cut(s.seen.String(), text); found {
			s.seen.Reset()
			s.seen.WriteString(after)
			return
		}
		select {
		case b := <-s.output:
			s.seen.Write(b)
		case <-limit:
			s.t.Fatalf("the terminal does not show %q but\n%q", text, s.seen.String())
		}
	}
}

func (s *screen) mode() uint32 {
	s.t.Helper()
	state, err := unix.IoctlGetTermios(int(s.other.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return state.Lflag
}
