package terminal

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"unicode"

	"fivefold/bot"
	"fivefold/game/wordle"
)

func TestParse(t *testing.T) {
	args := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	for _, c := range []struct {
		line, command string
		args          map[string]string
	}{
		{"/wordle start", "wordle start", args()},
		{"  /Wordle  START  ", "wordle start", args()},
		{"wordle start", "wordle start", args()},
		{"/wordle start hard", "wordle start", args("hard", "true")},
		{"/wordle start hard:false", "wordle start", args("hard", "false")},
		{"/wordle start HARD=true", "wordle start", args("hard", "true")},
		{"/guess crane", "guess", args("word", "crane")},
		{"/guess word:crane", "guess", args("word", "crane")},
		{"/guess", "guess", args()},
		{"/guess two words", "guess", args("word", "two words")},
		{"/guess a:b", "guess", args("word", "a:b")},
		{"crane", "guess", args("word", "crane")},
		{"guess crane", "guess", args("word", "crane")},
		{"stats", "stats", args()},
		{"/stats ben", "stats", args("player", "ben")},
		{"/hint kind:letter", "hint", args("kind", "letter")},
	} {
		got, err := parse(c.line, bot.Commands())
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("parse(%q) = %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
	for line, want := range map[string]string{
		"":                     "/wordle help",
		"/":                    "/wordle help",
		"/crane":               "“crane”",
		"/dance":               "/wordle help",
		"board":                "/wordle board",
		"/start":               "/wordle start",
		"/wordle":              "/wordle start, /wordle board, /wordle stop, /wordle help",
		"/wordle dance":        "/wordle start",
		"/wordle board please": "/wordle board",
		"/wordle start soft":   "/wordle start [hard]",
		"/stats ben zoe":       "/stats [player]",
	} {
		_, err := parse(line, bot.Commands())
		var m misread
		if !errors.As(err, &m) || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q) says %v, want %q in it", line, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"/wordle start hard", "/guess word:crane", "as ben", "crane", "/hint kind=letter", "\x1b[2J"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p, err := parse(line, bot.Commands())
		if (err == nil) == (p.command == "") {
			t.Fatalf("parse(%q) = %+v, %v", line, p, err)
		}
		if err != nil {
			return
		}
		c, ok := bot.Find(p.command)
		if !ok {
			t.Fatalf("parse(%q) finds the command %q", line, p.command)
		}
		for name, value := range p.args {
			known := false
			for _, o := range c.Options {
				known = known || o.Name == name
			}
			if !known || !strings.Contains(line, value) && value != "true" && !strings.Contains(strings.Join(strings.Fields(line), " "), value) {
				t.Errorf("parse(%q) makes up %s=%q", line, name, value)
			}
		}
	})
}

// FuzzDraw: whatever a player typed cannot steer another one's terminal.
func FuzzDraw(f *testing.F) {
	f.Add("\x1b[2J\x07\r\n\u009b31m", true)
	f.Fuzz(func(t *testing.T, text string, colour bool) {
		out := Draw(bot.Reply{Lines: []bot.Line{{
			Tiles: []bot.Tile{{Text: "A", Mark: wordle.Green}},
			Text:  []bot.Span{{Text: text}, {Style: bot.Bold, Text: text}, {Style: bot.Player, Text: text}},
		}}}, colour)
		for _, sgr := range []string{sgrReset, sgrBold, sgrGreen, sgrYellow, sgrBlack} {
			out = strings.ReplaceAll(out, sgr, "")
		}
		if i := strings.IndexFunc(strings.TrimSuffix(out, "\n"), unicode.IsControl); i >= 0 {
			t.Errorf("%q is drawn with a control character at %d: %q", text, i, out)
		}
	})
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"a short line\n", 80, "a short line\n"},
		{"\n\n", 80, "\n\n"},
		{"no end", 80, "no end"},
		{"one two three four\nfive\n", 10, "one two\nthree\nfour\nfive\n"},
		{"ten chars!\n", 10, "ten\nchars!\n"}, // the last column stays free
		{"unbreakable word\n", 5, "unbreakable\nword\n"},
		{sgrBold + "bold" + sgrReset + " end\n", 10, sgrBold + "bold" + sgrReset + " end\n"},
		{"⬛🟨🟩 abc\n", 10, "⬛🟨🟩\nabc\n"},
		{"🥇 12 345\n", 9, "🥇 12\n345\n"}, // a medal takes two columns
		{"🥈 12 345\n", 10, "🥈 12 345\n"},
		{"🥉🥉🥉🥉 1\n", 10, "🥉🥉🥉🥉\n1\n"},
		{"10♥ A♠\n", 7, "10♥ A♠\n"}, // suits take one
	} {
		if got := wrap(c.text, c.width); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
