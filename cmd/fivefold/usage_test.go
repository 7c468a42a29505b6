package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

// TestWrongUse: each wrong command line says what is wrong in its error alone, and changes nothing.
func TestWrongUse(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	mustWriteFile(t, "words", "crane\nslate\n", 0o600)
	for code, lines := range map[int][]string{
		cli.ExitWrongUse: {
			"sovle",
			"pokle slove",
			"completion tcsh",
			"healthy",
			"export results -o words",
			"solve --strateg minimax",
			"solve --strategy best",
			"solve --trees a.tree",
			"solve cranes bbbbb",
			"solve crane bbqbb",
			"solve crane ggggg",
			"solve --json crane bbbbb",
			"solve --answers missing.txt --hard ultra",
			"tree --opener cranes",
			"solve slate bbbbb slate bbbbb slate bbbbb slate bbbbb slate bbbbb slate bbbbb",
			"pokle solve --time 5s",
			"simulate --strategy best",
			"simulate --boards 1",
			"simulate --boards 8 --against missing.txt",
			"review",
			"review crane",
			"copy a.db bolt:b.db",
			"help nonsense",
		},
		cli.ExitFailure: {"simulate --csv .", "tree -o none/x.tree", "copy bolt:no-such.db bolt:b.db", "compact no-such.db"},
	} {
		for _, line := range lines {
			var out, errs bytes.Buffer
			err := runWith(t.Context(), tuning, strings.Fields(line), []string{"HOME=" + filepath.Join(folder, "home")}, strings.NewReader(""), &out, &errs)
			if got := cli.ExitCode(err); got != code {
				t.Errorf("%s: exit code %d, want %d: %v", line, got, code, err)
			}
			if out.Len() > 0 || errs.Len() > 0 {
				t.Errorf("%s writes %q and %q besides its error", line, out.String(), errs.String())
			}
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("files were left: %v, %v", files, err)
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
