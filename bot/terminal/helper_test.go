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
		{words, "crane bbygb", "solve next", map[string]string{"guess": "crane", "feedback": "bbygb"}},
		{words, "crane", "solve next", map[string]string{"guess": "crane"}},
		{words, "next", "solve next", nil},
		{words, "shown", "solve next", map[string]string{"guess": "shown"}},
		{words, "UNDO", "solve undo", nil},
		{words, "words bbygb", "solve next", map[string]string{"guess": "words", "feedback": "bbygb"}},
		{words, "next words", "solve next", map[string]string{"guess": "words"}},
		{words, "strategy minimax", "solve strategy", map[string]string{"name": "minimax"}},
		{words, "solve undo", "solve undo", nil},
		{words, "/wordle help", "wordle help", nil},

		{boards, "gyeyg", "pokle solve", map[string]string{"feedback": "gyeyg"}},
		{boards, "🟩🟨⬜ 🟨🟩", "pokle solve", map[string]string{"feedback": "🟩🟨⬜ 🟨🟩"}},
		{boards, "4C 4H QH AC JC gyeyg", "pokle solve", map[string]string{"feedback": "4C 4H QH AC JC gyeyg"}},
		{boards, "QD QC 10H 2H 9H KH 213 132 213", "pokle solve", map[string]string{"feedback": "QD QC 10H 2H 9H KH 213 132 213"}},
		{boards, "undo", "pokle solve", map[string]string{"undo": "true"}},
		{boards, "next", "pokle solve", nil},
		{boards, "pokle solve undo", "pokle solve", map[string]string{"undo": "true"}},
	} {
		got, err := parse(c.in.Help.expand(c.line, c.in.Bot.Table.Commands), c.in.Bot.Table.Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
}

// TestHelperCompletes: a line is completed by a command of the help, or by an option's value.
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
