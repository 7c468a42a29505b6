package workshop

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"fivefold/bot/canvas"
	"fivefold/bot/canvas/canvastest"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/simulate"
)

// update is for charts.
var update = flag.Bool("update", false, "draw the expected charts again")

func mustDraw(tb testing.TB, draw func(io.Writer) error) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// games returns a result with this many games of 1, 2, … guesses.
func games(opener string, distribution ...int) simulate.Result {
	word, err := wordle.ParseWord(opener)
	if err != nil {
		panic(err)
	}
	r := simulate.Result{Opener: word}
	for i, n := range distribution {
		for range n {
			guesses := make([]wordle.Word, i+1)
			for k := range guesses {
				guesses[k] = word
			}
			r.Games = append(r.Games, simulate.Game{Guesses: guesses})
		}
	}
	r.Of = len(r.Games)
	return r
}

// histogramSample compares as many strategies as there are bars that look different.
func histogramSample() comparison {
	return comparison{answers: 200, guesses: 900, results: []strategyResult{
		{"expected", games("raise", 0, 11, 87, 95, 6, 1)},
		{"parts", games("slate", 1, 14, 84, 92, 8, 1)},
		{"optimal", games("trace", 1, 12, 96, 88, 3)},
		{"entropy", games("soare", 0, 9, 90, 93, 7, 0, 1)},
		{"minimax", games("arise", 1, 6, 70, 104, 16, 2, 1)},
	}}
}

// classSample explains one guess with more groups than are drawn, one with few, and
// one with a single group.
func classSample() []explanation {
	groups := func(word string, feedbacks int, size func(i int) int) explanation {
		w, err := wordle.ParseWord(word)
		if err != nil {
			panic(err)
		}
		e := explanation{Suggestion: solver.Suggestion{Word: w}}
		for i := range feedbacks {
			n := size(i)
			e.classes = append(e.classes, solver.Class{Feedback: wordle.Feedback(i * 4), Words: make([]wordle.Word, n)})
			e.Remaining += n
			e.Worst = max(e.Worst, n)
		}
		return e
	}
	return []explanation{
		groups("corny", 60, func(i int) int { return 1 + 130/(i+1) }),
		groups("mamma", 3, func(i int) int { return 90 - 30*i }),
		groups("fuzzy", 1, func(int) int { return 1 }),
	}
}

// TestCharts: the pictures are those that were looked at.
func TestCharts(t *testing.T) {
	canvastest.Golden(t, "testdata/histogram.png", mustDraw(t, histogramSample().drawPNG), *update)
	canvastest.Golden(t, "testdata/classes.png",
		mustDraw(t, func(w io.Writer) error { return drawExplained(w, classSample()) }), *update)
}

// TestBarStyles: the bars of every strategy differ without colour.
func TestBarStyles(t *testing.T) {
	picture, err := png.Decode(bytes.NewReader(mustDraw(t, histogramSample().drawPNG)))
	if err != nil {
		t.Fatal(err)
	}
	paper := color.RGBAModel.Convert(chartColours[chartPaper])
	seen := map[string]int{}
	for i := range barStyles {
		key := keyBox(i)
		var inked []byte
		for y := key.Min.Y; y < key.Max.Y; y++ {
			for x := key.Min.X; x < key.Max.X; x++ {
				if color.RGBAModel.Convert(picture.At(x, y)) == paper {
					inked = append(inked, ' ')
				} else {
					inked = append(inked, '#')
				}
			}
			inked = append(inked, '\n')
		}
		if j, ok := seen[string(inked)]; ok {
			t.Errorf("strategies %d and %d look the same:\n%s", j, i, inked)
		}
		seen[string(inked)] = i
		if !bytes.Contains(inked, []byte("#")) {
			t.Errorf("strategy %d is not drawn", i)
		}
	}
}

// TestChartContrast: text and bars can be read on what they are on.
func TestChartContrast(t *testing.T) {
	for _, c := range []struct {
		name     string
		on, with canvas.Ink
		want     float64
	}{
		{"text", chartPaper, chartText, 4.5}, {"lesser text", chartPaper, chartDim, 4.5},
		{"black tile", tileInks[wordle.Black], letterInks[wordle.Black], 4.5},
		{"yellow tile", tileInks[wordle.Yellow], letterInks[wordle.Yellow], 4.5},
		{"green tile", tileInks[wordle.Green], letterInks[wordle.Green], 4.5},
	} {
		if got := canvastest.Contrast(chartColours[c.on], chartColours[c.with]); got < c.want {
			t.Errorf("%s: the contrast is %.2f, want %.1f", c.name, got, c.want)
		}
	}
	for i, style := range barStyles {
		if got := canvastest.Contrast(chartColours[chartPaper], chartColours[style.ink]); got < 3 {
			t.Errorf("bars of strategy %d: the contrast is %.2f, want 3", i, got)
		}
	}
}

func TestGridStep(t *testing.T) {
	for highest, want := range map[int]int{1: 1, 5: 1, 6: 2, 11: 2, 12: 5, 29: 5, 30: 10, 103: 20, 1079: 200, 2346: 500, 11366: 2000} {
		if got := gridStep(highest); got != want {
			t.Errorf("up to %d: every %d, want %d", highest, got, want)
		}
	}
}

// TestBarHeight: one game among thousands has a bar that can be seen, and none has no bar.
func TestBarHeight(t *testing.T) {
	for _, c := range []struct{ n, want int }{{0, 0}, {1, 4}, {1000, 200}, {2000, 400}} {
		if got := barHeight(c.n, 2000, 400); got != c.want {
			t.Errorf("%d of 2000: %d pixels, want %d", c.n, got, c.want)
		}
	}
}

// TestBarInside: a bar fills nothing outside of its rectangle, but for the ends of its
// lines, which the frame hides.
func TestBarInside(t *testing.T) {
	for i := range barStyles {
		c := newChart(120, 120)
		r := image.Rect(30, 30, 80, 90)
		c.bar(r, i)
		picture, err := png.Decode(bytes.NewReader(c.PNG()))
		if err != nil {
			t.Fatal(err)
		}
		paper := color.RGBAModel.Convert(chartColours[chartPaper])
		for y := range 120 {
			for x := range 120 {
				if !image.Pt(x, y).In(r) && color.RGBAModel.Convert(picture.At(x, y)) != paper {
					t.Fatalf("style %d reaches %d, %d", i, x, y)
				}
			}
		}
	}
}
