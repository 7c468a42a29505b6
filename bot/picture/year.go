package picture

import (
	"fmt"
	"image"
	"strings"
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
	dayLeft   = smallMargin + 62 // beside the names of months
	daySize   = (smallWidth - smallMargin - dayLeft) / 31
	monthSize = daySize + 4
	legendTop = yearTop + cardHeight + 12*monthSize
)

// Draw returns the year as a PNG, 800 pixels wide. A solved day is a square or, with a hint, a star; the fewer guesses, the
// larger. A lost one is a cross, and one not played a dot. With contrast, orange replaces green. The same year gives the same
// bytes. Draw is safe for concurrent use.
func (year Year) Draw(contrast bool) []byte {
	c := begin(smallWidth, legendTop+2*smallMargin+24, contrast)
	used := c.Text(canvas.Right, image.Pt(smallWidth-smallMargin-8, yearTop), 30, smallWidth/2, dim, year.Title)
	if canvas.Writes(year.Name) {
		c.Text(canvas.Left, image.Pt(smallMargin+8, yearTop), 34, smallWidth-2*smallMargin-used-3*gap, bright, year.Name)
	}
	c.figures(year.Card, yearTop)
	drawn := map[DayResult]image.Rectangle{}
	for day := range 366 {
		date := year.First.AddDate(0, 0, day)
		if date.Year() > year.First.Year() {
			break
		}
		at := image.Pt(dayLeft+(date.Day()-1)*daySize, yearTop+cardHeight+int(date.Month()-1)*monthSize)
		if date.Day() == 1 {
			c.Text(canvas.Left, at.Add(image.Pt(smallMargin+8-dayLeft, daySize-4)), 22, dayLeft, dim, date.Format("Jan"))
		}
		if day >= len(year.Days) {
			continue
		}
		r := image.Rectangle{at, at.Add(image.Pt(daySize, daySize))}
		result := year.Days[day]
		if first, before := drawn[result]; before {
			c.Copy(at, first)
			continue
		}
		drawn[result] = r
		c.square(result, middle(r))
	}
	x := dayLeft
	for _, means := range []struct {
		DayResult
		text string
	}{{DayResult{Guesses: 1}, "1 guess"}, {DayResult{Guesses: marks.Attempts}, "6 guesses"}, {DayResult{Guesses: 1, Hints: 1}, "with a hint"}, {DayResult{Lost: true}, "lost"}, {DayResult{}, "not played"}} {
		at := image.Pt(x+daySize/2, legendTop+smallMargin+daySize/2)
		c.square(means.DayResult, at)
		x += daySize + gap
		x += c.Text(canvas.Left, image.Pt(x, at.Y+8), 22, smallWidth, dim, means.text) + 2*gap
	}
	return c.PNG()
}

// square draws a day of a year.
func (c drawing) square(result DayResult, at image.Point) {
	size := daySize - 1 - 2*max(0, result.Guesses-1)
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
	text := year.Title + ", " + year.Card.Alt()
	for month := time.January; month <= time.December; month++ {
		solved, lost := 0, 0
		for day, result := range year.Days {
			switch {
			case year.First.AddDate(0, 0, day).Month() != month:
			case result.Lost:
				lost++
			case result.played():
				solved++
			}
		}
		if solved+lost > 0 {
			text += fmt.Sprintf(" %s: %d solved, %d lost.", month, solved, lost)
		}
	}
	return strings.TrimSpace(text)
}
