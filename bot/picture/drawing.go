// Package picture draws pictures and describes them in words for screen readers: the table of the poker game
// ([PokerTable]), many word boards of one game ([WordBoards]), the boards of several players ([Boards]), a player's
// statistics ([Card]) and results in the daily puzzles ([Calendar]), and emojis for tiles and keys ([Emoji]). Every picture
// has its own dark ground, so that it looks the same in each of Discord's themes.
//
// The same content has the same pixels on every machine; see package canvas.
package picture

import (
	"image"
	"image/color"
	"strconv"

	"fivefold/bot/canvas"
	"fivefold/game/pokle"
)

// The colours. Every difference shows without colour too: suits differ in shape and letter, medals in shape and number,
// marks in brightness and sign.
var (
	cloth    = color.NRGBA{0x18, 0x22, 0x2D, 0xFF} // behind everything
	panel    = color.NRGBA{0x26, 0x34, 0x43, 0xFF} // behind a player, and in an empty row
	frame    = color.NRGBA{0x48, 0x5A, 0x6C, 0xFF} // round the cards of an empty row
	back     = color.NRGBA{0x35, 0x4F, 0x79, 0xFF} // of a hidden card
	paper    = color.NRGBA{0xFC, 0xFC, 0xFA, 0xFF} // of a card; signs on dark grounds
	bright   = color.NRGBA{0xF4, 0xF6, 0xF8, 0xFF} // text on cloth and panel
	dim      = color.NRGBA{0xB4, 0xC0, 0xCC, 0xFF} // less important text
	dark     = color.NRGBA{0x14, 0x1B, 0x22, 0xFF} // numbers on medals; signs on bright grounds
	clubs    = color.NRGBA{0x0B, 0x79, 0x3C, 0xFF}
	diamonds = color.NRGBA{0x17, 0x5C, 0xD6, 0xFF}
	hearts   = color.NRGBA{0xD3, 0x1F, 0x2E, 0xFF}
	spades   = color.NRGBA{0x14, 0x17, 0x1B, 0xFF}
	grey     = color.NRGBA{0x4E, 0x59, 0x65, 0xFF}
	yellow   = color.NRGBA{0xF6, 0xC5, 0x1B, 0xFF}
	green    = color.NRGBA{0x25, 0xA3, 0x5A, 0xFF}
	blue     = color.NRGBA{0x85, 0xC0, 0xF9, 0xFF} // replaces yellow in high contrast
	orange   = color.NRGBA{0xE8, 0x65, 0x0A, 0xFF} // replaces green in high contrast
	gold     = color.NRGBA{0xFF, 0xCB, 0x2E, 0xFF}
	silver   = color.NRGBA{0xCD, 0xD5, 0xDD, 0xFF}
	bronze   = color.NRGBA{0xE0, 0x93, 0x54, 0xFF}
)

var suitShapes = [...]canvas.Shape{
	pokle.Clubs: canvas.Join(canvas.Disc(50, 26, 23), canvas.Disc(26, 60, 23), canvas.Disc(74, 60, 23),
		canvas.From(50, 36).Line(66, 58).Line(34, 58),
		canvas.From(45, 50).Line(55, 50).Curve(55, 78, 58, 90, 70, 98).Line(30, 98).Curve(42, 90, 45, 78, 45, 50)),
	pokle.Diamonds: canvas.From(50, 1).Curve(60, 19, 73, 36, 88, 50).Curve(73, 64, 60, 81, 50, 99).
		Curve(40, 81, 27, 64, 12, 50).Curve(27, 36, 40, 19, 50, 1),
	pokle.Hearts: canvas.From(50, 22).Curve(54, 10, 63, 4, 73, 4).Curve(86, 4, 97, 14, 97, 30).
		Curve(97, 52, 70, 68, 50, 97).Curve(30, 68, 3, 52, 3, 30).Curve(3, 14, 14, 4, 27, 4).Curve(37, 4, 46, 10, 50, 22),
	pokle.Spades: canvas.From(50, 2).Curve(66, 30, 97, 42, 97, 64).Curve(97, 77, 87, 84, 76, 84).Curve(67, 84, 60, 80, 55, 73).
		Curve(56, 84, 60, 92, 69, 98).Line(31, 98).Curve(40, 92, 44, 84, 45, 73).
		Curve(40, 80, 33, 84, 24, 84).Curve(13, 84, 3, 77, 3, 64).Curve(3, 42, 34, 30, 50, 2),
}

// markShapes are the signs of the marks: a tick, a wave and a dot.
var markShapes = [...]canvas.Shape{
	pokle.Green: canvas.From(6, 54).Line(23, 37).Line(41, 55).Line(77, 13).Line(95, 29).Line(42, 89),
	pokle.Yellow: canvas.From(3, 58).Curve(10, 34, 30, 24, 50, 42).Curve(64, 55, 74, 54, 80, 37).Line(97, 43).
		Curve(90, 70, 66, 76, 48, 60).Curve(36, 50, 26, 50, 20, 64),
	pokle.Grey: canvas.Disc(50, 50, 17),
}

// Medal is a player's reward: an emoji, its meaning in words, and how pictures show it.
type Medal struct {
	Emoji, Words string
	shape        canvas.Shape
	ink          color.NRGBA
}

// Best is in the place of a place: the best result of a day.
const Best = -1

// Medals are those of the first three places, a star, a circle and a square with its corners cut off, and a crown for
// [Best].
var Medals = map[int]Medal{
	1: {"🥇", "1st", canvas.From(50, 0).Line(62, 13).Line(79, 9).Line(83, 26).Line(98, 36).Line(91, 52).Line(97, 69).
		Line(81, 76).Line(76, 93).Line(59, 90).Line(50, 100).Line(41, 90).Line(24, 93).Line(19, 76).Line(3, 69).Line(9, 52).
		Line(2, 36).Line(17, 26).Line(21, 9).Line(38, 13), gold},
	2:    {"🥈", "2nd", canvas.Disc(50, 50, 45), silver},
	3:    {"🥉", "3rd", canvas.From(24, 9).Line(76, 9).Line(91, 24).Line(91, 76).Line(76, 91).Line(24, 91).Line(9, 76).Line(9, 24), bronze},
	Best: {"👑", "best", canvas.From(6, 18).Line(28, 44).Line(50, 8).Line(72, 44).Line(94, 18).Line(88, 88).Line(12, 88), gold},
}

// cross, star and dot stand for a lost game, for hints and for a day without a game in calendars.
var (
	dot   = canvas.Disc(50, 50, 50)
	cross = canvas.Join(canvas.From(20, 4).Line(96, 80).Line(80, 96).Line(4, 20), canvas.From(80, 4).Line(96, 20).Line(20, 96).Line(4, 80))
	star  = canvas.From(50, 3).Line(64, 35).Line(98, 38).Line(72, 61).Line(80, 95).Line(50, 77).Line(20, 95).Line(28, 61).Line(2, 38).Line(36, 35)
)

var markMeanings = [...]string{pokle.Grey: "neither", pokle.Yellow: "same rank or suit", pokle.Green: "the card is there"}

// grounds are the background colours of the marks, in standard and in high contrast. signs are the colours of their
// signs.
var (
	grounds = map[bool][3]color.NRGBA{
		false: {pokle.Grey: grey, pokle.Yellow: yellow, pokle.Green: green},
		true:  {pokle.Grey: grey, pokle.Yellow: blue, pokle.Green: orange},
	}
	signs = [...]color.NRGBA{pokle.Grey: paper, pokle.Yellow: dark, pokle.Green: paper}
)

type drawing struct {
	*canvas.Canvas
	grounds [3]color.NRGBA // of the marks
}

// begin returns a picture of this size, empty but for its ground.
func begin(width, height int, contrast bool) drawing {
	c := drawing{canvas.New(width, height, color.NRGBA{}), grounds[contrast]}
	c.Rounded(c.Bounds(), margin, cloth)
	return c
}

// framed fills a rounded rectangle that has a frame of this width.
func (c drawing) framed(r image.Rectangle, radius, width int, frame, inside color.NRGBA) {
	c.Rounded(r, radius, frame)
	c.Rounded(r.Inset(width), radius-width, inside)
}

// medal draws the medal of a place, with its number.
func (c drawing) medal(place int, at image.Point, size int) {
	c.Shape(Medals[place].shape, at, size, Medals[place].ink)
	if place != Best {
		c.Text(canvas.Centre, at.Add(image.Pt(0, size/4)), size*9/14, size, dark, strconv.Itoa(place))
	}
}

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
