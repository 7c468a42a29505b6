package terminal

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// TestDraw: a program or a file gets squares, a terminal without colours letters and brackets.
func TestDraw(t *testing.T) {
	letters := bot.Line{Tiles: []bot.Tile{
		{Text: "A", Mark: wordle.Black}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green},
	}}
	cards := bot.Line{Tiles: []bot.Tile{
		{Text: "2♣", Mark: wordle.Green, Ink: bot.GreenInk}, {Text: "10♦", Mark: wordle.Yellow, Ink: bot.BlueInk}, {Text: "A♥", Mark: wordle.Black, Ink: bot.RedInk},
		{Text: "4♠", Mark: wordle.Black, Apart: true, Ink: bot.BlackInk}, {Text: "10♠", Mark: wordle.Green, Apart: true, Ink: bot.BlackInk},
	}}
	shared := bot.Text("🔳🟨🟩 ", bot.Emoji("🥇 "), "1st, ", bot.Bold("2nd"))
	signs := bot.Look{Colours: bot.ContrastColours, Shapes: bot.SignShapes}
	for _, c := range []struct {
		name  string
		r     renderer
		lines []bot.Line
		want  string
	}{
		{"squares", renderer{}, []bot.Line{letters, cards, shared}, "🔳🟨🟩 ABC\n🟩🟨🔳 🔳 🟩 2♣ 10♦ A♥ | 4♠ | 10♠\n🔳🟨🟩 🥇 1st, 2nd\n"},
		{"brackets", renderer{style: inBrackets}, []bot.Line{letters, cards, shared}, " a (B)[C]\n[ 2♣](10♦)  A♥    4♠  [10♠]\nbyg 1st, 2nd\n"},
		{"signs", renderer{look: signs}, []bot.Line{letters}, "🔳🔵🟧 ABC\n"},
		{"bold", renderer{style: inColours}, []bot.Line{bot.Text("a ", bot.Bold("b"))}, "a \x1b[1mb\x1b[m\n"},
	} {
		if got := c.r.draw(c.lines...); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
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
