package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/bolt"
)

// newcomer returns the program as a process of a user who has never started it, and that user's
// data folder. On Windows the variables have their usual case.
func newcomer(t *testing.T) (start func(args ...string) *exec.Cmd, data string) {
	t.Helper()
	home := t.TempDir()
	env := []string{"HOME=" + home, "USER=ana"}
	if runtime.GOOS == "windows" {
		env = []string{"LocalAppData=" + home, "UserName=ana", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	}
	vars := cli.Environment(runtime.GOOS, env)
	s, err := settings.Read(&cli.Program{Env: vars}, settings.OfGames)
	if err != nil {
		t.Fatal(err)
	}
	return func(args ...string) *exec.Cmd {
		cmd := process(t, args...)
		cmd.Env = append(cmd.Env, env...)
		return cmd
	}, s.Data
}

// fileNames returns the names in a folder.
func fileNames(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestFirstStart: on a new machine the program starts without any setting, keeps a game
// through a kill, and replaces files. .ci/run has the Windows program do it too.
func TestFirstStart(t *testing.T) {
	start, data := newcomer(t)
	run := func(input string, args ...string) string {
		t.Helper()
		cmd := start(args...)
		cmd.Stdin = strings.NewReader(input)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil || complaints.Len() > 0 {
			t.Fatalf("fivefold %v: %v\n%s%s", args, err, out, complaints.String())
		}
		return strings.ReplaceAll(string(out), "\r\n", "\n")
	}

	// Without a subcommand, as in a double click.
	if out := run("/wordle start\n/guess boats\n"); !strings.Contains(out, " BOATS\n") || !strings.Contains(out, " · 5 guesses left\n") {
		t.Errorf("the first game:\n%s", out)
	}
	if got := fileNames(t, data); len(got) != 1 || got[0] != settings.TerminalFile {
		t.Errorf("the data folder has %v", got)
	}

	// A kill right after a reply.
	killed := start("play")
	in, err := killed.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := killed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "/guess moult\n"); err != nil {
		t.Fatal(err)
	}
	var reply strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		reply.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "Not tried: ") {
			break
		}
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := killed.Wait(); err == nil {
		t.Error("the program ended by itself")
	}
	if !strings.Contains(reply.String(), "MOULT") {
		t.Fatalf("before the kill it said\n%s", reply.String())
	}
	if out := run("/wordle board\n", "play"); !strings.Contains(out, " BOATS\n") || !strings.Contains(out, " MOULT\n") {
		t.Errorf("after the kill:\n%s", out)
	}

	// A copy, put in the store's place; both are there twice, so that files are replaced.
	t.Run("backup and restore", func(t *testing.T) {
		folder := t.TempDir()
		store := "bolt:" + filepath.Join(data, settings.TerminalFile)
		for range 2 {
			for _, args := range [][]string{{"backup", "--overwrite", filepath.Join(folder, "copy.db")}, {"restore", filepath.Join(folder, "copy.db")}, {"compact"}, {"check"}} {
				cmd := start(args...)
				cmd.Env = append(cmd.Env, settings.EnvStore+"="+store)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
			}
		}
		if got := fileNames(t, folder); len(got) != 1 {
			t.Errorf("the folder of the copy has %v", got)
		}
	})
}

// inUse matches what is said about a store that another process uses.
func inUse(path string) *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(path) + `: in use by another process\nstop the bot first, or end the other fivefold`)
}

// TestSecondProgram: a second program on one file of data says at once which file it is and
// what to do.
func TestSecondProgram(t *testing.T) {
	start, data := newcomer(t)
	path := filepath.Join(data, settings.TerminalFile)
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	second := start("solve")
	second.Stdin = strings.NewReader("quit\n")
	answer, err := second.CombinedOutput()
	if err == nil || !inUse(path).Match(answer) {
		t.Errorf("the second one: %v\n%s", err, answer)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
}
