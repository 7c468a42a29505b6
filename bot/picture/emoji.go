package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strconv"
	"strings"
	"unicode/utf8"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// emojiVersion is in the names of the emojis. It grows when what is drawn changes, so that
// the new ones are uploaded.
const emojiVersion = 1

// Emoji is a tile as an emoji: a letter or a card on the colour and in the shape of its
// mark. Green and orange tiles are squares that touch each other, yellow and blue ones are
// round, and black ones are squares with a light edge.
type Emoji struct {
	Text     string // a letter from A to Z, or a card such as "10♥"
	Mark     marks.Mark
	Contrast bool // orange and blue instead of green and yellow
}

// emojiSize is the width and height of an emoji in pixels, as Discord recommends.
const emojiSize = 128

// EmojiSets returns all emojis, in sets of which a board has either all or none: those of
// letters and those of cards, first in standard colours. Black ones are in two sets.
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

// isCard reports whether the emoji is of a card.
func (e Emoji) isCard() bool { return utf8.RuneCountInString(e.Text) > 1 }

// Name returns the emoji's name, which screen readers read out: "A_green1", "10h_grey1".
// Black tiles are the same in both colours.
func (e Emoji) Name() string {
	colour := [...]string{marks.Black: "black", marks.Yellow: "yellow", marks.Green: "green"}[e.Mark]
	switch {
	case e.Mark == marks.Black && e.isCard():
		colour = "grey"
	case e.Mark == marks.Yellow && e.Contrast:
		colour = "blue"
	case e.Mark == marks.Green && e.Contrast:
		colour = "orange"
	}
	return suitLetters.Replace(e.Text) + "_" + colour + strconv.Itoa(emojiVersion)
}

var suitLetters = strings.NewReplacer("♣", "c", "♦", "d", "♥", "h", "♠", "s")

// NameVersion returns the version in the name of a tile's emoji, and false for the name of
// another emoji.
func NameVersion(name string) (version int, ok bool) {
	text, colour, ok := strings.Cut(name, "_")
	if !ok || text == "" || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789cdhs") != "" {
		return 0, false
	}
	for _, word := range []string{"black", "grey", "yellow", "green", "blue", "orange"} {
		if digits, found := strings.CutPrefix(colour, word); found {
			version, err := strconv.Atoi(digits)
			return version, err == nil && version > 0
		}
	}
	return 0, false
}

// IsOld reports whether an emoji of this name is of an earlier version than those here.
func IsOld(name string) bool {
	version, ok := NameVersion(name)
	return ok && version < emojiVersion
}

// The inks of an emoji.
const (
	clear canvas.Ink = iota // round the tile
	edge                    // of the tile
	face                    // behind the text
	text
)

// tileGreen is brighter than the green of a picture, whose background is always dark.
var tileGreen = color.NRGBA{0x25, 0xA3, 0x5A, 0xFF}

// emojiColours are those of a tile. On every background, the edge or the face of the tile
// stands out.
var emojiColours = [...]struct{ edge, face, text color.NRGBA }{
	marks.Black:  {colours[silver], colours[grey], colours[paper]},
	marks.Yellow: {color.NRGBA{0x8A, 0x61, 0x00, 0xFF}, colours[yellow], colours[dark]},
	marks.Green:  {tileGreen, tileGreen, colours[dark]},
}

// contrastColours are those in high contrast.
var contrastColours = [...]struct{ edge, face, text color.NRGBA }{
	marks.Black:  emojiColours[marks.Black],
	marks.Yellow: {color.NRGBA{0x1F, 0x5E, 0x9E, 0xFF}, colours[blue], colours[dark]},
	marks.Green:  {colours[orange], colours[orange], colours[dark]},
}

// Draw returns the emoji as a PNG. The same emoji has the same pixels everywhere.
func (e Emoji) Draw() ([]byte, error) {
	of := emojiColours[e.Mark]
	if e.Contrast {
		of = contrastColours[e.Mark]
	}
	c := canvas.New(emojiSize, emojiSize, []color.NRGBA{clear: {}, edge: of.edge, face: of.face, text: of.text})
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
	if !e.isCard() {
		c.Text(canvas.Centre, centre.Add(image.Pt(0, 30)), 84, emojiSize, text, e.Text)
	} else if err := e.drawCard(c); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := c.Encode(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// drawCard draws the rank, and the suit to the right of it.
func (e Emoji) drawCard(c *canvas.Canvas) error {
	cards, err := pokle.ParseCards(e.Text)
	if err != nil || len(cards) != 1 {
		return fmt.Errorf("drawing the emoji of %q: %w", e.Text, err)
	}
	rank := cards[0].Rank().String()
	size, suit, space := 68, 42, 2
	if len(rank) > 1 {
		size, suit, space = 48, 36, 1
	}
	width := c.TextWidth(rank, size)
	left := (emojiSize - width - space - suit) / 2
	c.Text(canvas.Left, image.Pt(left, emojiSize/2+size*36/100), size, emojiSize, text, rank)
	c.Shape(suitShapes[cards[0].Suit()], image.Pt(left+width+space+suit/2, emojiSize/2), suit, text)
	return nil
}
