package terminal

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
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
		{words, "⬛⬛ 🟨⬛⬛", "solve next", map[string]string{"guess": "⬛⬛", "feedback": "🟨⬛⬛"}},
		{words, "grey grey yellow grey grey", "solve next", map[string]string{"guess": "grey", "feedback": "grey yellow grey grey"}},
		{words, "crane bbygb", "solve next", map[string]string{"guess": "crane", "feedback": "bbygb"}},
		{words, "crane:bbygb", "solve next", map[string]string{"guess": "crane:bbygb"}},
		{words, "feedback:bbygb", "solve next", map[string]string{"feedback": "bbygb"}},
		{words, "crane", "solve next", map[string]string{"guess": "crane"}},
		{words, "next", "solve next", nil},
		{words, "shown", "solve next", map[string]string{"guess": "shown"}}, // in the list
		{words, "shows bbbbb", "solve next", map[string]string{"guess": "shows", "feedback": "bbbbb"}},
		{words, "UNDO", "solve undo", nil},
		{words, "/undo", "solve undo", nil},
		{words, "words", "solve words", nil},
		{words, "words bbygb", "solve next", map[string]string{"guess": "words", "feedback": "bbygb"}},
		{words, "next words", "solve next", map[string]string{"guess": "words"}},
		{words, "change 2 bbygb", "solve change", map[string]string{"line": "2", "feedback": "bbygb"}},
		{words, "strategy minimax", "solve strategy", map[string]string{"name": "minimax"}},
		{words, "new hard", "solve new", map[string]string{"hard": "true"}},
		{words, "hard off", "solve hard", map[string]string{"off": "true"}},
		{words, "solve undo", "solve undo", nil},
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

// TestHelperAsks: a person is asked whether another line was meant, and "yes" types that line.
func TestHelperAsks(t *testing.T) {
	words, boards := newHelpers()
	const help = "\n\"help\" lists what you can type.\n"
	p := &person{Terminal: words, player: "ana", asks: true}
	for _, step := range []struct{ line, want string }{
		{"hlep", "I do not know “hlep”. Do you mean \"help\"? Type yes, or something else.\n"},
		{"yes", "Help with a word puzzle that you play elsewhere"},
		{"yes", "I do not know “yes”."},
		{"undoo", "I do not know “undoo”. Do you mean \"undo\"? To guess that word, type \"next undoo\". Type yes, or something else.\n"},
		{"nonsense", "I do not know “nonsense”." + help},
		{"yes", "I do not know “yes”."},
		{"stratgy minimax", "I do not know “stratgy”. Do you mean \"strategy minimax\"? Type yes, or something else.\n"},
		{"/undoo", "I do not know “/undoo”. Do you mean \"undo\"? Type yes"},
		{"what now", "I do not know “what”." + help},
	} {
		if o := p.respond(t.Context(), step.line); !strings.HasPrefix(o.reply.String(), step.want) {
			t.Errorf("%q is answered by\n%swant\n%s", step.line, o.reply, step.want)
		}
	}
	p.respond(t.Context(), "qiut")
	if o := p.respond(t.Context(), "Yes"); !o.leave {
		t.Errorf("quit is answered by %s", o.reply)
	}
	for _, in := range []*Terminal{words, boards} {
		for _, line := range []string{"help", "?", "/help", "HELP", "/", "/?", "help me", "/" + in.helper().Group + " help"} {
			command, said, _ := in.helper().read(line, in)
			if command != "" || !strings.HasPrefix(said.String(), "Help with a ") || !strings.Contains(said.String(), "next, show ") {
				t.Errorf("%q means %q and is answered by\n%s", line, command, said)
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
