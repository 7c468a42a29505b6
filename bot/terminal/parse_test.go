package terminal

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
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
		{"/guess word:two words", "guess", args("word", "two words")},
		{"/pokle solve", "pokle solve", args()},
		{"/pokle solve gyeyg", "pokle solve", args("feedback", "gyeyg")},
		{"/pokle solve undo", "pokle solve", args("undo", "true")},
		{"/pokle solve deal:QD QC 10H 2H 9H KH 213 132 213", "pokle solve", args("deal", "QD QC 10H 2H 9H KH 213 132 213")},
		{"/pokle solve guess:4C 4H QH AC JC feedback:gyeyg", "pokle solve", args("guess", "4C 4H QH AC JC", "feedback", "gyeyg")},
		{"/guess two words", "guess", args("word", "two words")},
		{"/guess a:b", "guess", args("word", "a:b")},
		{"crane", "guess", args("word", "crane")},
		{"guess crane", "guess", args("word", "crane")},
		{"stats", "stats", args()},
		{"/stats ben", "stats", args("player", "ben")},
		{"/hint kind:letter", "hint", args("kind", "letter")},
	} {
		got, err := parse(c.line, commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands)
		if err != nil || got.command != c.command || !maps.Equal(got.args, c.args) {
			t.Errorf("parse(%q) = %q %v, %v; want %q %v", c.line, got.command, got.args, err, c.command, c.args)
		}
	}
	for line, want := range map[string]string{
		"":                    "/wordle help",
		"/":                   "/wordle help",
		"/crane":              "“crane”",
		"/dance":              "/wordle help",
		"board":               "/wordle board",
		"/start":              "/wordle start",
		"/wordle":             "/wordle start, /wordle board, /wordle stop, ",
		"/wordle dance":       "/wordle start",
		"/wordle help please": "/wordle help",
		"/pokle rules soft":   "/pokle rules",
		"/stats ben all zoe":  "/stats [player] [when]",
	} {
		_, err := parse(line, commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands)
		var m misread
		if !errors.As(err, &m) || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q) says %v, want %q in it", line, err, want)
		}
	}
}

// TestParseWords reads texts of several words among options of all kinds.
func TestParseWords(t *testing.T) {
	text := func(name string) bot.Option { return bot.Option{Name: name, Help: name} }
	words := func(name string) bot.Option { return bot.Option{Name: name, Help: name, MultiWord: true} }
	commands := []bot.Command{
		{Name: "boards", Options: []bot.Option{words("colours"), words("guess"), words("deal"), {Name: "undo", Kind: bot.FlagOption}, {Name: "new", Kind: bot.FlagOption}}},
		{Name: "bet", Options: []bot.Option{{Name: "cards", Required: true}, {Name: "mode", Choices: []string{"together", "solo", "daily"}}}},
		{Name: "pair", Options: []bot.Option{text("guess"), text("tiles")}},
		{Name: "list", Options: []bot.Option{{Name: "player", Kind: bot.PlayerOption}, {Name: "outcome", Choices: []string{"won", "lost"}}, text("word"), text("before")}},
	}
	for _, c := range []struct{ line, want string }{
		{"/boards deal:QD QC 10H 2H 9H KH 213 132 213", "deal=QD QC 10H 2H 9H KH 213 132 213"},
		{"/boards deal: QD QC, 10H 2H", "deal=QD QC, 10H 2H"},
		{"/boards guess:4C 4H QH AC JC colours:gyeyg", "colours=gyeyg guess=4C 4H QH AC JC"},
		{"/boards colours=gy eyg GUESS=4C 4H QH AC JC", "colours=gy eyg guess=4C 4H QH AC JC"},
		{"/boards 4C 4H QH AC JC gyeyg", "colours=4C 4H QH AC JC gyeyg"},
		{"/boards gyeyg deal:QD new", "colours=gyeyg deal=QD new=true"},
		{"/boards new QD QC 10H", "colours=QD QC 10H new=true"},
		{"/boards gyeyg undo 4C 4H", "colours=gyeyg guess=4C 4H undo=true"},
		{"/boards undo", "undo=true"},
		{"/boards", ""},
		{"/bet 2c 3d 10h 4s ks", "cards=2c 3d 10h 4s ks"},
		{"/bet 2c 3d 10h 4s ks solo", "cards=2c 3d 10h 4s ks mode=solo"},
		{"/bet solo 2c 3d 10h 4s ks", "cards=2c 3d 10h 4s ks mode=solo"},
		{"/bet cards:2c 3d 10h 4s ks mode:daily", "cards=2c 3d 10h 4s ks mode=daily"},
		{"/bet mode:daily 2c 3d", "cards=2c 3d mode=daily"},
		{"/pair crane bbygb", "guess=crane tiles=bbygb"},
		{"/pair crane bb ygb", "guess=crane tiles=bb ygb"},
		{"/pair guess:crane bb ygb", "guess=crane tiles=bb ygb"},
		{"/pair tiles:bbygb crane", "guess=crane tiles=bbygb"},
		{"/list ben won crane 20", "before=20 outcome=won player=ben word=crane"},
		{"/list won", "outcome=won"},
		{"/list word:crane ben", "player=ben word=crane"},
		{"/list player:won lost", "outcome=lost player=won"},
	} {
		got, err := parse(c.line, commands)
		var args []string
		for _, name := range slices.Sorted(maps.Keys(got.args)) {
			args = append(args, name+"="+got.args[name])
		}
		if text := strings.Join(args, " "); err != nil || text != c.want {
			t.Errorf("parse(%q) gives %s, %v; want %s", c.line, text, err, c.want)
		}
	}
}

// TestParseWordsEnd: a text ends before a named option or a choice.
func TestParseWordsEnd(t *testing.T) {
	commands := []bot.Command{{Name: "bet", Options: []bot.Option{{Name: "cards"}, {Name: "mode", Choices: []string{"solo", "daily"}}, {Name: "sure", Kind: bot.FlagOption}}}}
	for _, line := range []string{"/bet 2c 3d solo 10h", "/bet mode:solo 2c sure 3d", "/bet cards:2c mode:solo 3d"} {
		var m misread
		if got, err := parse(line, commands); !errors.As(err, &m) || !strings.Contains(err.Error(), "/bet [cards] [mode] [sure]") {
			t.Errorf("parse(%q) gives %v, %v", line, got.args, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"/wordle start hard", "/guess word:crane", "as ben", "crane", "/hint kind=letter", "/pokle solve guess:4C 4H new feedback: g y", "/review list ben won a b c", "\x1b[2J"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p, err := parse(line, commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands)
		if (err == nil) == (p.command == "") {
			t.Fatalf("parse(%q) = %+v, %v", line, p, err)
		}
		if err != nil {
			return
		}
		c, ok := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Find(p.command)
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

// FuzzDraw: nothing that a player types can control another player's terminal.
func FuzzDraw(f *testing.F) {
	f.Add("\x1b[2J\x07\r\n\u009b31m", true)
	f.Fuzz(func(t *testing.T, text string, colour bool) {
		out := Draw(bot.Reply{Lines: []bot.Line{{
			Tiles: []bot.Tile{{Text: "A", Mark: wordle.Green}},
			Text:  []bot.Span{{Text: text}, {Style: bot.StyleBold, Text: text}, {Style: bot.StylePlayer, Text: text}},
		}}}, colour)
		for _, sgr := range []string{sgrReset, sgrBold, sgrGreen, sgrYellow, sgrBlack} {
			out = strings.ReplaceAll(out, sgr, "")
		}
		if i := strings.IndexFunc(strings.TrimSuffix(out, "\n"), unicode.IsControl); i >= 0 {
			t.Errorf("%q is drawn with a control character at %d: %q", text, i, out)
		}
	})
}
