package main

import (
	"fmt"
	"io"
	"strconv"

	chart "github.com/wcharczuk/go-chart/v2"
)

// The measures of a picture of classes, in pixels.
const (
	classWidth  = 20 // a bar with its gap
	classHeight = 160
	letterStep  = 12 // from one letter of a feedback to the next, downwards
	maxBars     = 48
)

// drawExplained draws, for each guess, a bar for each feedback it can get, as high
// as the words that would stay are many. Below a bar stands its feedback, downwards,
// and above it the number.
func drawExplained(w io.Writer, explained []explanation) error {
	most, highest := 1, 1
	for _, e := range explained {
		most = max(most, min(len(e.classes), maxBars))
		highest = max(highest, e.Worst)
	}
	panel := 2*lineHeight + classHeight + 6*letterStep + margin
	width, height := max(minWidth, most*classWidth)+2*margin, panel*len(explained)+2*margin
	p, err := newPicture(width, height)
	if err != nil {
		return err
	}
	for i, e := range explained {
		top := margin + i*panel
		p.SetFontSize(10)
		title := e.Suggestion.String()
		if n := len(e.classes) - maxBars; n > 0 {
			title += fmt.Sprintf("; the %d smallest are not shown", n)
		}
		p.Text(title, margin, top)
		bottom := top + 2*lineHeight + classHeight
		p.SetFontSize(8)
		for j, c := range e.classes[:min(len(e.classes), maxBars)] {
			left := margin + j*classWidth
			box := chart.Box{Left: left + 2, Right: left + classWidth - 2, Top: bottom - len(c.Words)*classHeight/highest, Bottom: bottom}
			p.bar(box, 0)
			middle := left + classWidth/2
			p.centred(strconv.Itoa(len(c.Words)), middle, box.Top-4)
			for k, mark := range c.Feedback.String() {
				p.centred(string(mark), middle, bottom+(k+1)*letterStep+2)
			}
		}
		p.line(margin, bottom, margin+most*classWidth, bottom)
	}
	return p.Save(w)
}
