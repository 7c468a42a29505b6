package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/cli"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
)

// TestDocuments runs the commands in the documents and compares what they print.
//
// A fenced block marked console is a session in a terminal:
//
//	```console
//	$ fivefold version
//	fivefold …
//	$ fivefold play
//	> /wordle start
//	A new game. …
//	…
//	6 attempts left.
//	```
//
// A line that starts with "$ " is a command, run by sh; "go run ./cmd/fivefold" is the
// program too. A line that starts with "> " is typed to that command, and other lines
// are what is printed then, on standard output or standard error. "…" is any text
// within a line and, alone on a line, any number of lines; empty lines at the end of
// an output do not count. A program that answers JSON reads ahead, so give it only one
// line for each command.
//
// The blocks of a document run in order in one folder, with no settings, and with one
// data folder, so a block finds the games of those before it. The player is ana. A
// block marked console hidden=WORD starts with a new data folder and draws that word
// for its first game.
//
// The blocks marked console machine are about a machine that the bot is installed on: see
// [machine]. There, "cd FOLDER" holds for the commands after it.
//
// A block of commands that cannot be run has "notest" after its language. A block
// without a language is a mistake; text is for what is no session.
//
// With -update, outputs that differ are rewritten as they are printed, without "…".
func TestDocuments(t *testing.T) {
	racetest.Skip(t)
	commands := 0
	for short, name := range documents(t) {
		t.Run(short, func(t *testing.T) {
			old, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d := document{name: short, shell: newShell(t)}
			text := d.run(t.Context(), string(old))
			commands += d.commands
			if *update && text != string(old) {
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				t.Logf("%s is rewritten", short)
				return
			}
			for _, fault := range d.faults {
				t.Error(fault)
			}
		})
	}
	if commands == 0 {
		t.Error("no document has a command that is run")
	}
}

// documents returns the paths of the repository's documents, by their paths within it.
func documents(t *testing.T) map[string]string {
	t.Helper()
	const root = "../.."
	names := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return fs.SkipDir
		case filepath.Ext(name) == ".md":
			short, err := filepath.Rel(root, name)
			names[short] = name
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if names["README.md"] == "" {
		t.Fatalf("no README.md in %v", names)
	}
	return names
}

// inlineCommand is a command of the program within a paragraph.
var inlineCommand = regexp.MustCompile("(?:^|[^`])`fivefold ([^`]+)`")

// TestInlineCommands: the subcommands and flags named in paragraphs exist. The list of changes
// may name what no longer exists.
func TestInlineCommands(t *testing.T) {
	found := 0
	for short, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if short == "CHANGELOG.md" {
			continue
		}
		for _, match := range inlineCommand.FindAllStringSubmatch(string(text), -1) {
			found++
			if err := inlineFault(match[1]); err != nil {
				t.Errorf("%s: `fivefold %s`: %v", short, match[1], err)
			}
		}
	}
	if found == 0 {
		t.Error("no document names a command")
	}
}

// inlineFault returns what is wrong with a command, given without the program's name.
func inlineFault(command string) error {
	root := testCommands()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	args := strings.Fields(command)
	cmd, _, err := root.Find(args)
	if err != nil || cmd == root && !strings.HasPrefix(args[0], "-") {
		return errors.New("no such command")
	}
	cmd.InitDefaultHelpFlag()
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "--"):
			if cmd.Flags().Lookup(name[2:]) == nil {
				return fmt.Errorf("no flag %s", name)
			}
		case len(arg) == 2 && arg[0] == '-':
			if cmd.Flags().ShorthandLookup(arg[1:]) == nil {
				return fmt.Errorf("no flag %s", arg)
			}
		}
	}
	return nil
}

// link is a link of Markdown or the source of an image.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)|\bsrc="([^"]+)"`)

// TestLinks: links within the repository lead to files, and to headings, that exist.
func TestLinks(t *testing.T) {
	files := documents(t)
	found := 0
	for short, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(withoutBlocks(string(text)), -1) {
			to := match[1] + match[2]
			if strings.Contains(to, "://") {
				continue
			}
			found++
			if fault := linkFault(name, to); fault != "" {
				t.Errorf("%s: %s: %s", short, to, fault)
			}
		}
	}
	if found == 0 {
		t.Error("no document has a link within the repository")
	}
}

// linkFault returns what is wrong with a relative link in a document.
func linkFault(document, to string) string {
	path, heading, hasHeading := strings.Cut(to, "#")
	if path == "" {
		path = document
	} else {
		path = filepath.Join(filepath.Dir(document), path)
	}
	if _, err := os.Stat(path); err != nil {
		return "there is no such file"
	}
	if !hasHeading {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil || filepath.Ext(path) != ".md" || !slices.Contains(anchors(string(text)), heading) {
		return "there is no such heading"
	}
	return ""
}

// anchors returns what links to the headings of a document end in: their words in lower
// case, with hyphens between them, without other punctuation.
func anchors(text string) []string {
	var all []string
	for line := range strings.Lines(withoutBlocks(text)) {
		heading := strings.TrimLeft(line, "#")
		if heading == line || !strings.HasPrefix(heading, " ") {
			continue
		}
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(heading)))
	}
	return all
}

// withoutBlocks returns a document without its fenced blocks.
func withoutBlocks(text string) string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		opening, _, ok := openingFence(line)
		switch {
		case fence != "":
			if strings.TrimSpace(line) == fence {
				fence = ""
			}
		case ok:
			fence = opening
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// TestDocumentsNameAll: the documents name every subcommand and command of the bot.
func TestDocumentsNameAll(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	commandLine := read("docs/command-line.md")
	root := testCommands()
	subcommands := root.Commands()
	for len(subcommands) > 0 {
		c := subcommands[0]
		subcommands = append(subcommands[1:], c.Commands()...)
		if c.Runnable() && c.Parent().Name() != "completion" && !strings.Contains(commandLine, "`"+c.CommandPath()) {
			t.Errorf("docs/command-line.md does not name %s", c.CommandPath())
		}
	}
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	guides := read("docs/playing.md") + read("docs/pokle.md") + read("docs/solve.md")
	for _, c := range commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{Lists: lists})}).Table().Commands {
		if !regexp.MustCompile("`/" + c.Name + "[ `]").MatchString(guides) {
			t.Errorf("the guides do not name /%s", c.Name)
		}
	}
}

// document is a document whose commands are being run.
type document struct {
	name     string
	shell    *shell
	commands int
	faults   []string
}

func (d *document) fault(line int, format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf("%s:%d: %s", d.name, line, fmt.Sprintf(format, args...)))
}

// run returns the text as it would be with the present outputs.
func (d *document) run(ctx context.Context, text string) string {
	var out []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		fence, info, ok := openingFence(lines[i])
		if !ok {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
			end++
		}
		if end == len(lines) {
			d.fault(i+1, "the block has no end")
		}
		block := lines[i+1 : end]
		out = append(out, d.block(ctx, i+1, info, block)...)
		if end < len(lines) {
			out = append(out, lines[end])
		}
		i = end
	}
	return strings.Join(out, "\n")
}

// openingFence returns the fence that a block starts with, and the words after it.
func openingFence(line string) (fence string, info []string, ok bool) {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "`")
	fence = line[:len(line)-len(rest)]
	return fence, strings.Fields(rest), len(fence) >= 3 && !strings.Contains(rest, "`")
}

// shells are the languages of blocks that hold commands.
var shells = []string{"console", "sh", "bash", "shell", "shell-session", "zsh"}

// block returns the lines of a block as they would be now. It starts after this line.
func (d *document) block(ctx context.Context, line int, info, block []string) []string {
	switch {
	case len(info) == 0:
		d.fault(line, "the block has no language: use console for commands with their output, or text")
		return block
	case slices.Contains(info, "notest"):
		return block
	case info[0] == "console":
		return d.console(ctx, line, info[1:], block)
	case slices.Contains(shells, info[0]):
		d.fault(line, "commands that no test runs: use console, or add notest where they cannot be run")
	case slices.ContainsFunc(block, func(l string) bool { return strings.HasPrefix(l, "$ ") }):
		d.fault(line, "a command in a block of %s: use console, or add notest where it cannot be run", info[0])
	}
	return block
}

// console runs the commands of a block.
func (d *document) console(ctx context.Context, line int, options, block []string) []string {
	hidden := ""
	d.shell.onMachine = false
	for _, option := range options {
		if option == "machine" {
			d.shell.onMachine = true
			continue
		}
		word, ok := strings.CutPrefix(option, "hidden=")
		if !ok {
			d.fault(line, "%q: the options are notest, machine and hidden=WORD", option)
			return block
		}
		hidden = word
		if err := d.shell.newData(); err != nil {
			d.fault(line, "%v", err)
		}
	}
	if len(block) == 0 || !strings.HasPrefix(block[0], "$ ") {
		d.fault(line, "a console block starts with a command: $ fivefold …")
		return block
	}
	var now []string
	for i := 0; i < len(block); {
		start := i
		command := strings.TrimPrefix(block[i], "$ ")
		var typed []string
		want := [][]string{nil} // the lines after the command, and after each line typed
		for i++; i < len(block) && !strings.HasPrefix(block[i], "$ "); i++ {
			if input, ok := strings.CutPrefix(block[i], "> "); ok {
				typed = append(typed, input)
				want = append(want, nil)
			} else {
				want[len(want)-1] = append(want[len(want)-1], block[i])
			}
		}
		d.commands++
		got, err := d.shell.run(ctx, command, hidden, typed)
		if err != nil {
			d.fault(line+start+1, "%s: %v, and it printed\n%s", command, err, strings.Join(got, "\n"))
			now = append(now, block[start:i]...)
			continue
		}
		now = append(now, block[start])
		for k, wanted := range want {
			after := ""
			if k > 0 {
				now = append(now, "> "+typed[k-1])
				after = fmt.Sprintf(", after %q", typed[k-1])
			}
			if k >= len(got) {
				d.fault(line+start+1, "%s: it ended before %q was typed", command, typed[k-1])
				break
			}
			if text := strings.Join(wanted, "\n"); !matches(text, got[k]) {
				d.fault(line+start+1, "%s%s: it printed\n%s\nwant\n%s", command, after, got[k], text)
				wanted = strings.Split(strings.TrimRight(got[k], "\n"), "\n")
			}
			now = append(now, wanted...)
		}
	}
	return now
}

// matches reports whether an output is the text wanted, in which "…" is any text and, alone on a
// line, any lines.
func matches(want, got string) bool {
	pattern := regexp.MustCompile(`(?m)^\s*…$\n?`).ReplaceAllString(regexp.QuoteMeta(strings.TrimRight(want, "\n")+"\n"), "(?s:.*)")
	return regexp.MustCompile(`^` + strings.ReplaceAll(pattern, "…", ".*") + `$`).MatchString(strings.TrimRight(got, "\n") + "\n")
}

// shell runs commands one after another. Each finds what those before it left.
type shell struct {
	folder, home, programs string

	t         *testing.T
	onMachine bool     // whether commands run on the machine
	machine   *machine // nil before the first such command
}

func newShell(t *testing.T) *shell {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{folder: t.TempDir(), home: t.TempDir(), programs: t.TempDir(), t: t}
	if err := os.Symlink(self, filepath.Join(s.programs, "fivefold")); err != nil {
		t.Fatal(err)
	}
	return s
}

// newData begins with an empty home, in which the data folder is.
func (s *shell) newData() error {
	if err := os.RemoveAll(s.home); err != nil {
		return err
	}
	return os.Mkdir(s.home, 0o755)
}

// run returns what is printed before the first line typed is read, then after each. If hidden
// is not empty, the program draws that word.
func (s *shell) run(ctx context.Context, command, hidden string, typed []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if s.onMachine {
		if s.machine == nil {
			s.machine = newMachine(s.t)
		}
		return s.machine.run(ctx, command)
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", strings.ReplaceAll(command, "go run ./cmd/fivefold", "fivefold"))
	cmd.Dir = s.folder
	cmd.Env = []string{
		beSession + "=1", hiddenWord + "=" + hidden, "HOME=" + s.home, "USER=ana", "TZ=UTC",
		"PATH=" + s.programs + ":/usr/bin:/bin",
	}
	if len(typed) > 0 {
		cmd.Stdin = strings.NewReader(strings.Join(typed, "\n") + "\n")
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	text := strings.ReplaceAll(out.String(), s.home, "~")
	if len(typed) == 0 { // what was read came through a pipe, and is not shown
		return []string{strings.ReplaceAll(text, mark, "")}, err
	}
	return strings.Split(text, mark), err
}

// Variables of the environment of the program in a document: with the first, the test binary
// runs it instead of the tests; the second is the word that it draws.
const (
	beSession  = "FIVEFOLD_TEST_BE_SESSION"
	hiddenWord = "FIVEFOLD_TEST_HIDDEN"
)

// mark is printed before each line that the program reads.
const mark = "\x00"

// session is the program as documents show it.
func session() {
	if text := os.Getenv(hiddenWord); text != "" {
		tuning.Pick = func(n int) int { return pickWord(text, n) }
	}
	in := &markReader{lines: bufio.NewReader(os.Stdin), out: os.Stdout}
	if err := runWith(context.Background(), tuning, os.Args[1:], os.Environ(), in, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "fivefold: %v\n", err)
		os.Exit(cli.ExitCode(err))
	}
}

// pickWord returns the index of the word among the built-in words to find. Where something
// else is drawn it is always the same.
func pickWord(text string, n int) int {
	lists, err := wordle.Embedded()
	if err != nil {
		panic(err)
	}
	word, err := wordle.ParseWord(text)
	if err != nil {
		panic(err)
	}
	i := slices.Index(lists.Answers(), word)
	switch {
	case i < 0:
		panic(text + " is no word to find")
	case n == math.MaxInt:
		return 51 // the deal of docs/pokle.md, which its picture shows too
	case i >= n:
		return 0
	}
	return i
}

// markReader reads one line at a time, and prints a mark before each.
type markReader struct {
	lines *bufio.Reader
	rest  []byte // of the line
	out   io.Writer
}

func (r *markReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		line, err := r.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		if _, err := io.WriteString(r.out, mark); err != nil {
			return 0, err
		}
		r.rest = line
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
