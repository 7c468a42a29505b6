package picture

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot/canvas"
	"fivefold/game/pokle"
)

// CalendarDays is the most days in a [Calendar]: weeks from Monday to Sunday, today's last.
const (
	weeks, week  = 4, 7
	CalendarDays = weeks * week
)

// Calendar is a player's results in the daily puzzles, day by day up to today.
type Calendar struct {
	Kinds []string      // names of the kinds of game, such as "Pokle"
	Today time.Time     // the date
	Days  [][]DayResult // oldest first, today last, each by kind; at least 1, and those before the first week are left out
}

// DayResult is the result of a daily puzzle. The zero value means that the puzzle was not finished.
type DayResult struct {
	Guesses, Hints int
	Lost           bool
}

func (r DayResult) played() bool { return r.Lost || r.Guesses > 0 }

// date returns the date of a day by its index, which is negative before the first day.
func (cal Calendar) date(day int) time.Time { return cal.Today.AddDate(0, 0, day+1-len(cal.Days)) }

// trim returns the calendar without the days before its first week, and how many its weeks have after today.
func (cal Calendar) trim() (Calendar, int) {
	after := int(7-cal.Today.Weekday()) % week
	cal.Days = cal.Days[max(0, len(cal.Days)+after-CalendarDays):]
	return cal, after
}

// Measures in pixels.
const (
	dayGap       = 10
	dayWidth     = (Width - 2*margin - (week-1)*dayGap) / week
	dayHeight    = 138
	dayHead      = 54 // in a day, above its tiles
	daysTop      = margin + 42
	legendHeight = 68
	tileSize     = 62
	starSize     = 32
)

// Draw returns the calendar as a PNG, [Width] pixels wide, as high as its weeks. With contrast, orange replaces green. The
// same calendar gives the same bytes. Draw is safe for concurrent use.
func (cal Calendar) Draw(contrast bool) []byte {
	cal, after := cal.trim()
	rows := (len(cal.Days) + after + week - 1) / week
	bottom := daysTop + rows*(dayHeight+dayGap)
	c := begin(Width, bottom+legendHeight, contrast)
	c.legend(cal.Kinds, bottom+legendHeight/2-dayGap/2)
	for i := range rows * week {
		day := i - rows*week + len(cal.Days) + after
		at := image.Pt(margin+i%week*(dayWidth+dayGap), daysTop+i/week*(dayHeight+dayGap))
		if i < week {
			c.Text(canvas.Centre, at.Add(image.Pt(dayWidth/2, -14)), 32, dayWidth, dim, cal.date(day).Format("Mon"))
		}
		c.day(cal, day, image.Rectangle{at, at.Add(image.Pt(dayWidth, dayHeight))})
	}
	return c.PNG()
}

// day draws a day: its date, with the month where a new one begins, and a tile for each kind. Today has an outline. Days
// before the first one and after today have a faint date.
func (c drawing) day(cal Calendar, day int, r image.Rectangle) {
	var results []DayResult
	with := frame
	if day >= 0 && day < len(cal.Days) {
		results, with = cal.Days[day], dim
		if day == len(cal.Days)-1 {
			c.Rounded(r.Inset(-5), 19, bright)
			with = bright
		}
		c.Rounded(r, 14, panel)
	}
	layout := "2"
	if day == 0 || cal.date(day).Day() == 1 {
		layout = "2 Jan"
	}
	c.Text(canvas.Centre, image.Pt(middle(r).X, r.Min.Y+40), 36, dayWidth-8, with, cal.date(day).Format(layout))
	for kind, result := range results {
		columns, size := places(len(results))
		x := r.Min.X + dayWidth*(2*(kind%columns)+1)/(2*columns)
		c.result(kind, result, size, image.Pt(x, r.Min.Y+dayHead+size/2+kind/columns*(size+2)))
	}
}

// places returns how many results are side by side in a day, and how large their tiles are.
func places(kinds int) (columns, size int) {
	if kinds > 2 {
		return 3, tileSize * 5 / 8
	}
	return kinds, tileSize
}

// result draws the tile of a result: the number of guesses of a solved puzzle, a cross for a lost one, nothing for one
// not played; and a star for hints. Square and round kinds alternate.
func (c drawing) result(kind int, result DayResult, size int, at image.Point) {
	r := image.Rectangle{at, at}.Inset(-size / 2)
	radius := [...]int{size / 5, size / 2}[kind%2]
	switch {
	case result.Lost:
		c.framed(r, radius, 2, dim, grey)
		c.Shape(cross, at, size/2, paper)
	case result.played():
		c.Rounded(r, radius, c.grounds[pokle.Green])
		c.Text(canvas.Centre, at.Add(image.Pt(0, size*8/31)), size*23/31, size, dark, strconv.Itoa(result.Guesses))
	default:
		c.framed(r, radius, 2, frame, panel)
	}
	if result.played() && result.Hints > 0 {
		at := r.Max.Sub(image.Pt(size/6, 2))
		c.Shape(star, at, size*22/31, panel)
		c.Shape(star, at, size*16/31, gold)
	}
}

func (c drawing) legend(kinds []string, y int) {
	x := margin
	_, size := places(len(kinds))
	for kind, name := range kinds {
		c.result(kind, DayResult{}, size, image.Pt(x+size/2, y))
		x += size + gap
		x += c.Text(canvas.Left, image.Pt(x, y+11), 20+size/5, Width, bright, name) + margin*size/tileSize
	}
	x = Width - margin
	for i, means := range [...]string{"hint", "lost"} {
		x -= c.Text(canvas.Right, image.Pt(x, y+11), 32, Width, dim, means) + gap
		c.Shape([...]canvas.Shape{star, cross}[i], image.Pt(x-starSize/2, y), starSize, [...]color.NRGBA{gold, paper}[i])
		x -= starSize + margin
	}
}

// Alt describes the calendar in words. It leaves out days without a game.
func (cal Calendar) Alt() string {
	cal, _ = cal.trim()
	text := fmt.Sprintf("Guesses in daily puzzles, %s to today, %s. Each day: %s. A star means hints.",
		cal.date(0).Format("2 January"), cal.Today.Format("2 January 2006"), strings.Join(cal.Kinds, ", "))
	idle := 0
	layout := "Mon 2 January" // without the month, unless a new one begins
	for day, results := range cal.Days {
		if cal.date(day).Day() == 1 {
			layout = "Mon 2 January"
		}
		if !slices.ContainsFunc(results, DayResult.played) {
			idle++
			continue
		}
		var parts []string
		for _, result := range results {
			parts = append(parts, result.words())
		}
		text += fmt.Sprintf(" %s: %s.", cal.date(day).Format(layout), strings.Join(parts, ", "))
		layout = "Mon 2"
	}
	if idle > 0 {
		text += fmt.Sprintf(" Not played on %d of %d days.", idle, len(cal.Days))
	}
	return text
}

// words returns the result in words, such as "4*" or "not played".
func (r DayResult) words() string {
	text := strconv.Itoa(r.Guesses)
	switch {
	case !r.played():
		return "not played"
	case r.Lost:
		text = "lost"
	}
	if r.Hints > 0 {
		text += "*"
	}
	return text
}
