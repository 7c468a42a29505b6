package terminal

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/typed"
	"fivefold/game"
)

// somebody is a person at a terminal without games.
func somebody() *person {
	handlers := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})})
	t := &Terminal{Bot: &bot.Bot{Table: handlers.Table()}, Faces: handlers.Play.Faces, Player: "ana"}
	return &person{Terminal: t, player: "ana"}
}

// TestGuessed: a word or cards alone are a guess, also the beginning of one; the name of a command is not.
func TestGuessed(t *testing.T) {
	p := somebody()
	for line, want := range map[string]string{
		"crane": "guess", "HINTS": "guess", "2c 3d 10h 4s ks": "pokle guess", "as kd 2c 3h 4s": "pokle guess",
		"2c 3d 10h 4s": "pokle guess", "10h": "pokle guess", "cran": "guess",
		"pokle": "", "solve": "", "/crane": "", "hello there": "", "/cran": "", "xyzzy!": "",
	} {
		if f, ok := p.guessed(line); ok != (want != "") || ok && f.Commands.Guess != want {
			t.Errorf("%q is the guess %q, %t; want %q", line, f.Commands.Guess, ok, want)
		}
	}
}

// TestExpand: the first word of a command may be left out for the game on the board.
func TestExpand(t *testing.T) {
	p := somebody()
	for line, want := range map[string]string{
		"board": "/wordle board", "/stop": "/wordle stop", "start daily": "/wordle start daily", "stats": "stats", "crane": "crane", "/guess crane": "/guess crane", "/hint": "/hint",
	} {
		if got := p.expand(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	p.match = &game.Match{Kind: pokergame.Kind}
	for line, want := range map[string]string{
		"stop": "/pokle stop", "hint": "/pokle hint", "/hint": "/pokle hint", "wordle board": "wordle board", "/guess 2c 3d 10h 4s ks": "/pokle guess 2c 3d 10h 4s ks",
		"/guess crane solo": "/guess crane solo", "/hint daily": "/hint daily", "stop daily": "/pokle stop daily", "/stats": "/pokle stats", "/solve": "/pokle solve", "/solve next": "/solve next", "/pokle hint": "/pokle hint",
	} {
		if got := p.expand(line); got != want {
			t.Errorf("in a game of Pokle, %q is %q, want %q", line, got, want)
		}
	}
}

// TestCompletions lists what a line can become.
func TestCompletions(t *testing.T) {
	p := somebody()
	words, boards := *p.Terminal, *p.Terminal
	words.Help, boards.Help = &typed.Help{Group: "solve", Entry: bot.NameSolveNext}, &typed.Help{Group: pokergame.NameSolve, Entry: pokergame.NameSolve}
	for _, c := range []struct {
		in   *Terminal
		line string
		want []string
	}{
		{p.Terminal, "/gu", []string{"/guess"}},
		{p.Terminal, "gu", []string{"guess"}},
		{p.Terminal, "/pokle s", []string{"/pokle start", "/pokle stop", "/pokle stats", "/pokle solve"}},
		{p.Terminal, "/wordle start hints:", []string{"/wordle start hints:on", "/wordle start hints:off", "/wordle start hints:1", "/wordle start hints:2", "/wordle start hints:3", "/wordle start hints:4", "/wordle start hints:5"}},
		{p.Terminal, "/wordle start d", []string{"/wordle start daily"}},
		{p.Terminal, "/wordle start daily ha", []string{"/wordle start daily hard"}},
		{p.Terminal, "/wordle start daily hard hints:off ", nil},
		{p.Terminal, "/xyz", nil},
		{p.Terminal, "/wordle d", nil},
		{&words, "und", []string{"undo"}},
		{&words, "ne", []string{"next", "new"}},
		{&words, "strategy min", []string{"strategy minimax"}},
		{&words, "/solve und", []string{"/solve undo"}},
		{&boards, "un", []string{"undo"}},
	} {
		m := newModel(t.Context(), c.in)
		m.edit(tea.PasteMsg{Content: c.line})
		if got := m.input.MatchedSuggestions(); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.line, got, c.want)
		}
	}
}
