package main

import (
	"fmt"
	"io"
	"strconv"

	chart "github.com/wcharczuk/go-chart/v2"

	"fivefold/game/wordle"
)

// The measures of a histogram, in pixels.
const (
	barWidth   = 44 // the number of games has room above it
	barGap     = 24 // between the bars for one number of guesses and for the next
	plotHeight = 300
)

// drawPNG draws the numbers of games by guesses, those of several strategies side
// by side.
func (c comparison) drawPNG(w io.Writer) error {
	groupWidth := barWidth*len(c.results) + barGap
	width := max(minWidth, groupWidth*c.most()) + 2*margin
	top := margin + lineHeight*(len(c.results)+2)
	bottom := top + plotHeight
	p, err := newPicture(width, bottom+2*lineHeight+margin)
	if err != nil {
		return err
	}
	p.SetFontSize(10)
	p.Text(c.title(), margin, margin)
	for i, result := range c.results {
		y := margin + lineHeight*(i+1)
		p.bar(chart.Box{Left: margin, Top: y - 14, Right: margin + 28, Bottom: y}, i)
		p.Text(fmt.Sprintf("%s: %v opens, %.4f guesses on average, %d lost", result.name, result.Opener, result.Average(), result.Lost()), margin+38, y)
	}
	for i := range c.most() {
		left := margin + groupWidth*i + barGap/2
		for j, result := range c.results {
			n := at(result.Distribution(), i)
			box := chart.Box{Left: left + barWidth*j + 2, Right: left + barWidth*(j+1) - 2, Top: bottom - n*plotHeight/c.highest(), Bottom: bottom}
			if n > 0 {
				p.bar(box, j)
			}
			p.centred(strconv.Itoa(n), (box.Left+box.Right)/2, box.Top-5)
		}
		label := strconv.Itoa(i + 1)
		if i >= wordle.Attempts {
			label += " (lost)"
		}
		p.centred(label, left+barWidth*len(c.results)/2, bottom+lineHeight)
	}
	p.line(margin, bottom, margin+groupWidth*c.most(), bottom)
	p.Text("games by number of guesses", margin, bottom+2*lineHeight+8)
	return p.Save(w)
}
