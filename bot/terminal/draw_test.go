package terminal

import (
	"testing"

	"fivefold/bot"
	"fivefold/game/wordle"
)

func TestDrawTiles(t *testing.T) {
	letters := bot.Line{Tiles: []bot.Tile{
		{Text: "A", Mark: wordle.Black}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green},
	}}
	cards := bot.Line{Tiles: []bot.Tile{
		{Text: "2♣", Mark: wordle.Green, Ink: bot.GreenInk}, {Text: "10♦", Mark: wordle.Yellow, Ink: bot.BlueInk}, {Text: "A♥", Mark: wordle.Black, Ink: bot.RedInk},
		{Text: "4♠", Mark: wordle.Black, Apart: true, Ink: bot.BlackInk}, {Text: "10♠", Mark: wordle.Green, Apart: true, Ink: bot.BlackInk},
	}}
	for _, c := range []struct {
		name   string
		line   bot.Line
		colour bool
		want   string
	}{
		{"letters", letters, false, "🔳🟨🟩 ABC\n"},
		{"letters in colour", letters, true, sgrBlack + " A " + sgrReset + sgrYellow + "(B)" + sgrReset + sgrGreen + "[C]" + sgrReset + "\n"},
		{"cards", cards, false, "🟩🟨🔳 🔳 🟩 2♣ 10♦ A♥ | 4♠ | 10♠\n"},
		{"cards in colour", cards, true, sgrGreen + "[" + inks[bot.GreenInk] + " 2♣" + sgrReset + sgrGreen + "]" + sgrReset +
			sgrYellow + "(" + inks[bot.BlueInk] + "10♦" + sgrReset + sgrYellow + ")" + sgrReset +
			sgrBlack + " " + inks[bot.RedInk] + " A♥" + sgrReset + sgrBlack + " " + sgrReset +
			" " + sgrBlack + " " + inks[bot.BlackInk] + " 4♠" + sgrReset + sgrBlack + " " + sgrReset +
			" " + sgrGreen + "[" + inks[bot.BlackInk] + "10♠" + sgrReset + sgrGreen + "]" + sgrReset + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Draw(nil, bot.Reply{Blocks: bot.Lines(c.line)}, c.colour); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestDrawLook: tiles are in the player's own look.
func TestDrawLook(t *testing.T) {
	letters := bot.Line{Tiles: []bot.Tile{{Text: "A"}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green}}}
	reply := bot.Reply{Blocks: bot.Lines(letters)}.In(bot.Look{Colours: bot.ContrastColours, Shapes: bot.SignShapes})
	if got, want := Draw(nil, reply, false), "🔳🔵🟧 ABC\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	reply.Look.Shapes = bot.TileShapes
	if got, want := Draw(nil, reply, true), sgrBlack+" A "+sgrReset+sgrBlue+"(B)"+sgrReset+sgrOrange+"[C]"+sgrReset+"\n"; got != want {
		t.Errorf("in colour: got %q, want %q", got, want)
	}
	k := renderer{style: inBrackets, look: bot.Look{Text: true}}
	if got, want := k.row(letters), "ABC: A grey, B yellow, C green"; got != want {
		t.Errorf("in words: got %q, want %q", got, want)
	}
}

// TestDrawBrackets: a terminal without colours gets letters and brackets.
func TestDrawBrackets(t *testing.T) {
	tiles := []bot.Tile{{Text: "A", Mark: wordle.Black}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green}}
	got := renderer{style: inBrackets}.draw(bot.Line{Tiles: tiles}, bot.Text("Fivefold 3, 2/6"), bot.Text("🔳🟨🟩"), bot.Text("flop ", bot.Emoji("🥇 "), "1st, ", bot.Bold("turn 3rd")))
	if want := " A (B)[C]\nFivefold 3, 2/6\nbyg\nflop 1st, turn 3rd\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
