package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// conversation is a program that is being typed to.
type conversation struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

func newConversation(t *testing.T, environ []string) *conversation {
	t.Helper()
	t.Chdir(t.TempDir()) // where there is no .env
	in, typed := io.Pipe()
	shown, out := io.Pipe()
	c := &conversation{t, typed, bufio.NewReader(shown), make(chan error, 1)}
	go func() {
		err := runWith(t.Context(), tuning, []string{"play"}, environ, in, out, os.Stderr)
		out.CloseWithError(io.EOF)
		c.done <- err
	}()
	return c
}

// ask types a line and returns what follows, up to the answer of another line that
// always has one.
func (c *conversation) ask(line string) string {
	c.t.Helper()
	const end = "You're ana now."
	go io.WriteString(c.in, line+"\nas ana\n") // it fails if the program ends meanwhile
	var reply strings.Builder
	for {
		next, err := c.out.ReadString('\n')
		reply.WriteString(next)
		if err != nil || strings.Contains(next, end) {
			return reply.String()
		}
	}
}

// fileOf returns the number of this process's open file with a path.
func fileOf(t *testing.T, path string) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	for _, f := range open {
		if name, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && name == path {
			n, err := strconv.Atoi(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s is not open", path)
	return 0
}

// replaceFile makes the number of an open file stand for another file.
func replaceFile(t *testing.T, file int, path string, flags int) {
	t.Helper()
	other, err := unix.Open(path, flags, 0)
	if err == nil {
		err = errors.Join(unix.Dup3(other, file, unix.O_CLOEXEC), unix.Close(other))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDiskTakesNothing plays on a disk that turns read-only and back.
func TestDiskTakesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	folder := t.TempDir()
	words := filepath.Join(folder, "words.txt")
	mustWriteFile(t, words, "crane\n", 0o600)
	store := filepath.Join(folder, "test.db")
	c := newConversation(t, []string{"USER=ana", "FIVEFOLD_DATA=" + folder, "FIVEFOLD_ANSWERS=" + words, "FIVEFOLD_STORE=bolt:" + store, "FIVEFOLD_LOG_LEVEL=error"})
	check := func(line string, want ...string) {
		t.Helper()
		got := c.ask(line)
		for _, want := range want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got\n%s\nwant %q", line, got, want)
			}
		}
	}
	const no = "I can't save right now; "
	check("/wordle start", "6 guesses")
	check("/guess crane", "Uncanny!")
	check("/wordle start", "6 guesses")
	check("/guess slate", "5 guesses left")

	file := fileOf(t, store)
	writable, err := unix.Dup(file)
	if err != nil {
		t.Fatal(err)
	}
	replaceFile(t, file, store, unix.O_RDONLY)
	check("/guess crane", no+"your guess was not counted.")
	check("/pokle start", no+"no game was started.")
	check("/wordle board", "5 guesses left")
	check("/stats ana", "played 1, solved 100%")
	check("/solve next crane bbbbb", no+"your puzzle was not changed.")

	if err := unix.Dup3(writable, file, unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	check("/guess grape", "4 guesses left")

	if err := errors.Join(unix.Close(writable), c.in.Close(), <-c.done); err != nil {
		t.Error(err)
	}
}

// TestFailedSyncEndsProgram: the program ends with a code of its own, and what it refused is
// not there when it is started again.
func TestFailedSyncEndsProgram(t *testing.T) {
	folder := t.TempDir()
	environ := []string{"USER=ana", "FIVEFOLD_DATA=" + folder, "FIVEFOLD_LOG_LEVEL=error"}
	c := newConversation(t, environ)
	if out := c.ask("/wordle start"); !strings.Contains(out, "6 guesses") {
		t.Error(out)
	}
	// This device takes writes and cannot be synced.
	replaceFile(t, fileOf(t, filepath.Join(folder, settings.TerminalFile)), os.DevNull, unix.O_RDWR)
	out := c.ask("/guess lakes")
	if err := <-c.done; cli.ExitCode(err) != cli.ExitRestart || !strings.Contains(out, "your guess was not counted") {
		t.Errorf("%v:\n%s", err, out)
	}
	c = newConversation(t, environ)
	if out := c.ask("/wordle board") + c.ask("/guess lakes"); !strings.Contains(out, "6 guesses") || !strings.Contains(out, "5 guesses left") {
		t.Errorf("started again:\n%s", out)
	}
	if err := errors.Join(c.in.Close(), <-c.done); err != nil {
		t.Error(err)
	}
}

// TestFirstStartOnFullDisk: where there is no room for the new store, the program says so. Once
// there is room, it starts.
func TestFirstStartOnFullDisk(t *testing.T) {
	for _, blocks := range []string{"0", "40"} { // of 512 bytes, in a file
		program := process(t, "play")
		program.Env = append(program.Env, "FIVEFOLD_STORE=bolt:data/games.db")
		full := exec.Command("/bin/sh", "-c", `ulimit -f "$0" && exec "$@"`, blocks, program.Path, "play")
		full.Dir, full.Env = program.Dir, program.Env
		out, err := full.CombinedOutput()
		said, advice, _ := strings.Cut(string(out), "\n")
		if err == nil || !strings.HasPrefix(said, "fivefold: cannot open the store data/games.db: ") || !strings.HasSuffix(said, ": file too large") || strings.Count(advice, "\n") != 1 {
			t.Errorf("with %s blocks: %v: %s", blocks, err, out)
		}
		program.Stdin = strings.NewReader("/wordle start\n")
		if out, err := program.CombinedOutput(); err != nil || !strings.Contains(string(out), "6 guesses left") {
			t.Errorf("with room: %v: %s", err, out)
		}
	}
}
