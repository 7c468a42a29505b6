package terminal

import (
	"maps"
	"slices"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
)

// newHelpers returns terminals for help with words and with boards.
func newHelpers() (words, boards *Terminal) {
	b := &bot.Bot{Table: commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()}
	return &Terminal{Bot: b, Help: &Help{"solve", bot.NameSolveNext}}, &Terminal{Bot: b, Help: &Help{pokergame.NameSolve, pokergame.NameSolve}}
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
		{words, "shown", "solve next", map[string]string{"guess": "shown"}},
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
		got, err := parse(c.in.Help.expand(c.line, c.in.Bot.Table.Commands), c.in.Bot.Table.Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
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
		{boards, "", "", []string{"undo", "new"}},
		{boards, "un", "undo", nil},
	} {
		got, candidates := c.in.completed(c.line)
		if got != c.want || !slices.Equal(candidates, c.candidates) {
			t.Errorf("%q becomes %q %q, want %q %q", c.line, got, candidates, c.want, c.candidates)
		}
	}
}
