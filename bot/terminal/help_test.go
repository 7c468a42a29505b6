package terminal

import (
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/pokle"
)

// somebody is a person at a terminal without games.
func somebody() *person {
	handlers := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})})
	t := &Terminal{Bot: &bot.Bot{Table: handlers.Table()}, Faces: handlers.Play.Faces, Player: "ana"}
	return &person{Terminal: t, player: "ana"}
}

// TestHelpIsAboutTheTerminal: help avoids everything that only Discord has.
func TestHelpIsAboutTheTerminal(t *testing.T) {
	p := somebody()
	var rules []bot.Line
	for _, f := range p.Faces {
		c, _ := p.Bot.Table.Find(f.Commands.Rules)
		reply, err := c.Run(t.Context(), bot.Request{Surface: bot.InTerminal})
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, reply.Lines()...)
	}
	for name, lines := range map[string][]bot.Line{"help": p.helpOn(""), "help pokle": p.helpOn("pokle"), "rules": rules} {
		text := bot.Reply{Blocks: bot.Lines(lines...)}.String()
		if !strings.Contains(text, "/pokle start") {
			t.Errorf("%s is\n%s", name, text)
		}
		for _, foreign := range []string{"server", "channel", "direct message", "manage messages", "edal", "button"} {
			if line, _, found := strings.Cut(text, foreign); found {
				t.Errorf("%s speaks of %q: …%s%s", name, foreign, line[max(0, len(line)-60):], foreign)
			}
		}
	}
}

// TestHelpTopics: help is about everything, or about the commands that begin with a text.
func TestHelpTopics(t *testing.T) {
	for line, want := range map[string]string{
		"/": "Commands", "wordle help": "Commands", "help wordle stop": "/wordle stop [mode] [sure] — ", "\ufeffHELP Review": "/review clear",
		"help wordle nonsense": "There is no help on “wordle nonsense”",
	} {
		if got := somebody().respond(t.Context(), line).reply.String(); !strings.Contains(got, want) {
			t.Errorf("%q is answered by %s\nwant %s", line, got, want)
		}
	}
}

// TestSimilar: a command with one or two slips is understood, together with its arguments.
func TestSimilar(t *testing.T) {
	for line, want := range map[string]string{
		"/gues":               "guess",
		"/gues crane":         "guess crane",
		"gess Crane solo":     "guess Crane solo",
		"/worlde start daily": "wordle start daily",
		"pokle strat":         "pokle start",
		"/hnit":               "hint",
		"/review gmae 3":      "review game 3",
		"/xyzzy":              "",
		"good morning":        "",
		"/a":                  "",
	} {
		if want != "" {
			want = "/" + want
		}
		if got := somebody().similar(line); got != want {
			t.Errorf("%q is like %q; want %q", line, got, want)
		}
	}
}

// TestBareGuess: a word or cards alone are a guess; the name of a command is not.
func TestBareGuess(t *testing.T) {
	p := somebody()
	for line, want := range map[string]string{
		"crane": "guess", "HINTS": "guess", "2c 3d 10h 4s ks": "pokle guess", "as kd 2c 3h 4s": "pokle guess",
		"pokle": "", "solve": "", "/crane": "", "hello there": "",
	} {
		if _, got, ok := p.bareGuess(line); ok != (want != "") || ok && got.command != want {
			t.Errorf("%q is the guess %q, %t; want %q", line, got.command, ok, want)
		}
	}
	for line, want := range map[string]string{"2c 3d 10h 4s": "pokle guess", "10h": "pokle guess", "cran": "guess", "crane": "", "pokle": "", "/cran": "", "xyzzy!": ""} {
		if got, ok := p.wrongGuess(line); got.command != want || ok != (want != "") {
			t.Errorf("%q is the wrong guess %q, %t; want %q", line, got.command, ok, want)
		}
	}
}

// TestExpand: the first word of a command may be left out for the game on the board.
func TestExpand(t *testing.T) {
	p := somebody()
	for line, want := range map[string]string{
		"board": "/wordle board", "/stop": "/wordle stop", "start daily": "/wordle start daily", "stats": "stats", "crane": "crane", "/guess crane": "/guess crane", "/hint": "/hint", "/solve": "/solve next ", "solve crane bbybb": "/solve next crane bbybb", "solve top": "solve top", "/review 3": "/review game 3", "review gmae 3": "review gmae 3",
	} {
		if got := p.expand(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	p.match = &game.Match{Kind: pokergame.Kind}
	for line, want := range map[string]string{
		"stop": "/pokle stop", "hint": "/pokle hint", "/hint": "/pokle hint", "wordle board": "wordle board", "/guess 2c 3d 10h 4s ks": "/pokle guess 2c 3d 10h 4s ks",
		"/guess crane": "/pokle guess crane", "/guess": "/pokle guess", "/guess crane solo": "/guess crane solo", "/hint daily": "/hint daily", "stop daily": "/pokle stop daily", "/stats": "/pokle stats", "/solve": "/pokle solve", "/solve next": "/solve next", "/pokle hint": "/pokle hint",
	} {
		if got := p.expand(line); got != want {
			t.Errorf("in a game of Pokle, %q is %q, want %q", line, got, want)
		}
	}
}

func holes(t *testing.T, texts ...string) (all [pokle.Players]pokle.Hole) {
	t.Helper()
	for i, text := range texts {
		hole, err := pokle.ParseHole(text)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = hole
	}
	return all
}

// TestComplete lists the completions of lines.
func TestComplete(t *testing.T) {
	p := somebody()
	for _, c := range []struct {
		line, want string
		candidates []string
	}{
		{"/gu", "/guess ", nil},
		{"gu", "guess ", nil},
		{"/pokle s", "/pokle s", []string{"/pokle start", "/pokle stop", "/pokle stats", "/pokle solve"}},
		{"/wordle start ", "/wordle start ", []string{"together", "solo", "daily", "hard", "hints:on", "hints:off", "hints:1", "hints:2", "hints:3", "hints:4", "hints:5"}},
		{"/wordle start d", "/wordle start daily", nil},
		{"/wordle start daily ha", "/wordle start daily hard", nil},
		{"/wordle start daily hints:of", "/wordle start daily hints:off", nil},
		{"/wordle start daily hard hints:off ", "/wordle start daily hard hints:off ", nil},
		{"/xyz", "/xyz", nil},
	} {
		got, candidates := p.completed(c.line)
		if got != c.want || !slices.Equal(candidates, c.candidates) {
			t.Errorf("%q becomes %q %q, want %q %q", c.line, got, candidates, c.want, c.candidates)
		}
	}
}
