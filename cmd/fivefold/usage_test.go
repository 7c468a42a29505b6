package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	if lines < 60 {
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

// everyCommand calls a function for each command that users see.
func everyCommand(cmd *cobra.Command, call func(*cobra.Command)) {
	call(cmd)
	for _, c := range cmd.Commands() {
		everyCommand(c, call)
	}
}

// TestHelp: the help of every command has an example and fits into 80 columns.
func TestHelp(t *testing.T) {
	root := testCommands()
	everyCommand(root, func(cmd *cobra.Command) {
		var out bytes.Buffer
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		if err := runWith(t.Context(), tuning, args, nil, strings.NewReader(""), &out, &out); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %s", args, n, line)
			}
		}
		if !strings.Contains(out.String(), "\nExamples:\n  ") {
			t.Errorf("%s: no example", args)
		}
		if cmd.HasParent() && cmd.Parent() == root && cmd.GroupID == "" && cmd.Name() != "help" {
			t.Errorf("%s: no group", args)
		}
		for line := range strings.Lines(cmd.Example) {
			_, line, found := strings.Cut(line, "fivefold ")
			if !found {
				continue
			}
			found1, rest, err := root.Find(strings.Fields(line))
			if err == nil {
				rest = strings.Fields(strings.Split(strings.Join(rest, " "), " >")[0])
				err = found1.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("the example %q: %v", line, err)
			}
		}
	})
}

// TestCompletion: every flag with a value, and every argument, is completed, or it is said
// that nothing is: otherwise a shell offers files.
func TestCompletion(t *testing.T) {
	root := testCommands()
	everyCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok && f.Value.Type() != "bool" {
				t.Errorf("%s --%s completes nothing", cmd.CommandPath(), f.Name)
			}
		})
		if strings.Contains(cmd.Use, " ") && cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil {
			t.Errorf("%s: its arguments are not completed", cmd.CommandPath())
		}
	})
	for _, c := range []struct{ typed, want string }{
		{"so", "solve\tHelp with a puzzle, or say what to guess next\n:4"},
		{"pokle s", "simulate\tMake deals, play each with the solver, and count the guesses\nsolve\tHelp with a poker puzzle, or say which board to guess next\n:4"},
		{"help pokle so", "simulate\tMake deals, play each with the solver, and count the guesses\nsolve\tHelp with a poker puzzle, or say which board to guess next\n:4"},
		{"simulate --strategy ra", "optimal\nexpected\nentropy\nminimax\nparts\nrandom\n:4"},
		{"solve --strategy mini", "optimal\nexpected\nentropy\nminimax\nparts\n:4"},
		{"explain cran", "crane\ncrank\ncrans\n:4"},
		{"explain crane --after slan", "slane:\nslang:\nslank:\nslant:\n:6"},
		{"solve crane b", ":4"},
		{"tree --time ", "500ms\n2s\n10s\n1m\n10m\n1h\n:4"},
		{"simulate --csv ", "csv\n:8"},
		{"completion f", "fish\n:4"},
		{"completion --install z", "zsh\n:4"},
		{"backup ", ":0"},
		{"backup a ", ":4"},
		{"man ", ":16"},
		{"play ", ":4"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"__complete"}, strings.Split(c.typed, " ")...)
		if err := runWith(t.Context(), tuning, args, nil, strings.NewReader(""), &out, &errs); err != nil {
			t.Errorf("%s: %v", c.typed, err)
		}
		if got := strings.TrimSpace(out.String()); got != c.want {
			t.Errorf("%q completes to\n%s\nwant\n%s", c.typed, got, c.want)
		}
	}
}

// TestManPages: there is a page for every command, the same each time.
func TestManPages(t *testing.T) {
	var pages [2]map[string]string
	for i := range pages {
		folder := filepath.Join(t.TempDir(), "man", "man1")
		if err := runWith(t.Context(), tuning, []string{"man", folder}, nil, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		pages[i] = map[string]string{}
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			content, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			pages[i][f.Name()] = string(content)
		}
	}
	everyCommand(testCommands(), func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		if page := pages[0][name]; (cmd.IsAvailableCommand() || !cmd.HasParent()) && (!strings.Contains(page, ".SH EXAMPLE") || page != pages[1][name]) {
			t.Errorf("%s is\n%s\nand then\n%s", name, page, pages[1][name])
		}
	})
	if page := pages[0]["fivefold.1"]; !strings.HasPrefix(page, ".TH \"FIVEFOLD\" 1 \"\" \"fivefold ") {
		t.Errorf("the head has a date:\n%.200s", page)
	}
	if page := pages[0]["fivefold-simulate.1"]; !strings.Contains(page, "\n.TP\noptimal\nthe fewest guesses for all hidden words together\n") {
		t.Errorf("the table of strategies is not kept:\n%s", page)
	}
	root := pages[0]["fivefold.1"]
	commands, exits, _ := strings.Cut(root, ".SH EXIT STATUS")
	_, commands, _ = strings.Cut(commands, ".SH COMMANDS")
	for _, cmd := range testCommands().Commands() {
		if cmd.IsAvailableCommand() && !strings.Contains(commands, "\n.TP\n"+cmd.Name()+"\n"+cmd.Short+"\n") {
			t.Errorf("COMMANDS does not name %s:\n%s", cmd.Name(), commands)
		}
	}
	exits, _, _ = strings.Cut(exits, ".SH")
	documented, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{0, cli.ExitFailure, cli.ExitWrongUse, cli.ExitRestart, cli.ExitInterrupted} {
		if !strings.Contains(exits, fmt.Sprintf("\n.TP\n%d\n", code)) || !strings.Contains(string(documented), fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("the exit status %d is not said:\n%s", code, exits)
		}
	}
	for name, page := range pages[0] {
		for _, match := range regexp.MustCompile(`(?s)\n\.EX\n(.*?)\n\.EE\n`).FindAllStringSubmatch(page, -1) {
			for line := range strings.Lines(match[1]) { // lines that man does not fill, seven columns further right
				if n := utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSpace(line), `\`, "")); n > 73 {
					t.Errorf("%s: %d columns: %s", name, n+7, line)
				}
			}
		}
	}
}

// TestInstallCompletion: the scripts and the man pages get where a shell and man find them, in a new home.
func TestInstallCompletion(t *testing.T) {
	for _, c := range []struct {
		shell, script string
		args, env     []string
		pages         string
	}{
		{"bash", ".local/share/bash-completion/completions/fivefold", nil, []string{"SHELL=/usr/bin/bash"}, ".local/share"},
		{"fish", ".config/fish/completions/fivefold.fish", []string{"fish"}, []string{"SHELL=/bin/bash"}, ".local/share"},
		{"zsh", ".zfunc/_fivefold", []string{"zsh"}, nil, ".local/share"},
		{"bash", "data/bash-completion/completions/fivefold", []string{"bash"}, []string{"XDG_DATA_HOME=HOME/data"}, "data"},
		{"fish", "config/fish/completions/fivefold.fish", []string{"fish"}, []string{"XDG_CONFIG_HOME=HOME/config"}, ".local/share"},
	} {
		home := t.TempDir()
		env := []string{"HOME=" + home}
		for _, e := range c.env {
			env = append(env, strings.Replace(e, "HOME/", home+"/", 1))
		}
		var out, want bytes.Buffer
		if err := runWith(t.Context(), tuning, append([]string{"completion", "--install"}, c.args...), env, strings.NewReader(""), &out, &out); err != nil {
			t.Errorf("%s: %v", c.shell, err)
			continue
		}
		if err := runWith(t.Context(), tuning, []string{"completion", c.shell}, env, strings.NewReader(""), &want, &want); err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(filepath.Join(home, c.script))
		if err != nil || string(script) != want.String() || len(script) < 1000 {
			t.Errorf("%s: %d bytes of %d, %v", c.script, len(script), want.Len(), err)
		}
		if _, err := os.Stat(filepath.Join(home, c.pages, "man/man1/fivefold-solve.1")); err != nil {
			t.Error(err)
		}
		if !strings.Contains(out.String(), filepath.Join(home, c.script)) || (c.shell == "zsh") != strings.Contains(out.String(), "fpath+=~/.zfunc") {
			t.Errorf("%s: it says %q", c.shell, out.String())
		}
	}
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{nil, []string{"HOME=/x", "SHELL=/bin/dash"}, "SHELL dash: it can be bash, zsh, fish or powershell"},
		{nil, []string{"HOME=/x"}, "which SHELL is not known"},
		{[]string{"powershell"}, []string{"HOME=/x"}, "fivefold completion powershell >>$PROFILE"},
		{[]string{"bash"}, nil, "HOME is not set"},
	} {
		err := runWith(t.Context(), tuning, append([]string{"completion", "--install"}, c.args...), c.env, strings.NewReader(""), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %q", c.args, c.env, err, c.want)
		}
	}
}
