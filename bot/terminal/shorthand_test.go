package terminal

import (
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
		got, err := parse(shorthand(c.line), bot.Commands())
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("%q means %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
}

func TestInShorthand(t *testing.T) {
	bold := func(text string) bot.Span { return bot.Span{Style: bot.Bold, Text: text} }
	got := inShorthand(bot.Reply{Lines: []bot.Line{
		{Text: []bot.Span{{Text: "/solve undo "}, bold("/solve undo"), bold("/solve next"), bold("/solve next crane bbygb"), bold("/wordle start"), bold("A game.")}},
	}}).String()
	if want := "/solve undo \"undo\"\"next\"\"crane bbygb\"/wordle startA game.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
