package terminal

import (
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/game/marks"
)

// renderer draws tiles in a style and in the player's look.
type renderer struct {
	style   tileStyle
	look    bot.Look
	console bool // see [Terminal.Console]
}

type tileStyle uint8

const (
	inSquares  tileStyle = iota // 🟩🟨🔳 ABC, for other programs and files
	inBrackets                  // [A](B) c , for a terminal without colours
	inColours                   // the same on coloured grounds
)

// The colours are of the 256 that all terminals but Linux's console show alike: themes change only the first sixteen.
// That console has those sixteen, and the first eight as grounds. The contrast on a ground is 4.5 to 1 or more.
var (
	black, white = lipgloss.Color("16"), lipgloss.Color("231")
	faint        = lipgloss.Color("244") // on dark and light grounds

	grey   = paint(lipgloss.Color("240"), white)
	night  = paint(lipgloss.Black, lipgloss.White)
	paints = map[bool][2][3]lipgloss.Style{ // by console, look and mark
		false: {
			bot.StandardColours: {grey, paint(lipgloss.Color("178"), black), paint(lipgloss.Color("71"), black)},
			bot.ContrastColours: {grey, paint(lipgloss.Color("117"), black), paint(lipgloss.Color("208"), black)},
		},
		true: {
			bot.StandardColours: {night, paint(lipgloss.Yellow, lipgloss.BrightWhite), paint(lipgloss.Green, lipgloss.Black)},
			bot.ContrastColours: {night, paint(lipgloss.Cyan, lipgloss.Black), paint(lipgloss.Red, lipgloss.BrightWhite)},
		},
	}
	inks = map[bot.Ink]lipgloss.Style{
		bot.GreenInk: paint(white, lipgloss.Color("22")), bot.BlueInk: paint(white, lipgloss.Color("19")),
		bot.RedInk: paint(white, lipgloss.Color("124")), bot.BlackInk: paint(white, black),
	}
	consoleInk = paint(lipgloss.White, lipgloss.Black)
)

// paint is a ground with letters on it.
func paint(ground, letter color.Color) lipgloss.Style {
	return lipgloss.NewStyle().Background(ground).Foreground(letter)
}

// ink returns the paint of a card's name.
func (r renderer) ink(i bot.Ink) lipgloss.Style {
	switch {
	case r.style != inColours:
		return lipgloss.NewStyle()
	case r.console:
		return consoleInk
	}
	return inks[i]
}

// edges are those of tiles by mark, without and with colours. Rounds are those of large tiles with colours, which need no
// brackets. So marks differ in shape too.
var (
	edges = [...][3]lipgloss.Border{
		inBrackets: {marks.Black: edged("        "), marks.Yellow: edged("──╭╮╰╯()"), marks.Green: edged("━━┏┓┗┛[]")},
		inColours:  {marks.Black: edged("        "), marks.Yellow: edged("      ()"), marks.Green: edged("      []")},
	}
	rounds = [3]lipgloss.Border{marks.Black: edged("▄▀▄▄▀▀  "), marks.Yellow: edged("▄▀    ▐▌"), marks.Green: edged("▄▀▄▄▀▀  ")}
)

// edged returns a border of lines above and below, corners, and sides.
func edged(parts string) lipgloss.Border {
	p := strings.Split(parts, "")
	return lipgloss.Border{Top: p[0], Bottom: p[1], TopLeft: p[2], TopRight: p[3], BottomLeft: p[4], BottomRight: p[5], Left: p[6], Right: p[7]}
}

// tile draws a tile with its mark, in three rows if it is large, in a width in columns.
func (r renderer) tile(t bot.Tile, wide int, large bool) string {
	text, edge, s := t.Text, edges[r.style][t.Mark], lipgloss.NewStyle()
	switch {
	case t.Ink != bot.NoInk:
		text = fmt.Sprintf("%*s", bot.WideTile, text)
	case r.style == inBrackets && t.Mark == marks.Black:
		text = strings.ToLower(text)
	}
	if r.style == inColours {
		s = paints[r.console][r.look.Colours][t.Mark]
		ground, letter := s.GetBackground(), s.GetForeground()
		if large {
			edge, s = rounds[t.Mark], s.BorderForeground(ground)
		} else {
			s = s.BorderForeground(letter)
		}
		if !large || t.Mark != marks.Yellow {
			s = s.BorderLeftBackground(ground).BorderRightBackground(ground)
		}
		if t.Ink != bot.NoInk {
			s = s.Background(r.ink(t.Ink).GetBackground()).Foreground(r.ink(t.Ink).GetForeground())
		}
	}
	return s.Width(wide).Align(lipgloss.Center).Border(edge, large, true).Render(text)
}

// open draws a tile that has no mark yet, with what is typed into it. The row that is typed into is brighter.
func (r renderer) open(text string, wide int, large, now bool) string {
	s := lipgloss.NewStyle().Width(wide).Align(lipgloss.Center).Bold(true).Border(lipgloss.RoundedBorder(), large, large)
	if !now && r.style == inColours {
		s = s.BorderForeground(faint).Foreground(faint)
	}
	if text == "" && !large {
		text = "_"
	}
	return s.Render(text)
}

// key draws a letter of the keyboard, and how often the word has it if that is more than once. Letters that are not in
// the word are dim and in lower case.
func (r renderer) key(k bot.Key) string {
	switch {
	case !k.Tried:
		return " " + r.bold(k.Text) + " "
	case k.Mark == marks.Black:
		return r.dimmed().Render(" " + strings.ToLower(k.Text) + " ")
	}
	drawn := r.tile(bot.Tile{Text: k.Text, Mark: k.Mark}, 3, false)
	if times := fmt.Sprint(k.Times); k.Times > 1 {
		drawn = strings.NewReplacer(edges[r.style][k.Mark].Right, times).Replace(drawn)
	}
	return drawn
}

func (r renderer) bold(text string) string {
	if r.style == inSquares {
		return text
	}
	return lipgloss.NewStyle().Bold(true).Render(text)
}

func (r renderer) dimmed() lipgloss.Style {
	if r.style != inColours {
		return lipgloss.NewStyle()
	}
	return lipgloss.NewStyle().Foreground(faint)
}

func (r renderer) dim(text string) string { return r.dimmed().Render(text) }

// plainer has what the fonts of Linux's console lack.
var plainer = strings.NewReplacer("╭", "┌", "╮", "┐", "╰", "└", "╯", "┘", "✓", "√")
