package terminal

import (
	"fivefold/bot/commands"
	"maps"
	"testing"

	"fivefold/bot"
)

func TestShorthand(t *testing.T) {
	for _, c := range []struct {
		line, command string
		args          map[string]string
	}{
		{"bbygb", "solve next", map[string]string{"guess": "bbygb"}},
		{"⬛⬛ 🟨⬛⬛", "solve next", map[string]string{"guess": "⬛⬛", "tiles": "🟨⬛⬛"}},
		{"crane bbygb", "solve next", map[string]string{"guess": "crane", "tiles": "bbygb"}},
		{"crane", "solve next", map[string]string{"guess": "crane"}},
		{"next", "solve next", nil},
		{"UNDO", "solve undo", nil},
		{"top", "solve top", nil},
		{"words", "solve words", nil},
		{"words bbygb", "solve next", map[string]string{"guess": "words", "tiles": "bbygb"}},
		{"next words", "solve next", map[string]string{"guess": "words"}},
		{"change 2 bbygb", "solve change", map[string]string{"line": "2", "tiles": "bbygb"}},
		{"strategy minimax", "solve strategy", map[string]string{"name": "minimax"}},
		{"new hard", "solve new", map[string]string{"hard": "true"}},
		{"new", "solve new", nil},
		{"hard", "solve hard", nil},
		{"hard off", "solve hard", map[string]string{"off": "true"}},
		{"record", "solve record", nil},
		{"help", "solve help", nil},
		{"solve undo", "solve undo", nil},
		{"/solve undo", "solve undo", nil},
		{"/wordle help", "wordle help", nil},
		{"hello there everybody", "solve next", map[string]string{"guess": "hello", "tiles": "there everybody"}},
	} {
		got, err := parse(shorthand(c.line, commands.New(commands.Dependencies{}).Table()), commands.New(commands.Dependencies{}).Table().Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
}

func TestPokleShorthand(t *testing.T) {
	for _, c := range []struct {
		line, command string
		args          map[string]string
	}{
		{"gyeyg", "pokle solve", map[string]string{"colours": "gyeyg"}},
		{"🟩🟨⬜ 🟨🟩", "pokle solve", map[string]string{"colours": "🟩🟨⬜ 🟨🟩"}},
		{"4C 4H QH AC JC gyeyg", "pokle solve", map[string]string{"colours": "4C 4H QH AC JC gyeyg"}},
		{"QD QC 10H 2H 9H KH 213 132 213", "pokle solve", map[string]string{"colours": "QD QC 10H 2H 9H KH 213 132 213"}},
		{"deal:QD QC", "pokle solve", map[string]string{"deal": "QD QC"}},
		{"undo", "pokle solve", map[string]string{"undo": "true"}},
		{"NEW", "pokle solve", map[string]string{"new": "true"}},
		{"Show", "pokle solve", nil},
		{"pokle solve undo", "pokle solve", map[string]string{"undo": "true"}},
		{"/pokle solve", "pokle solve", nil},
		{"/wordle help", "wordle help", nil},
	} {
		got, err := parse(pokleShorthand(c.line), commands.New(commands.Dependencies{}).Table().Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
	if got := pokleShorthand(" "); got != " " {
		t.Errorf("an empty line means %q", got)
	}
	for command, want := range map[string]string{
		"/pokle solve": "show", "/pokle solve undo": "undo", "/pokle solve 4C 4H QH AC JC gyeyg": "4C 4H QH AC JC gyeyg",
	} {
		if got, ok := pokleShorten(command); got != want || !ok {
			t.Errorf("%s is typed as %q, %t, want %q", command, got, ok, want)
		}
	}
	if got, ok := pokleShorten("/solve undo"); ok {
		t.Errorf("a command of the word game is typed as %q", got)
	}
}

func TestInShorthand(t *testing.T) {
	bold := func(text string) bot.Span { return bot.Span{Style: bot.StyleBold, Text: text} }
	got := inShorthand(bot.Reply{Lines: []bot.Line{
		{Text: []bot.Span{{Text: "/solve undo "}, bold("/solve undo"), bold("/solve next"), bold("/solve next crane bbygb"), bold("/wordle start"), bold("A game.")}},
	}}, shorten).String()
	if want := "/solve undo \"undo\"\"next\"\"crane bbygb\"/wordle startA game.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
