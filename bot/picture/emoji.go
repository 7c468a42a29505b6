package picture

import (
	"image"
	"image/color"
	"strconv"
	"strings"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// emojiVersion is in the names of the emojis. It grows when a drawing changes, so that the new emojis are uploaded.
const emojiVersion = 1

// Emoji is a tile of a board or a key of its keyboard, as an emoji. With a letter or a card it shows its mark: green and
// orange are square, yellow and blue are round, black is square and dim. Without, it's the outline of an empty place.
type Emoji struct {
	Text     string // a letter from A to Z, a card such as "10♥", or empty
	Mark     marks.Mark
	Key      Key  // of a letter that is neither yellow nor green on the keyboard; those two are the same as on the board
	Contrast bool // orange and blue instead of green and yellow
}

// Key is the state of a key on the keyboard.
type Key uint8

const (
	Tile    Key = iota // not a key, or one with a yellow or a green mark
	Untried            // a bright key
	Used               // only a faint letter: all its marks are black
)

// emojiSize is the width and height of an emoji in pixels, as Discord recommends.
const emojiSize = 128

// EmojiSets returns all emojis in four sets: letters and cards in standard colours, then in high contrast. A board uses
// a set only if the whole set was uploaded. Emojis without one of the four colours are in several sets.
func EmojiSets() [][]Emoji {
	var letters, cards []string
	for letter := 'A'; letter <= 'Z'; letter++ {
		letters = append(letters, string(letter))
	}
	for card := range pokle.Card(pokle.Deck) {
		cards = append(cards, card.String())
	}
	var sets [][]Emoji
	for _, contrast := range []bool{false, true} {
		for _, texts := range [][]string{letters, cards} {
			set := []Emoji{{Contrast: contrast}}
			for _, text := range texts {
				for _, mark := range []marks.Mark{marks.Black, marks.Yellow, marks.Green} {
					set = append(set, Emoji{Text: text, Mark: mark, Contrast: contrast})
				}
				if len(text) == 1 {
					set = append(set, Emoji{Text: text, Key: Untried, Contrast: contrast}, Emoji{Text: text, Key: Used, Contrast: contrast})
				}
			}
			sets = append(sets, set)
		}
	}
	return sets
}

// style returns the emoji's key in emojiColours.
func (e Emoji) style() string {
	switch {
	case e.Text == "":
		return "e"
	case e.Key != Tile:
		return [...]string{Untried: "u", Used: "n"}[e.Key]
	}
	return map[bool][3]string{
		false: {marks.Black: "x", marks.Yellow: "y", marks.Green: "g"}, true: {marks.Black: "x", marks.Yellow: "b", marks.Green: "o"},
	}[e.Contrast][e.Mark]
}

// Name returns the emoji's name: "Ag1" is a green A and "10hx1" a black 10♥. It's short because a board and its
// keyboard put up to 56 names and ids into one message. It's the same for both contrasts if the drawing is.
func (e Emoji) Name() string {
	return suitLetters.Replace(e.Text) + e.style() + strconv.Itoa(emojiVersion)
}

var suitLetters = strings.NewReplacer("♣", "c", "♦", "d", "♥", "h", "♠", "s")

// emojiColours are the colours by style. The text or the face stands out on every background; what has no face is of a
// grey halfway between the darkest and the lightest one.
var emojiColours = map[string]struct{ edge, face, text color.NRGBA }{
	"e": {edge: color.NRGBA{0x6E, 0x76, 0x81, 0xFF}, face: color.NRGBA{0x6E, 0x76, 0x81, 0}},
	"u": {face: color.NRGBA{0x69, 0x73, 0x7F, 0xFF}, text: paper},
	"n": {text: color.NRGBA{0x7C, 0x84, 0x8E, 0xFF}},
	"x": {face: color.NRGBA{0x50, 0x59, 0x64, 0xFF}, text: paper},
	"y": {edge: color.NRGBA{0xA8, 0x7C, 0x08, 0xFF}, face: yellow, text: dark},
	"g": {face: green, text: dark},
	"b": {edge: color.NRGBA{0x1F, 0x5E, 0x9E, 0xFF}, face: blue, text: dark},
	"o": {face: orange, text: dark},
}

// Draw returns the emoji as a PNG. The same emoji has the same pixels everywhere.
func (e Emoji) Draw() []byte {
	c, with := drawing{Canvas: canvas.New(emojiSize, emojiSize, color.NRGBA{})}, emojiColours[e.style()]
	tile, centre, radius := c.Bounds().Inset(4), middle(c.Bounds()), 20
	if e.Mark == marks.Yellow {
		radius = tile.Dx() / 2
	}
	if with.edge.A > 0 {
		c.framed(tile, radius, 5, with.edge, with.face)
	} else {
		c.Rounded(tile, radius, with.face)
	}
	switch cards, _ := pokle.ParseCards(e.Text); {
	case len(cards) == 0:
		c.Text(canvas.Centre, centre.Add(image.Pt(0, 30)), 84, emojiSize, with.text, e.Text)
	case cards[0].Rank() == pokle.Ten:
		rankAndSuit(c.Canvas, cards[0], centre, 48, 36, 0, 1, with.text)
	default:
		rankAndSuit(c.Canvas, cards[0], centre, 68, 42, 0, 2, with.text)
	}
	return c.PNG()
}
