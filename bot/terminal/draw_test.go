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
		{Text: "2♣", Mark: wordle.Green}, {Text: "10♦", Mark: wordle.Yellow}, {Text: "A♥", Mark: wordle.Black},
		{Text: "4♠", Mark: wordle.Black, Apart: true}, {Text: "10♠", Mark: wordle.Green, Apart: true},
	}}
	for _, c := range []struct {
		name   string
		line   bot.Line
		colour bool
		want   string
	}{
		{"letters", letters, false, "⬛🟨🟩 ABC\n"},
		{"letters in colour", letters, true, sgrBlack + " A " + sgrReset + sgrYellow + "(B)" + sgrReset + sgrGreen + "[C]" + sgrReset + "\n"},
		{"cards", cards, false, "🟩🟨⬛ ⬛ 🟩 2♣ 10♦ A♥ | 4♠ | 10♠\n"},
		{"cards in colour", cards, true, sgrGreen + "[ 2♣]" + sgrReset + sgrYellow + "(10♦)" + sgrReset + sgrBlack + "  A♥ " + sgrReset +
			" " + sgrBlack + "  4♠ " + sgrReset + " " + sgrGreen + "[10♠]" + sgrReset + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Draw(bot.Reply{Lines: []bot.Line{c.line}}, c.colour); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
