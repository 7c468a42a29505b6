package workshop

import (
	"fmt"
	"image"
	"io"

	"fivefold/bot/canvas"
	"fivefold/game/wordle"
)

// Measures of a chart of classes, in pixels.
const (
	classWidth  = 26 // a bar with its gap
	classHeight = 200
	classPanel  = titleSize + 3*lineHeight + classHeight + wordle.Length*tileStep + chartMargin
	tileSize    = 20
	tileStep    = 23  // from one tile of a feedback to the next, downwards
	maxBars     = 48  // for each guess
	minClasses  = 720 // the least width of a chart
)

// How a tile looks, by mark.
var (
	tileInks    = [...]canvas.Ink{wordle.Black: blackTile, wordle.Yellow: yellowTile, wordle.Green: greenTile}
	letterInks  = [...]canvas.Ink{wordle.Black: chartPaper, wordle.Yellow: chartText, wordle.Green: chartPaper}
	tileLetters = [...]string{wordle.Black: "B", wordle.Yellow: "Y", wordle.Green: "G"}
)

// drawExplained draws, for each guess, a bar for each feedback it can get: its height
// is the number of words that would stay. The feedback's tiles are below the bar.
func drawExplained(w io.Writer, explained []explanation) error {
	most, highest := 1, 1
	for _, e := range explained {
		most = max(most, min(len(e.classes), maxBars))
		highest = max(highest, e.Worst)
	}
	width := max(minClasses, axisWidth+most*classWidth+2*chartMargin)
	c := newChart(width, classPanel*len(explained)+chartMargin)
	for i, e := range explained {
		c.classes(chartMargin+i*classPanel, highest, e)
	}
	_, err := w.Write(c.PNG())
	return err
}

// classes draws the bars of one guess.
func (c chart) classes(top, highest int, e explanation) {
	shown := e.classes[:min(len(e.classes), maxBars)]
	top += titleSize
	c.write(image.Pt(chartMargin, top), titleSize, chartText, e.Word.String())
	top += lineHeight
	c.write(image.Pt(chartMargin, top), textSize, chartDim, classesTitle(e, len(shown)))
	top += 2 * lineHeight
	left := chartMargin + axisWidth
	plot := image.Rect(left, top, c.Bounds().Dx()-chartMargin, top+classHeight)
	c.grid(plot, highest, "words")
	for i, class := range shown {
		left := left + i*classWidth
		middle := left + classWidth/2
		bar := image.Rect(left+3, plot.Max.Y-barHeight(len(class.Words), highest, classHeight), left+classWidth-3, plot.Max.Y)
		c.bar(bar, 0)
		c.value(bar, textSize-3, len(class.Words))
		for k := range wordle.Length {
			c.tile(image.Pt(middle, plot.Max.Y+8+k*tileStep+tileSize/2), class.Feedback.Mark(k))
		}
	}
	c.baseline(plot)
}

// classesTitle says in how many groups a guess splits the words, and how many of them are not
// drawn.
func classesTitle(e explanation, shown int) string {
	words, groups := "words", "groups"
	if e.Remaining == 1 {
		words = "word"
	}
	if len(e.classes) == 1 {
		groups = "group"
	}
	title := fmt.Sprintf("%d %s in %d %s by feedback", e.Remaining, words, len(e.classes), groups)
	if n := len(e.classes) - shown; n > 0 {
		title += fmt.Sprintf("; the %d smallest are not shown", n)
	}
	return title
}

// tile draws a tile of feedback with its letter.
func (c chart) tile(middle image.Point, mark wordle.Mark) {
	half := image.Pt(tileSize/2, tileSize/2)
	c.Rounded(image.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, 4, tileInks[mark])
	c.centre(middle.Add(image.Pt(0, 5)), 14, letterInks[mark], tileLetters[mark])
}
