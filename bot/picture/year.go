package picture

import (
	"fmt"
	"image"
	"time"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
)

// Year is a player's daily puzzles of a year: figures and bars as on a card, and every day.
type Year struct {
	Card
	Name, Title string      // the player, and what was played when
	First       time.Time   // 1 January
	Days        []DayResult // from then on, up to today or the end of the year
}

// Measures in pixels.
const (
	yearTop   = smallMargin + 36 // below the title
	dayLeft   = smallMargin + 62 // right of the months' names
	daySize   = (smallWidth - smallMargin - dayLeft) / 31
	monthSize = daySize + 4
)

// Draw returns the year as a PNG, 800 pixels wide. A solved day is a square or, with a hint, a star; the fewer guesses, the
// larger. A lost one is a cross, and one not played a dot. With contrast, orange replaces green. The same year gives the same
// bytes. Draw is safe for concurrent use.
func (year Year) Draw(contrast bool) []byte {
	monthsTop := yearTop + year.height()
	legendTop := monthsTop + 12*monthSize
	c := begin(smallWidth, legendTop+2*smallMargin+24, contrast)
	used := c.Text(canvas.Right, image.Pt(smallWidth-smallMargin-8, yearTop), 30, smallWidth/2, dim, year.Title)
	if canvas.Writes(year.Name) {
		c.Text(canvas.Left, image.Pt(smallMargin+8, yearTop), 34, smallWidth-2*smallMargin-used-3*gap, bright, year.Name)
	}
	c.figures(year.Card, yearTop)
	for month := range 12 {
		at := image.Pt(smallMargin+8, monthsTop+month*monthSize+daySize-4)
		c.Text(canvas.Left, at, 22, dayLeft, dim, time.Month(month + 1).String()[:3])
	}
	for day, result := range year.Days {
		date := year.First.AddDate(0, 0, day)
		at := image.Pt(dayLeft+(date.Day()-1)*daySize, monthsTop+int(date.Month()-1)*monthSize)
		c.square(result, len(year.Won), at.Add(image.Pt(daySize/2, daySize/2)))
	}
	x := dayLeft
	for i, result := range []DayResult{{Guesses: 1}, {Guesses: len(year.Won)}, {Guesses: 1, Hints: 1}, {Lost: true}, {}} {
		at := image.Pt(x+daySize/2, legendTop+smallMargin+daySize/2)
		c.square(result, len(year.Won), at)
		x += daySize + gap
		means := [...]string{"1 guess", fmt.Sprintf("%d guesses", len(year.Won)), "with a hint", "lost", "not played"}[i]
		x += c.Text(canvas.Left, image.Pt(x, at.Y+8), 22, smallWidth, dim, means) + 2*gap
	}
	return c.PNG()
}

// square draws a day of a year, of puzzles with so many attempts.
func (c drawing) square(result DayResult, attempts int, at image.Point) {
	size := daySize - 1 - 10*max(0, result.Guesses-1)/max(1, attempts-1)
	switch r := (image.Rectangle{at, at}).Inset(-size / 2); {
	case result.Lost:
		c.Shape(cross, at, daySize-8, paper)
	case !result.played():
		c.Shape(dot, at, 5, dim)
	case result.Hints > 0:
		c.Shape(star, at, size+2, gold)
	default:
		c.Rounded(r, 3, c.grounds[marks.Green])
	}
}

// Alt describes the year in words: the figures and bars, and what became of each month.
func (year Year) Alt() string {
	var solved, lost [1 + time.December]int
	for day, result := range year.Days {
		switch month := year.First.AddDate(0, 0, day).Month(); {
		case result.Lost:
			lost[month]++
		case result.played():
			solved[month]++
		}
	}
	text := year.Title + ", " + year.Card.Alt()
	for month := time.January; month <= time.December; month++ {
		if solved[month]+lost[month] > 0 {
			text += fmt.Sprintf(" %s: %d solved, %d lost.", month, solved[month], lost[month])
		}
	}
	return text
}
