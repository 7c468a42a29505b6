package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"
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
	shown  *vt.Emulator
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
	s := &screen{t: t, cmd: cmd, keys: keys, other: other, output: make(chan []byte), shown: vt.NewEmulator(columns, rows)}
	go io.Copy(keys, s.shown) // what a terminal answers
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
		s.shown.InputPipe().(io.Closer).Close() // ends the copying of answers; Close would race with it
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
	s.shown.Resize(columns, rows)
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
	// What it wrote last may still be on its way. The terminal may answer a question of the program's after its end, and echo that.
	if _, err := io.WriteString(s.other, endMark); err != nil {
		s.t.Fatal(err)
	}
	s.until("the end", func() bool { return strings.Contains(s.raw.String(), endMark) })
}

// read takes what the program wrote.
func (s *screen) read(b []byte) {
	s.raw.Write(b)
	s.shown.Write(b)
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

// text is what the screen shows, without spaces at the ends of rows and empty rows at the end.
func (s *screen) text() string {
	var rows []string
	for row := range strings.SplitSeq(s.shown.String(), "\n") {
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}
