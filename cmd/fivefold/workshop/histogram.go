package workshop

import (
	"fmt"
	"image"
	"io"
	"strconv"

	"fivefold/game/wordle"
)

// Measures of a histogram, in pixels.
const (
	barWidth   = 52 // with room above it for the number of games
	barGap     = 36 // between the bars for one number of guesses and those for the next
	plotHeight = 400
	minPlot    = 900 // the least width of the plot
	keyWidth   = 40  // of the box before a strategy's name
)

// drawPNG draws how many games took 1, 2, … guesses, with the strategies side by side.
func (c comparison) drawPNG(w io.Writer) error {
	groups := c.most()
	groupWidth := max(barWidth*len(c.results)+barGap, minPlot/groups)
	top := chartMargin + titleSize + lineHeight*(len(c.results)+2)
	left := chartMargin + axisWidth
	plot := image.Rect(left, top+lineHeight, left+groupWidth*groups, top+lineHeight+plotHeight)
	p := newChart(plot.Max.X+chartMargin, plot.Max.Y+3*lineHeight)
	p.write(image.Pt(chartMargin, chartMargin+titleSize), titleSize, chartText, c.mode())
	p.write(image.Pt(chartMargin, chartMargin+titleSize+lineHeight), textSize, chartDim, c.words())
	for i, result := range c.results {
		key := keyBox(i)
		p.bar(key, i)
		p.write(image.Pt(key.Max.X+14, key.Max.Y-5), textSize, chartText,
			fmt.Sprintf("%s: %v opens, %.4f guesses on average, %d lost", result.name, result.Opener, result.Average(), result.Lost()))
	}
	p.grid(plot, c.highest(), "games")
	for i := range groups {
		left := plot.Min.X + groupWidth*i + (groupWidth-barWidth*len(c.results))/2
		for j, result := range c.results {
			n := at(result.Distribution(), i)
			bar := image.Rect(left+barWidth*j+3, plot.Max.Y-barHeight(n, c.highest(), plotHeight), left+barWidth*(j+1)-3, plot.Max.Y)
			p.bar(bar, j)
			p.value(bar, textSize, n)
		}
		label := strconv.Itoa(i + 1)
		if i >= wordle.Attempts {
			label += " (lost)"
		}
		p.centre(image.Pt(plot.Min.X+groupWidth*i+groupWidth/2, plot.Max.Y+lineHeight-4), textSize, chartText, label)
	}
	p.baseline(plot)
	p.centre(image.Pt((plot.Min.X+plot.Max.X)/2, plot.Max.Y+2*lineHeight), textSize, chartDim, "guesses")
	_, err := w.Write(p.PNG())
	return err
}

// keyBox is the box before the name of strategy i, which is filled like its bars.
func keyBox(i int) image.Rectangle {
	y := chartMargin + titleSize + lineHeight*(i+1) + 18
	return image.Rect(chartMargin, y, chartMargin+keyWidth, y+24)
}
