package terminal

import (
	"maps"
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
		got, mistake := parse(c.in.Help.expand(c.line, c.in.Bot.Table.Commands), c.in.Bot.Table.Commands)
		if mistake != "" || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %q; want %q %v", c.line, got.command, got.args, mistake, c.command, c.args)
		}
	}
}
