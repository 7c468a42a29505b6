package picture

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
)

// Card is a player's statistics: figures above, and below them a bar for each number of guesses.
type Card struct {
	Figures []Figure // such as {"95 %", "solved"}; five fit well
	Won     []int    // games won, by number of guesses from 1
	Latest  int      // the number of guesses in the latest game, whose bar is green; 0 for none
}

// Figure is a number and what it counts.
type Figure struct{ Value, Name string }

// Measures in pixels.
const (
	barsTop   = 128
	barHeight = 40
	barGap    = 6
	barsLeft  = smallMargin + 40
	barsRoom  = smallWidth - smallMargin - barsLeft - 90 // of the longest bar; "latest" fits beside it
)

// leastBars is the number of bars from which on a card leaves out empty ones at both ends.
const leastBars = 6

// bars returns the games won, without numbers of guesses at both ends in which none was, and the number of guesses of the first.
func (card Card) bars() (won []int, from int) {
	for won = card.Won; len(won) > leastBars && won[len(won)-1] == 0; {
		won = won[:len(won)-1]
	}
	for ; len(won) > leastBars && won[0] == 0; from++ {
		won = won[1:]
	}
	return won, from + 1
}

// height returns the height of the figures and bars.
func (card Card) height() int {
	won, _ := card.bars()
	return barsTop + len(won)*(barHeight+barGap) + smallMargin
}

// Draw returns the card as a PNG, 800 pixels wide. With contrast, orange replaces green. The same card gives the same
// bytes. Draw is safe for concurrent use.
func (card Card) Draw(contrast bool) []byte {
	c := begin(smallWidth, card.height(), contrast)
	c.figures(card, 0)
	return c.PNG()
}

// figures draws the figures and bars of a card below a line.
func (c drawing) figures(card Card, top int) {
	for i, f := range card.Figures {
		width := (smallWidth - 2*smallMargin) / len(card.Figures)
		at := image.Pt(smallMargin+i*width+width/2, top+smallMargin+44)
		c.Text(canvas.Centre, at, 44, width-gap, bright, f.Value)
		c.Text(canvas.Centre, at.Add(image.Pt(0, 36)), 25, width-gap, dim, f.Name)
	}
	won, from := card.bars()
	for i, n := range won {
		count := strconv.Itoa(n)
		width := max(barHeight, c.TextWidth(count, 28)+20, n*barsRoom/max(1, slices.Max(won)))
		r := image.Rect(0, 0, width, barHeight).Add(image.Pt(barsLeft, top+barsTop+i*(barHeight+barGap)))
		ground, with, y := grey, paper, r.Min.Y+29
		if from+i == card.Latest {
			ground, with = c.grounds[marks.Green], dark
			c.Text(canvas.Left, image.Pt(r.Max.X+gap, y), 25, smallWidth, dim, "latest")
		}
		c.Rounded(r, 8, ground)
		c.Text(canvas.Right, image.Pt(r.Max.X-12, y), 28, smallWidth, with, count)
		c.Text(canvas.Left, image.Pt(smallMargin+8-(from+i)/10*14, y), 28, barsLeft, dim, strconv.Itoa(from+i))
	}
}

// Alt describes the card in words, with the numbers of guesses that won.
func (card Card) Alt() string {
	var parts []string
	for _, f := range card.Figures {
		parts = append(parts, f.Name+" "+f.Value)
	}
	text, before := strings.Join(parts, ", "), ". Won"
	for i, n := range card.Won {
		if n > 0 {
			text += fmt.Sprintf("%s in %d: %d", before, i+1, n)
			before = ","
		}
	}
	text += "."
	if card.Latest > 0 {
		text += fmt.Sprintf(" The latest took %d.", card.Latest)
	}
	return text
}
