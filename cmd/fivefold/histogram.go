package main

import (
	"fmt"
	"io"
	"strconv"

	chart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"fivefold/game/wordle"
)

// go-chart draws: it makes the program 1.0 MB larger and its start 0.03 ms longer.
// With gonum.org/v1/plot, which loads its fonts at the start, that is 7.3 MB and
// 0.8 ms.

// The measures of a histogram, in pixels.
const (
	barWidth     = 44 // the number of games has room above it
	barGap       = 24 // between the bars for one number of guesses and for the next
	plotHeight   = 300
	lineHeight   = 24
	margin       = 40
	legendWidth  = 560 // the least width of the picture
	hatchSpacing = 7
)

// hatches are how the bars of the strategies are filled, so that they differ
// without colour: by lines down, up and across. A strategy has a bar in one dark
// colour or lines of it on white.
var hatches = []struct{ solid, down, up, across bool }{
	{solid: true}, {up: true}, {}, {down: true, up: true}, {across: true},
}

var ink = drawing.Color{R: 38, G: 70, B: 120, A: 255}

// drawPNG draws the numbers of games by guesses, those of several strategies side
// by side.
func (c comparison) drawPNG(w io.Writer) error {
	font, err := chart.GetDefaultFont()
	if err != nil {
		return err
	}
	groupWidth := barWidth*len(c.results) + barGap
	width := max(legendWidth, groupWidth*c.most()) + 2*margin
	top := margin + lineHeight*(len(c.results)+2)
	bottom := top + plotHeight
	r, err := chart.PNG(width, bottom+2*lineHeight+margin)
	if err != nil {
		return err
	}
	p := painter{r}
	r.SetDPI(chart.DefaultDPI)
	r.SetFont(font)
	r.SetFontColor(drawing.ColorBlack)
	r.SetFontSize(10)
	p.fill(chart.Box{Right: width, Bottom: bottom + 2*lineHeight + margin}, drawing.ColorWhite)
	r.Text(c.title(), margin, margin)
	for i, result := range c.results {
		y := margin + lineHeight*(i+1)
		p.bar(chart.Box{Left: margin, Top: y - 14, Right: margin + 28, Bottom: y}, i)
		r.Text(fmt.Sprintf("%s: %v opens, %.4f guesses on average, %d lost", result.name, result.Opener, result.Average(), result.Lost()), margin+38, y)
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
	r.Text("games by number of guesses", margin, bottom+2*lineHeight+8)
	return r.Save(w)
}

// painter draws shapes.
type painter struct{ chart.Renderer }

func (p painter) fill(b chart.Box, c drawing.Color) {
	p.SetFillColor(c)
	p.MoveTo(b.Left, b.Top)
	p.LineTo(b.Right, b.Top)
	p.LineTo(b.Right, b.Bottom)
	p.LineTo(b.Left, b.Bottom)
	p.Close()
	p.Fill()
}

func (p painter) line(x1, y1, x2, y2 int) {
	p.SetStrokeColor(ink)
	p.SetStrokeWidth(1.5)
	p.MoveTo(x1, y1)
	p.LineTo(x2, y2)
	p.Stroke()
}

// bar draws the box as a bar of the i-th strategy.
func (p painter) bar(b chart.Box, i int) {
	hatch := hatches[i%len(hatches)]
	if hatch.solid {
		p.fill(b, ink)
		return
	}
	p.fill(b, drawing.ColorWhite)
	width, height := b.Width(), b.Height()
	if hatch.across {
		for y := b.Bottom; y > b.Top; y -= hatchSpacing {
			p.line(b.Left, y, b.Right, y)
		}
	}
	// The lines x+y = d from the bottom left corner, as far as they are in the box.
	for d := hatchSpacing; d < width+height; d += hatchSpacing {
		x1, y1 := max(0, d-height), min(d, height)
		x2, y2 := min(d, width), max(0, d-width)
		if hatch.down {
			p.line(b.Left+x1, b.Bottom-y1, b.Left+x2, b.Bottom-y2)
		}
		if hatch.up {
			p.line(b.Right-x1, b.Bottom-y1, b.Right-x2, b.Bottom-y2)
		}
	}
	p.line(b.Left, b.Bottom, b.Left, b.Top)
	p.line(b.Left, b.Top, b.Right, b.Top)
	p.line(b.Right, b.Top, b.Right, b.Bottom)
	p.line(b.Right, b.Bottom, b.Left, b.Bottom)
}

// centred writes a text with its middle above a place.
func (p painter) centred(text string, x, y int) {
	p.Text(text, x-p.MeasureText(text).Width()/2, y)
}
