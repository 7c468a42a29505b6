package workshop

import (
	"image"
	"image/color"
	"strconv"

	"fivefold/bot/canvas"
)

// The colours of charts.
const (
	chartPaper canvas.Ink = iota // the background
	chartText
	chartDim  // text that matters less
	chartGrid // lines across the plot
	blue
	orange
	teal
	purple
	ochre
	blackTile
	yellowTile
	greenTile
)

var chartColours = []color.NRGBA{
	chartPaper: {0xFF, 0xFF, 0xFF, 0xFF},
	chartText:  {0x1B, 0x22, 0x2B, 0xFF},
	chartDim:   {0x5A, 0x65, 0x72, 0xFF},
	chartGrid:  {0xDD, 0xE2, 0xE8, 0xFF},
	blue:       {0x1D, 0x4F, 0x91, 0xFF},
	orange:     {0xB3, 0x4A, 0x0B, 0xFF},
	teal:       {0x0B, 0x72, 0x5F, 0xFF},
	purple:     {0x7A, 0x2E, 0x8E, 0xFF},
	ochre:      {0x8C, 0x6A, 0x00, 0xFF},
	blackTile:  {0x3F, 0x47, 0x50, 0xFF},
	yellowTile: {0xF6, 0xC5, 0x1B, 0xFF},
	greenTile:  {0x18, 0x79, 0x3F, 0xFF},
}

// barStyles says how the bars of each series look: solid, empty, or hatched with lines that go
// up, down or across, so that they differ even without colour.
var barStyles = [...]struct {
	ink                     canvas.Ink
	solid, up, down, across bool
}{
	{ink: blue, solid: true}, {ink: orange, up: true}, {ink: teal}, {ink: purple, up: true, down: true}, {ink: ochre, across: true},
}

// Measures of every chart, in pixels.
const (
	chartMargin  = 48
	axisWidth    = 56 // for the numbers to the left of the plot
	titleSize    = 28
	textSize     = 18
	lineHeight   = 32
	hatchSpacing = 9
)

// chart is a chart being drawn.
type chart struct{ *canvas.Canvas }

func newChart(width, height int) chart { return chart{canvas.New(width, height, chartColours)} }

// write writes a line of text from the point, at most to half a margin from the right edge.
func (c chart) write(at image.Point, size int, with canvas.Ink, text string) {
	c.Text(canvas.Left, at, size, c.Bounds().Dx()-at.X-chartMargin/2, with, text)
}

// centre writes a text with its middle at the point.
func (c chart) centre(at image.Point, size int, with canvas.Ink, text string) {
	c.Text(canvas.Centre, at, size, c.Bounds().Dx(), with, text)
}

// value writes the number of a bar above its top, and clears the grid behind it.
func (c chart) value(bar image.Rectangle, size, n int) {
	text := strconv.Itoa(n)
	at := image.Pt((bar.Min.X+bar.Max.X)/2, bar.Min.Y-6)
	half := c.TextWidth(text, size)/2 + 2
	c.Box(image.Rect(at.X-half, at.Y-size+2, at.X+half, at.Y+3), chartPaper)
	c.centre(at, size, chartText, text)
}

// grid draws lines across the plot with their numbers on the left, from 0 at the
// bottom to highest at the top, and above them what is counted.
func (c chart) grid(plot image.Rectangle, highest int, counted string) {
	c.Text(canvas.Right, image.Pt(plot.Min.X-10, plot.Min.Y-22), textSize, axisWidth+chartMargin, chartDim, counted)
	step := gridStep(highest)
	for n := 0; n <= highest; n += step {
		y := plot.Max.Y - n*plot.Dy()/highest
		c.Box(image.Rect(plot.Min.X, y-1, plot.Max.X, y+1), chartGrid)
		c.Text(canvas.Right, image.Pt(plot.Min.X-10, y+6), textSize, axisWidth, chartDim, strconv.Itoa(n))
	}
}

// gridStep returns the distance between two lines of a grid: 1, 2 or 5, or one of these with
// zeros, so that there are at most five lines above 0.
func gridStep(highest int) int {
	for unit := 1; ; unit *= 10 {
		for _, step := range [...]int{unit, 2 * unit, 5 * unit} {
			if highest/step <= 5 {
				return step
			}
		}
	}
}

// baseline draws the line that bars start from.
func (c chart) baseline(plot image.Rectangle) {
	c.Box(image.Rect(plot.Min.X, plot.Max.Y-1, plot.Max.X, plot.Max.Y+1), chartText)
}

// barHeight returns the height of the bar for n in a plot that is as high as the bar for
// highest, in pixels. Even the bar for a small n can be seen.
func barHeight(n, highest, plot int) int {
	if n == 0 {
		return 0
	}
	return max(4, n*plot/highest)
}

// bar fills the rectangle as a bar of series i, which counts from 0.
func (c chart) bar(r image.Rectangle, i int) {
	style := barStyles[i%len(barStyles)]
	c.Box(r, style.ink)
	inside := r.Inset(2)
	if style.solid || inside.Empty() {
		return
	}
	c.Box(inside, chartPaper)
	width, height := inside.Dx(), inside.Dy()
	if style.across {
		for y := inside.Max.Y - hatchSpacing; y >= inside.Min.Y; y -= hatchSpacing {
			c.Box(image.Rect(inside.Min.X, y, inside.Max.X, y+2), style.ink)
		}
	}
	// The lines x+y = d from the bottom left corner, as far as they are inside.
	for d := hatchSpacing; d < width+height; d += hatchSpacing {
		x1, y1 := max(0, d-height), min(d, height)
		x2, y2 := min(d, width), max(0, d-width)
		if style.down {
			c.stroke(image.Pt(inside.Min.X+x1, inside.Max.Y-y1), image.Pt(inside.Min.X+x2, inside.Max.Y-y2), style.ink)
		}
		if style.up {
			c.stroke(image.Pt(inside.Max.X-x1, inside.Max.Y-y1), image.Pt(inside.Max.X-x2, inside.Max.Y-y2), style.ink)
		}
	}
}

// stroke draws a diagonal line, whose ends reach a pixel beyond the points to the left
// and the right.
func (c chart) stroke(from, to image.Point, with canvas.Ink) {
	half := image.Pt(1, 0)
	c.Polygon(with, from.Sub(half), from.Add(half), to.Add(half), to.Sub(half))
}
