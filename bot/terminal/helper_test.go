package terminal

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/solve"
)

// newHelpers returns terminals for help with words and with boards.
func newHelpers() (words, boards *Terminal) {
	b := &bot.Bot{Table: commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()}
	inList := func(word string) bool { return slices.Contains([]string{"crane", "words", "shown"}, word) }
	return &Terminal{Bot: b, Help: &solve.WordLanguage, CanGuess: inList}, &Terminal{Bot: b, Help: &solve.BoardLanguage}
}

func TestHelperReads(t *testing.T) {
	words, boards := newHelpers()
	for _, c := range []struct {
		in            *Terminal
		line, command string
		args          map[string]string
	}{
		{words, "bbygb", "solve next", map[string]string{"guess": "bbygb"}},
		{words, "bbyg", "solve next", map[string]string{"guess": "bbyg"}},
		{words, "⬛⬛ 🟨⬛⬛", "solve next", map[string]string{"guess": "⬛⬛", "feedback": "🟨⬛⬛"}},
		{words, "grey grey yellow grey grey", "solve next", map[string]string{"guess": "grey", "feedback": "grey yellow grey grey"}},
		{words, "crane bbygb", "solve next", map[string]string{"guess": "crane", "feedback": "bbygb"}},
		{words, "crane:bbygb", "solve next", map[string]string{"guess": "crane:bbygb"}},
		{words, "crane: bbygb", "solve next", map[string]string{"guess": "crane:", "feedback": "bbygb"}},
		{words, "feedback:bbygb", "solve next", map[string]string{"feedback": "bbygb"}},
		{words, "crane", "solve next", map[string]string{"guess": "crane"}},
		{words, "cran bbygb", "solve next", map[string]string{"guess": "cran", "feedback": "bbygb"}},
		{words, "next", "solve next", nil},
		{words, "show", "solve show", nil},
		{words, "shown", "solve next", map[string]string{"guess": "shown"}}, // in the list
		{words, "shows bbbbb", "solve next", map[string]string{"guess": "shows", "feedback": "bbbbb"}},
		{words, "UNDO", "solve undo", nil},
		{words, "/undo", "solve undo", nil},
		{words, "top", "solve top", nil},
		{words, "words", "solve words", nil},
		{words, "words bbygb", "solve next", map[string]string{"guess": "words", "feedback": "bbygb"}},
		{words, "next words", "solve next", map[string]string{"guess": "words"}},
		{words, "change 2 bbygb", "solve change", map[string]string{"line": "2", "feedback": "bbygb"}},
		{words, "change 1 bbyg", "solve change", map[string]string{"line": "1", "feedback": "bbyg"}},
		{words, "strategy minimax", "solve strategy", map[string]string{"name": "minimax"}},
		{words, "new hard", "solve new", map[string]string{"hard": "true"}},
		{words, "new", "solve new", nil},
		{words, "hard", "solve hard", nil},
		{words, "hard off", "solve hard", map[string]string{"off": "true"}},
		{words, "record", "solve record", nil},
		{words, "solve undo", "solve undo", nil},
		{words, "/solve undo", "solve undo", nil},
		{words, "/wordle help", "wordle help", nil},
		{words, "hello there everybody", "solve next", map[string]string{"guess": "hello", "feedback": "there everybody"}},

		{boards, "gyeyg", "pokle solve", map[string]string{"feedback": "gyeyg"}},
		{boards, "21012", "pokle solve", map[string]string{"feedback": "21012"}},
		{boards, "feedback:gyeyg", "pokle solve", map[string]string{"feedback": "gyeyg"}},
		{boards, "🟩🟨⬜ 🟨🟩", "pokle solve", map[string]string{"feedback": "🟩🟨⬜ 🟨🟩"}},
		{boards, "green yellow grey yellow green", "pokle solve", map[string]string{"feedback": "green yellow grey yellow green"}},
		{boards, "4C 4H QH AC JC gyeyg", "pokle solve", map[string]string{"feedback": "4C 4H QH AC JC gyeyg"}},
		{boards, "4C4HQHACJC:gyeyg", "pokle solve", map[string]string{"feedback": "4C4HQHACJC:gyeyg"}},
		{boards, "QD QC 10H 2H 9H KH 213 132 213", "pokle solve", map[string]string{"feedback": "QD QC 10H 2H 9H KH 213 132 213"}},
		{boards, "deal:QD QC", "pokle solve", map[string]string{"deal": "QD QC"}},
		{boards, "undo", "pokle solve", map[string]string{"undo": "true"}},
		{boards, "NEW", "pokle solve", map[string]string{"new": "true"}},
		{boards, "Show", "pokle solve", nil},
		{boards, "next", "pokle solve", nil},
		{boards, "/next", "pokle solve", nil},
		{boards, "pokle solve undo", "pokle solve", map[string]string{"undo": "true"}},
		{boards, "/pokle solve", "pokle solve", nil},
		{boards, "/wordle help", "wordle help", nil},
	} {
		line, said, _ := c.in.helper().read(c.line, c.in)
		got, err := parse(line, c.in.Bot.Table.Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v\n%s", c.line, got.command, got.args, err, c.command, c.args, said)
		}
	}
}

func TestHelperAsks(t *testing.T) {
	words, boards := newHelpers()
	for _, c := range []struct {
		in         *Terminal
		line, want string
	}{
		{words, "undoo", "I do not know “undoo”. Do you mean \"undo\"? To guess that word, type \"next undoo\".\n"},
		{words, "recrd", "I do not know “recrd”. Do you mean \"record\"?"},
		{words, "stratgy minimax", "I do not know “stratgy”. Do you mean \"strategy\"?\n"},
		{words, "/undoo", "I do not know “/undoo”. Do you mean \"undo\"?"},
		{words, "hlep", "I do not know “hlep”. Do you mean \"help\"?\n"},
		{words, "nonsense", "I do not know “nonsense”.\nYou can type \"bbygb\", \"crane\" or \"crane bbygb\"; or next, show, undo, change, top, words, hard, strategy, new, record, help, quit.\n"},
		{words, "what now", "I do not know “what”.\n"},
		{boards, "udno", "I do not know “udno”. Do you mean \"undo\"?\n"},
		{boards, "hint", "I do not know “hint”.\nYou can type \"QD QC 10H 2H 9H KH 213 132 213\", \"gyeyg\", \"4C 4H QH AC JC\" or \"4C 4H QH AC JC gyeyg\"; or next, show, undo, new, help, quit.\n"},
		{boards, "/top", "I do not know “/top”.\n"},
	} {
		line, said, _ := c.in.helper().read(c.line, c.in)
		if line != "" || !strings.HasPrefix(said.String(), c.want) {
			t.Errorf("%q means %q and is answered by\n%swant\n%s", c.line, line, said, c.want)
		}
	}
	for _, in := range []*Terminal{words, boards} {
		for _, line := range []string{"help", "?", "/help", "HELP", "/", "/?", "help me", "/" + in.helper().Group + " help"} {
			command, said, _ := in.helper().read(line, in)
			if command != "" || !strings.HasPrefix(said.String(), "Help with a ") || !strings.Contains(said.String(), "next, show ") {
				t.Errorf("%q means %q and is answered by\n%s", line, command, said)
			}
		}
		// The same words are there in both, and each does what the other's does.
		for _, word := range []string{"next", "show", "undo", "new"} {
			if !slices.Contains(in.helper().names(), word) {
				t.Errorf("there is no %s among %q", word, in.helper().names())
			}
		}
		// All that the help lists is understood.
		for _, l := range in.helper().Lines {
			for _, typed := range strings.Split(l.Typed, ", ") {
				line, said, _ := in.helper().read(typed, in)
				if _, err := parse(line, in.Bot.Table.Commands); line == "" || err != nil {
					t.Errorf("%q is in the help, and is answered by %s, %v", typed, said, err)
				}
			}
		}
	}
}

func TestHelperShortens(t *testing.T) {
	words, boards := newHelpers()
	for command, want := range map[string]string{
		"/solve undo": "undo", "/solve next": "next", "/solve next crane bbygb": "crane bbygb", "/solve change 2 bbygb": "change 2 bbygb",
		"/pokle solve": "", "/wordle start": "", "A game.": "",
	} {
		if got, ok := words.helper().shorten(command); ok != (want != "") || ok && got != want {
			t.Errorf("%s is typed as %q, %t, want %q", command, got, ok, want)
		}
	}
	for command, want := range map[string]string{
		"/pokle solve": "next", "/pokle solve undo": "undo", "/pokle solve new": "new", "/pokle solve 4C 4H QH AC JC gyeyg": "4C 4H QH AC JC gyeyg",
		"/solve undo": "", "/pokle start": "",
	} {
		if got, ok := boards.helper().shorten(command); ok != (want != "") || ok && got != want {
			t.Errorf("%s is typed as %q, %t, want %q", command, got, ok, want)
		}
	}
	got := words.helper().inShorthand(bot.Reply{Lines: []bot.Line{
		bot.Text("/solve undo ", bot.Slash(bot.NameSolveUndo), bot.Slash(bot.NameSolveNext), bot.Slash(wordgame.Commands.Start), bot.Bold("A game.")),
	}}).String()
	if want := "/solve undo \"undo\"\"next\"/wordle startA game.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzHelper: every line means a command or is answered, never both and never neither.
func FuzzHelper(f *testing.F) {
	for _, line := range []string{"bbygb", "crane:bbygb", "undoo", "/", "?", "4C4HQHACJC:gyeyg", "words bbygb", "feedback:\xff", "/solve"} {
		f.Add(line)
	}
	words, boards := newHelpers()
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.TrimSpace(line)
		if line == "" {
			return
		}
		for _, in := range []*Terminal{words, boards} {
			command, said, _ := in.helper().read(line, in)
			if (command == "") == (len(said.Lines) == 0) {
				t.Errorf("%q means %q and is answered by %q", line, command, said)
			}
		}
	})
}

// TestHelperCompletes: a line is completed with a word of the helper, or the value of its option.
func TestHelperCompletes(t *testing.T) {
	words, boards := newHelpers()
	for _, c := range []struct {
		in         *Terminal
		line, want string
		candidates []string
	}{
		{words, "und", "undo", nil},
		{words, "ne", "ne", []string{"next", "new"}},
		{words, "strategy min", "strategy minimax", nil},
		{words, "new ", "new hard", nil},
		{words, "wordle st", "wordle st", nil},
		{words, "/solve und", "/solve undo", nil},
		{boards, "", "", []string{"next", "show", "undo", "new", "help", "quit"}},
		{boards, "sh", "show ", nil},
	} {
		got, candidates := c.in.completed(c.line)
		if got != c.want || !slices.Equal(candidates, c.candidates) {
			t.Errorf("%q becomes %q %q, want %q %q", c.line, got, candidates, c.want, c.candidates)
		}
	}
}

// TestHelperMeans: a person is asked whether another line was meant, and "yes" types that line.
func TestHelperMeans(t *testing.T) {
	words, _ := newHelpers()
	p := &person{Terminal: words, player: "ana", asks: true}
	for _, step := range []struct{ line, want string }{
		{"hlep", "Do you mean \"help\"? Type yes, or something else.\n"},
		{"yes", "Help with a word puzzle that you play elsewhere"},
		{"yes", "I do not know “yes”."},
		{"undoo", "Do you mean \"undo\"? Type yes, or something else. To guess that word, type \"next undoo\".\n"},
		{"nonsense", "I do not know “nonsense”.\n"},
		{"yes", "I do not know “yes”."},
		{"stratgy minimax", "Do you mean \"strategy minimax\"? Type yes, or something else.\n"},
	} {
		if o := p.respond(t.Context(), step.line); !strings.HasPrefix(o.reply.String(), step.want) {
			t.Errorf("%q is answered by\n%swant\n%s", step.line, o.reply, step.want)
		}
	}
	p.respond(t.Context(), "qiut")
	if o := p.respond(t.Context(), "Yes"); !o.leave {
		t.Errorf("quit is answered by %s", o.reply)
	}
}
