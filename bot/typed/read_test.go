package typed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
)

// TestRead: a command of the table is found; a mistake is explained.
func TestRead(t *testing.T) {
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands
	for line, want := range map[string]string{
		"/wordle start":              "wordle start map[]",
		"  /Wordle  START  ":         "wordle start map[]",
		"/wordle start hard":         "wordle start map[hard:hard]",
		"/wordle start hard:off":     "wordle start map[hard:off]",
		"/wordle start ultra":        "wordle start map[hard:ultra]",
		"/guess word:two words":      "guess map[word:two words]",
		"/guess a:b":                 "guess map[word:a:b]",
		"/stats ben":                 "stats map[player:ben]",
		"/stats when:october 2025":   "stats map[when:october 2025]",
		"/crane":                     "I don't know “crane”. Try /help.",
		"/pokle solve undo feedback": "pokle solve map[feedback:feedback undo:true]",
	} {
		got, text := Read(line, table)
		if text == "" {
			text = fmt.Sprint(got.Name, " ", got.Args)
		}
		if text != want {
			t.Errorf("Read(%q) is %s, want %s", line, text, want)
		}
	}
	for line, want := range map[string]string{"/wordle": "“wordle”? Add a second word", "/pokle rules soft": "/pokle rules"} {
		if _, mistake := Read(line, table); !strings.Contains(mistake, want) {
			t.Errorf("Read(%q) says %q, want %q in it", line, mistake, want)
		}
	}
}

// TestReadWords reads texts of several words among options of all kinds.
func TestReadWords(t *testing.T) {
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
		got, mistake := Read(c.line, commands)
		var args []string
		for _, name := range slices.Sorted(maps.Keys(got.Args)) {
			args = append(args, name+"="+got.Args[name])
		}
		if text := strings.Join(args, " "); mistake != "" || text != c.want {
			t.Errorf("Read(%q) gives %s, %q; want %s", c.line, text, mistake, c.want)
		}
	}
}

// FuzzRead: every line is an existing command or a mistake.
func FuzzRead(f *testing.F) {
	for _, line := range []string{"/wordle start hard", "/guess word:crane", "as ben", "/hint kind=letter", "/pokle solve guess:4C 4H new feedback: g y", "\x1b[2J"} {
		f.Add(line)
	}
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()
	f.Fuzz(func(t *testing.T, line string) {
		p, mistake := Read(line, table.Commands)
		if _, ok := table.Find(p.Name); ok != (mistake == "") {
			t.Errorf("Read(%q) = %+v, %q", line, p, mistake)
		}
	})
}

// TestOf: a button's line does the same; one that would do something else is not written.
func TestOf(t *testing.T) {
	all := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table().Commands
	for _, test := range []struct {
		b    bot.Button
		want string
	}{
		{bot.Button{Command: "wordle start", Args: map[string]string{"mode": "together"}}, "/wordle start"},
		{bot.Button{Command: "wordle start", Args: map[string]string{"mode": "solo", "hard": "ultra", "hints": "2"}}, "/wordle start solo ultra hints:2"},
		{bot.Button{Command: "review game", Args: map[string]string{"match": "m1"}}, "/review game"},
		{bot.Button{Command: "solve change", Args: map[string]string{"line": "2", "feedback": "bbybb"}}, "/solve change 2 bbybb"},
		{bot.Button{Command: "solve next", Args: map[string]string{"guess": "slate", "feedback": "bbybb"}}, ""},
		{bot.Button{Command: "guess", Args: map[string]string{"match": "m1"}}, ""},
		{bot.Button{Command: "guess", Args: map[string]string{"lost": "m1"}}, ""},
		{bot.Button{Command: "stats", Args: map[string]string{"card": "own"}}, ""}, // a line would show something else
		{bot.Button{Command: "gone"}, ""},
	} {
		got := Of(test.b, all, "match")
		if got != test.want {
			t.Errorf("%v is %q, want %q", test.b, got, test.want)
		}
		if c, mistake := Read(got, all); got != "" && (mistake != "" || c.Name != test.b.Command) {
			t.Errorf("%q is read as %v, %s", got, c, mistake)
		}
	}
}
