package typed

import (
	"maps"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
)

func TestHelp(t *testing.T) {
	all := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands
	words, boards := &Help{"solve", bot.NameSolveNext}, &Help{pokergame.NameSolve, pokergame.NameSolve}
	for _, c := range []struct {
		in            *Help
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
		got, mistake := Read(c.in.Expand(c.line, all), all)
		if mistake != "" || got.Name != c.command || !maps.Equal(got.Args, c.args) {
			t.Errorf("%q means %q %v, %q; want %q %v", c.line, got.Name, got.Args, mistake, c.command, c.args)
		}
	}
}
