package picture

import (
	"image"
	"image/color"
	"strconv"
	"strings"
	"unicode/utf8"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// emojiVersion is in the names of the emojis. It grows when a drawing changes, so that the new emojis are uploaded.
const emojiVersion = 1

// Emoji is a tile as an emoji: a letter or a card on the colour and in the shape of its mark. Green and orange tiles
// are squares that touch each other, yellow and blue ones are round, and black ones are squares with a light edge.
type Emoji struct {
	Text     string // a letter from A to Z, or a card such as "10♥"
	Mark     marks.Mark
	Contrast bool // orange and blue instead of green and yellow
}

// emojiSize is the width and height of an emoji in pixels, as Discord recommends.
const emojiSize = 128

// EmojiSets returns all emojis in four sets: letters and cards in standard colours, then in high contrast. A board uses
// a set only if the whole set was uploaded. Each black tile is in two sets.
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
			var set []Emoji
			for _, mark := range []marks.Mark{marks.Black, marks.Yellow, marks.Green} {
				for _, text := range texts {
					set = append(set, Emoji{text, mark, contrast})
				}
			}
			sets = append(sets, set)
		}
	}
	return sets
}

// Name returns the emoji's name, which screen readers read out: "A_green1", "10h_grey1". It is the same for black tiles
// of both contrasts.
func (e Emoji) Name() string {
	colour := [...]string{marks.Black: "black", marks.Yellow: "yellow", marks.Green: "green"}[e.Mark]
	switch {
	case e.Mark == marks.Black && utf8.RuneCountInString(e.Text) > 1: // a card
		colour = "grey"
	case e.Mark == marks.Yellow && e.Contrast:
		colour = "blue"
	case e.Mark == marks.Green && e.Contrast:
		colour = "orange"
	}
	return suitLetters.Replace(e.Text) + "_" + colour + strconv.Itoa(emojiVersion)
}

var suitLetters = strings.NewReplacer("♣", "c", "♦", "d", "♥", "h", "♠", "s")

// The inks of an emoji.
const (
	clear canvas.Ink = iota // round the tile
	edge                    // of the tile
	face                    // behind the text
	text
)

// tileGreen is brighter than the green of a picture, which always has a dark background.
var tileGreen = color.NRGBA{0x25, 0xA3, 0x5A, 0xFF}

// emojiColours are a tile's colours by contrast and mark. The edge or the face stands out on every background.
var (
	blackTile    = [...]color.NRGBA{edge: colours[silver], face: colours[grey], text: colours[paper]}
	emojiColours = map[bool][3][4]color.NRGBA{
		false: {
			marks.Black:  blackTile,
			marks.Yellow: {edge: {0x8A, 0x61, 0x00, 0xFF}, face: colours[yellow], text: colours[dark]},
			marks.Green:  {edge: tileGreen, face: tileGreen, text: colours[dark]},
		},
		true: {
			marks.Black:  blackTile,
			marks.Yellow: {edge: {0x1F, 0x5E, 0x9E, 0xFF}, face: colours[blue], text: colours[dark]},
			marks.Green:  {edge: colours[orange], face: colours[orange], text: colours[dark]},
		},
	}
)

// Draw returns the emoji as a PNG. The same emoji has the same pixels everywhere.
func (e Emoji) Draw() []byte {
	inks := emojiColours[e.Contrast][e.Mark]
	c := canvas.New(emojiSize, emojiSize, inks[:])
	centre := image.Pt(emojiSize/2, emojiSize/2)
	switch e.Mark {
	case marks.Green:
		c.Rounded(image.Rect(2, 2, emojiSize-2, emojiSize-2), 16, face)
	case marks.Yellow:
		c.Shape(canvas.Disc(50, 50, 50), centre, emojiSize-4, edge)
		c.Shape(canvas.Disc(50, 50, 50), centre, emojiSize-22, face)
	default:
		c.Rounded(image.Rect(6, 6, emojiSize-6, emojiSize-6), 22, edge)
		c.Rounded(image.Rect(14, 14, emojiSize-14, emojiSize-14), 15, face)
	}
	if cards, _ := pokle.ParseCards(e.Text); len(cards) == 1 {
		drawCard(c, cards[0])
	} else {
		c.Text(canvas.Centre, centre.Add(image.Pt(0, 30)), 84, emojiSize, text, e.Text)
	}
	return c.PNG()
}

func drawCard(c *canvas.Canvas, card pokle.Card) {
	rank := card.Rank().String()
	size, suit, space := 68, 42, 2
	if len(rank) > 1 {
		size, suit, space = 48, 36, 1
	}
	width := c.TextWidth(rank, size)
	left := (emojiSize - width - space - suit) / 2
	c.Text(canvas.Left, image.Pt(left, emojiSize/2+size*36/100), size, emojiSize, text, rank)
	c.Shape(suitShapes[card.Suit()], image.Pt(left+width+space+suit/2, emojiSize/2), suit, text)
}
