package terminal

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// consoleColours are those of Linux's console, see vc_screen's default_red, default_grn and default_blu in
// drivers/tty/vt/vt.c. Bright ones are of letters only.
var consoleColours = [16]uint32{
	0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
	0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
}

// TestContrast: letters on tiles have a contrast of at least 4.5 to 1 in every terminal. Outside Linux's console, themes
// such as Solarized can't change the colours, as they are not of the first sixteen.
func TestContrast(t *testing.T) {
	for _, console := range []bool{false, true} {
		for _, colours := range []bot.Colours{bot.StandardColours, bot.ContrastColours} {
			r := renderer{style: inColours, console: console}
			all := map[string]lipgloss.Style{}
			for _, m := range []marks.Mark{wordle.Black, wordle.Yellow, wordle.Green} {
				all[fmt.Sprint("mark ", m)] = paints[console][colours][m]
			}
			for ink := range inks {
				all[fmt.Sprint("ink ", ink)] = r.ink(ink)
			}
			for name, p := range all {
				if got := contrast(t, p, console); got < 4.5 {
					t.Errorf("%s, colours %d, console %t: contrast %.2f", name, colours, console, got)
				}
			}
		}
	}
}

// contrast returns the contrast ratio of WCAG 2, 1 to 21.
func contrast(t *testing.T, p lipgloss.Style, console bool) float64 {
	t.Helper()
	luminance := func(c color.Color, ground bool) float64 {
		r, g, b, _ := c.RGBA()
		switch c := c.(type) {
		case ansi.BasicColor:
			if !console || ground && c >= 8 {
				t.Errorf("%v is not the same everywhere", c)
			}
			rgb := consoleColours[c]
			r, g, b = rgb>>16*0x101, rgb>>8&0xff*0x101, rgb&0xff*0x101
		case ansi.IndexedColor:
			if console || c < 16 {
				t.Errorf("%v is not the same everywhere", c)
			}
		default:
			t.Errorf("%v is neither of 16 nor of 256 colours", c)
		}
		linear := func(v uint32) float64 {
			f := float64(v) / 0xffff
			if f <= 0.04045 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b) + 0.05
	}
	a, b := luminance(p.GetBackground(), true), luminance(p.GetForeground(), false)
	return max(a, b) / min(a, b)
}

// TestTileShapes: marks differ without colours, and letters on tiles are never bold.
func TestTileShapes(t *testing.T) {
	row := []bot.Tile{{Text: "A", Mark: wordle.Black}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green}}
	for _, test := range []struct {
		r           renderer
		small, wide [3]string
	}{
		{renderer{style: inBrackets}, [3]string{" a ", "(B)", "[C]"}, [3]string{"     \n  a  \n     ", "╭───╮\n( B )\n╰───╯", "┏━━━┓\n[ C ]\n┗━━━┛"}},
		{renderer{style: inColours}, [3]string{" A ", "(B)", "[C]"}, [3]string{"▄▄▄▄▄\n  A  \n▀▀▀▀▀", " ▄▄▄ \n▐ B ▌\n ▀▀▀ ", "▄▄▄▄▄\n  C  \n▀▀▀▀▀"}},
	} {
		grounds := map[string]bool{}
		for i, tile := range row {
			small, large := test.r.tile(tile, 3, false), test.r.tile(tile, 5, true)
			if ansi.Strip(small) != test.small[i] || ansi.Strip(large) != test.wide[i] {
				t.Errorf("%v is drawn as\n%s\n%s\nwant\n%s\n%s", tile, small, large, test.small[i], test.wide[i])
			}
			grounds[fmt.Sprint(paints[false][0][tile.Mark].GetBackground())] = true
		}
		if len(grounds) != 3 {
			t.Errorf("the marks have %d colours", len(grounds))
		}
	}
	for colours, want := range map[bot.Colours]string{bot.StandardColours: "48;5;71m", bot.ContrastColours: "48;5;208m"} {
		r := renderer{style: inColours, look: bot.Look{Colours: colours}}
		if got := r.tile(row[2], 3, false); strings.Count(got, "\x1b[38;5;16;"+want) != strings.Count(got, "\x1b[38") {
			t.Errorf("got %q, want only %s", got, want)
		}
	}
}
