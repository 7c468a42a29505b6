package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/typed"
	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
)

// TestDocuments runs the commands in the documents and compares what they print.
//
// A fenced block marked console is a session in a terminal:
//
//	```console
//	$ fivefold --version
//	fivefold …
//	$ fivefold play
//	> /wordle start
//	Word game · 6 guesses left
//	…
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
// without a language is a mistake; text is for what is not a session.
//
// With -update, outputs that differ are rewritten as they are printed, without "…".
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	for short, name := range documents(t) {
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			old := mustRead(t, name)
			s := newShell(t)
			now := fenced.ReplaceAllStringFunc(old, func(block string) string {
				parts := fenced.FindStringSubmatch(block)
				switch info := strings.Fields(parts[2]); {
				case len(info) == 0:
					t.Errorf("the block has no language: use console for commands with their output, or text\n%s", block)
				case info[0] == "console":
					return parts[1] + parts[2] + "\n" + s.session(info[1:], parts[3]) + parts[4]
				case (info[0] == "sh" || strings.HasPrefix(parts[3], "$ ")) && !slices.Contains(info, "notest"):
					t.Errorf("commands that no test runs: use console, or add notest where they cannot be run\n%s", block)
				}
				return block
			})
			if now != old && *update {
				mustWriteFile(t, name, now, 0o644)
			}
		})
	}
}

// fenced is a block between fences: its opening fence, the words after that, its lines, and the closing fence.
var fenced = regexp.MustCompile("(?ms)^( *```)([^\n]*)\n(.*?)^( *```)$")

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
	if err != nil || len(names) < 8 {
		t.Fatal(len(names), err)
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
var link = regexp.MustCompile(`\]\(([^()\s]+)\)|\bsrc(?:set)?="([^"]+)"`)

// TestLinks: links within the repository lead to files, and to headings, that exist. Every picture in docs is shown.
func TestLinks(t *testing.T) {
	files := documents(t)
	found := map[string]bool{}
	for short, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			to := match[1] + match[2]
			if strings.Contains(to, "://") {
				continue
			}
			found[filepath.Join(filepath.Dir(name), to)] = true
			if fault := linkFault(name, to); fault != "" {
				t.Errorf("%s: %s: %s", short, to, fault)
			}
		}
	}
	pictures, err := filepath.Glob("../../docs/*.[ps][nv]g")
	if err != nil || len(pictures) == 0 {
		t.Fatal(pictures, err)
	}
	for _, p := range pictures {
		if !found[p] {
			t.Errorf("no document shows %s", p)
		}
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
	for line := range strings.Lines(fenced.ReplaceAllString(text, "")) {
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

// playersCommand is a command of the bot within a paragraph or a table.
var playersCommand = regexp.MustCompile("`/([^`]+)`")

// TestDocumentsNameAll: the documents name every subcommand and command of the bot. They name no other command of the bot,
// and no other options in brackets.
func TestDocumentsNameAll(t *testing.T) {
	all := ""
	for _, name := range documents(t) {
		all += mustRead(t, name)
	}
	subcommands := testCommands().Commands()
	for len(subcommands) > 0 {
		c := subcommands[0]
		subcommands = append(subcommands[1:], c.Commands()...)
		if c.Runnable() && c.Parent().Name() != "completion" && !strings.Contains(all, "`"+c.CommandPath()) {
			t.Errorf("no document names %s", c.CommandPath())
		}
	}
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	playing := mustRead(t, "../../docs/playing.md")
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{Lists: lists})}).Table().Commands
	for _, c := range table {
		name := "/" + c.Name
		if c.OnMessage {
			name = bot.Capital(c.Name)
		}
		if !regexp.MustCompile("`" + name + "[ `]").MatchString(playing) {
			t.Errorf("docs/playing.md does not name %s", name)
		}
	}
	for _, match := range playersCommand.FindAllStringSubmatch(fenced.ReplaceAllString(all, ""), -1) {
		words := strings.Fields(match[1])
		c, _, ok := typed.Find(words, table)
		if typed.Begins(words[0], table) && (!ok && len(words) > 1 || strings.Contains(match[1], "[") && match[1] != c.Usage()) {
			t.Errorf("the documents name /%s; there is /%s", match[1], c.Usage())
		}
	}
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
	began                  string // see envBegan

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
	s := &shell{folder: t.TempDir(), home: t.TempDir(), programs: t.TempDir(), began: fmt.Sprint(time.Now().UnixNano()), t: t}
	if err := os.Symlink(self, filepath.Join(s.programs, "fivefold")); err != nil {
		t.Fatal(err)
	}
	return s
}

// session runs the commands of a block, and returns its lines as they would be now.
func (s *shell) session(options []string, text string) string {
	hidden := ""
	s.onMachine = slices.Equal(options, []string{"machine"})
	if word, ok := strings.CutPrefix(strings.Join(options, " "), "hidden="); ok {
		hidden = word
		if err := errors.Join(os.RemoveAll(s.home), os.Mkdir(s.home, 0o755)); err != nil {
			s.t.Fatal(err)
		}
	} else if len(options) > 0 && !s.onMachine {
		s.t.Errorf("%q: the options are machine and hidden=WORD", options)
	}
	commands := regexp.MustCompile(`(?m)^\$ `).Split(text, -1)
	if len(commands) < 2 || commands[0] != "" {
		s.t.Errorf("a console block starts with a command: $ fivefold …\n%s", text)
		return text
	}
	now := ""
	for _, one := range commands[1:] {
		want := regexp.MustCompile(`(?m)^> `).Split(one, -1) // each after the line that was typed
		typed := make([]string, len(want))
		for i := range want {
			typed[i], want[i], _ = strings.Cut(want[i], "\n")
		}
		got, err := s.run(typed[0], hidden, typed[1:])
		if err != nil || len(got) < len(want) {
			s.t.Errorf("%s: %v, and it printed\n%s", typed[0], err, strings.Join(got, "\n"))
			return text
		}
		for i := range want {
			if !matches(want[i], got[i]) {
				s.t.Errorf("after %q it printed\n%s\nwant\n%s", typed[i], got[i], want[i])
				want[i] = strings.TrimRight(got[i], "\n") + "\n"
			}
			now += []string{"$ ", "> "}[min(i, 1)] + typed[i] + "\n" + want[i]
		}
	}
	return now
}

// run returns what is printed before the first line typed is read, then after each. If hidden
// is not empty, the program draws that word.
func (s *shell) run(command, hidden string, typed []string) ([]string, error) {
	if s.onMachine {
		if s.machine == nil {
			s.machine = newMachine(s.t)
		}
		return s.machine.run(s.t.Context(), command)
	}
	cmd := exec.CommandContext(s.t.Context(), "/bin/sh", "-c", strings.ReplaceAll(command, "go run ./cmd/fivefold", "fivefold"))
	cmd.Dir = s.folder
	cmd.Env = []string{
		beSession + "=1", hiddenWord + "=" + hidden, envBegan + "=" + s.began, "HOME=" + s.home, "USER=ana", "TZ=UTC",
		"PATH=" + s.programs + ":/usr/bin:/bin",
	}
	if len(typed) > 0 {
		cmd.Stdin = strings.NewReader(strings.Join(typed, "\n") + "\n")
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
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
		panic(text + " is not a word to find")
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
