package interaction

import (
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	pictures "fivefold/bot/picture"
	"fivefold/game/marks"
)

// TestBoardsFitWithTiles: whatever is said under them, six rows of emojis fit in a message,
// with ids of 20 digits; and where they do not, there are squares.
func TestBoardsFitWithTiles(t *testing.T) {
	t.Parallel()
	ids, known := Emojis{}, new(Names)
	for _, set := range pictures.EmojiSets() {
		for _, e := range set {
			ids[e.Name()] = strings.Repeat("9", 20)
		}
	}
	known.LearnEmojis(ids)
	for _, contrast := range []bot.Colours{bot.StandardColours, bot.ContrastColours} {
		for _, text := range []string{"W", "10♠"} {
			for mark := range marks.Mark(3) {
				var lines []bot.Line
				for range 6 {
					var line bot.Line
					for i := range 5 {
						line.Tiles = append(line.Tiles, bot.Tile{Text: text, Mark: mark, Apart: text != "W" && i > 2})
					}
					lines = append(lines, line)
				}
				content := func(lines []bot.Line) string {
					m, err := renderMessage(Result{Reply: bot.Reply{Look: bot.Look{Colours: contrast}, Blocks: bot.Lines(lines...)}}, known)
					must(t, err)
					return Text(m.Components)
				}
				board := content(lines)
				room := maxText - units(board)
				if n := strings.Count(board, "<:"); n != 30 || room < 800 {
					t.Errorf("a board of %s has %d emojis and leaves room for %d", text, n, room)
				}
				full := append(slices.Clone(lines), bot.Text(strings.Repeat("x", room)))
				if got := content(full); strings.Contains(got, "<:") || !strings.HasPrefix(got, bot.Look{Colours: contrast}.Square(mark)) {
					t.Errorf("with a text of %d it begins %.40q", room, got)
				}
			}
		}
	}
}
