package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

// TestWrongUse runs the command lines in testdata/wronguse.txt. Each says what is wrong,
// once, on standard error only, and changes nothing.
func TestWrongUse(t *testing.T) {
	path, err := filepath.Abs("testdata/wronguse.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	mustWriteFile(t, "words", "crane\nslate\n", 0o600)
	var got strings.Builder
	lines := 0
	for line := range strings.Lines(string(table)) {
		command, isCommand := strings.CutPrefix(line, "$ fivefold ")
		if strings.HasPrefix(line, "#") {
			got.WriteString(line)
		}
		if !isCommand {
			continue
		}
		lines++
		var out, errs bytes.Buffer
		err := runWith(t.Context(), tuning, strings.Fields(command), []string{"HOME=" + filepath.Join(folder, "home")}, strings.NewReader(""), &out, &errs)
		if out.Len() > 0 || errs.Len() > 0 {
			t.Errorf("%sit writes %q and %q besides its error", line, out.String(), errs.String())
		}
		fmt.Fprintf(&got, "%s%v\n[%d]\n", line, err, cli.ExitCode(err))
	}
	if lines < 40 {
		t.Errorf("there are only %d lines", lines)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("files were left: %v, %v", files, err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(table), "\n$ ")
	for i, answer := range strings.Split(got.String(), "\n$ ") {
		if strings.TrimSpace(answer) != strings.TrimSpace(want[i]) {
			t.Errorf("got  %s\nwant %s", answer, want[i])
		}
	}
}

// TestLongLine: a line that is too long to be read ends a program that sends it, in words.
func TestLongLine(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"play"}, {"pokle", "solve"}, {"pokle", "solve", "--json"}} {
		err := runWith(t.Context(), tuning, args, []string{"HOME=."}, strings.NewReader(strings.Repeat("x", 1<<17)), io.Discard, io.Discard)
		if want := "a line of the input has more than 64 KB"; err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
}

// TestExamples: the examples in the help of every command are flags and commands that there are.
func TestExamples(t *testing.T) {
	found := 0
	all := []*cobra.Command{testCommands()}
	for len(all) > 0 {
		cmd := all[0]
		all = append(all[1:], cmd.Commands()...)
		for line := range strings.Lines(cmd.Example) {
			if _, line, ok := strings.Cut(line, " fivefold "); ok {
				found++
				line, _, _ = strings.Cut(line, " >")
				if err := inlineFault(line); err != nil {
					t.Errorf("the example %q: %v", line, err)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d examples", found)
	}
}
