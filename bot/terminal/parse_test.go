package terminal

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/game/wordle"
)

// TestParse: a command of the table is found; a mistake is explained.
func TestParse(t *testing.T) {
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands
	for line, want := range map[string]string{
		"/wordle start":              "wordle start map[]",
		"  /Wordle  START  ":         "wordle start map[]",
		"/wordle start hard":         "wordle start map[hard:true]",
		"/wordle start hard:false":   "wordle start map[hard:false]",
		"/guess word:two words":      "guess map[word:two words]",
		"/guess a:b":                 "guess map[word:a:b]",
		"/stats ben":                 "stats map[player:ben]",
		"/crane":                     "I don't know “crane”. Try /help.",
		"/pokle solve undo feedback": "pokle solve map[feedback:feedback undo:true]",
	} {
		got, text := parse(line, table)
		if text == "" {
			text = fmt.Sprint(got.command, " ", got.args)
		}
		if text != want {
			t.Errorf("parse(%q) is %s, want %s", line, text, want)
		}
	}
	for line, want := range map[string]string{"/wordle": "/wordle start, /wordle board, ", "/pokle rules soft": "/pokle rules", "/stats ben all zoe": "/stats [player] [when]"} {
		if _, mistake := parse(line, table); !strings.Contains(mistake, want) {
			t.Errorf("parse(%q) says %q, want %q in it", line, mistake, want)
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
		{"/boards guess:4C 4H QH AC JC colours:gyeyg", "colours=gyeyg guess=4C 4H QH AC JC"},
		{"/boards 4C 4H QH AC JC gyeyg", "colours=4C 4H QH AC JC gyeyg"},
		{"/boards gyeyg deal:QD new", "colours=gyeyg deal=QD new=true"},
		{"/boards new QD QC 10H", "colours=QD QC 10H new=true"},
		{"/boards gyeyg undo 4C 4H", "colours=gyeyg guess=4C 4H undo=true"},
		{"/bet 2c 3d 10h 4s ks", "cards=2c 3d 10h 4s ks"},
		{"/bet 2c 3d 10h 4s ks solo", "cards=2c 3d 10h 4s ks mode=solo"},
		{"/bet solo 2c 3d 10h 4s ks", "cards=2c 3d 10h 4s ks mode=solo"},
		{"/bet mode:daily 2c 3d", "cards=2c 3d mode=daily"},
		{"/pair crane bbygb", "guess=crane tiles=bbygb"},
		{"/pair crane bb ygb", "guess=crane tiles=bb ygb"},
		{"/pair tiles:bbygb crane", "guess=crane tiles=bbygb"},
		{"/list ben won crane 20", "before=20 outcome=won player=ben word=crane"},
		{"/list player:won lost", "outcome=lost player=won"},
	} {
		got, mistake := parse(c.line, commands)
		var args []string
		for _, name := range slices.Sorted(maps.Keys(got.args)) {
			args = append(args, name+"="+got.args[name])
		}
		if text := strings.Join(args, " "); mistake != "" || text != c.want {
			t.Errorf("parse(%q) gives %s, %q; want %s", c.line, text, mistake, c.want)
		}
	}
}

// FuzzParse: every line is an existing command or a mistake.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"/wordle start hard", "/guess word:crane", "as ben", "/hint kind=letter", "/pokle solve guess:4C 4H new feedback: g y", "\x1b[2J"} {
		f.Add(line)
	}
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()
	f.Fuzz(func(t *testing.T, line string) {
		p, mistake := parse(line, table.Commands)
		if _, ok := table.Find(p.command); ok != (mistake == "") {
			t.Errorf("parse(%q) = %+v, %q", line, p, mistake)
		}
	})
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m") // of our own

// FuzzDraw: a player's text can't control another player's terminal.
func FuzzDraw(f *testing.F) {
	f.Add("\x1b[2J\x07\r\n\u009b31m", true)
	f.Fuzz(func(t *testing.T, text string, colour bool) {
		out := Draw(nil, bot.Reply{Blocks: []bot.Block{bot.Line{
			Tiles: []bot.Tile{{Text: "A", Mark: wordle.Green}},
			Text:  []bot.Span{{Text: text}, {Style: bot.StyleBold, Text: text}, {Style: bot.StylePlayer, Text: text}},
		}}}, colour)
		out = sgr.ReplaceAllString(out, "")
		if i := strings.IndexFunc(strings.TrimSuffix(out, "\n"), unicode.IsControl); i >= 0 {
			t.Errorf("%q is drawn with a control character at %d: %q", text, i, out)
		}
	})
}
