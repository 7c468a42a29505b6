package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// TestTerminalPicture plays the game of the pictures of channels in a terminal, and compares its screens
// with those in docs/terminal.svg. With -update it draws them again.
func TestTerminalPicture(t *testing.T) {
	cmd := process(t, "play")
	cmd.Env = []string{bePictured + "=1"} // the word is MAJOR
	cmd.Dir = t.TempDir()
	s := startOn(t, pictureColumns, pictureRows, cmd, "USER=ana", "FIVEFOLD_DATA=games", "TERM=xterm-256color")
	const file = "../../docs/terminal.svg"
	want := ""
	if !*update {
		want = mustRead(t, file)
	}
	var frames []string
	for i, step := range []struct{ typed, shown string }{
		{"slate\r", "5 guesses left"},
		{"/as ben\rcrony\r", "4 guesses left"},
		{"/as ana\r/hint\r", "favor"},
		{"favor\r", "3 guesses left"},
		{"/as ben\rmajor\r", "play again"},
	} {
		s.typed(step.typed)
		s.until(step.shown, func() bool { return strings.Contains(strings.ToLower(s.text()), step.shown) })
		if *update {
			s.quiet()
		} else {
			s.until(fmt.Sprintf("screen %d of %s", i, file), func() bool { return strings.Contains(want, s.svg()) })
		}
		frames = append(frames, s.svg())
	}
	picture := pictureOf(frames, s.text())
	if *update {
		mustWriteFile(t, file, picture, 0o644)
	}
	if mustRead(t, file) != picture {
		t.Errorf("%s is not what the terminal shows; run go test ./cmd/fivefold -run TerminalPicture -update, and look at it", file)
	}
}

const (
	pictureColumns, pictureRows = 80, 24
	cellWidth, cellHeight       = 9, 19
	pictureMargin               = 14
)

// pictureOf returns the screens one after the other as an SVG. Where nothing should move,
// the last one stays.
func pictureOf(frames []string, text string) string {
	width, height := pictureColumns*cellWidth+2*pictureMargin, pictureRows*cellHeight+2*pictureMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">`+"\n", width, height)
	fmt.Fprintf(&b, "<title id=\"title\">A game in the terminal</title>\n<desc id=\"desc\">%s</desc>\n", html.EscapeString(strings.Join(strings.Fields(text), " ")))
	b.WriteString(`<style>
text { font: 15px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #DFE2E6; }
.ground { fill: #171B21; stroke: #4A525E; }
rect { shape-rendering: crispEdges; } .bold { font-weight: 700; } .dim { opacity: .65; }
@media (prefers-color-scheme: light) { text { fill: #1F2328; } .ground { fill: #FFFFFF; stroke: #C4C9D0; } }
`)
	const last, each = 3, 1 // the last screen stays for as long as three others
	total := len(frames) - 1 + last
	for i := range frames {
		from, to := i*each*100/total, (i+1)*each*100/total
		if i == len(frames)-1 {
			to = 100
		}
		fmt.Fprintf(&b, "#s%d { visibility: hidden; animation: s%[1]d %ds step-end infinite; }\n", i, total*2)
		fmt.Fprintf(&b, "@keyframes s%d { 0%% { visibility: %s; } %d%% { visibility: visible; } %d%% { visibility: %s; } }\n", i,
			map[bool]string{true: "visible", false: "hidden"}[i == 0], from, to, map[bool]string{true: "visible", false: "hidden"}[to == 100])
	}
	fmt.Fprintf(&b, "@media (prefers-reduced-motion: reduce) { g { animation: none !important; } #s%d { visibility: visible; } }\n</style>\n", len(frames)-1)
	fmt.Fprintf(&b, "<rect class=\"ground\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width-1, height-1)
	for i, f := range frames {
		fmt.Fprintf(&b, "<g id=\"s%d\">\n%s</g>\n", i, f)
	}
	return b.String() + "</svg>\n"
}

// svg returns what the screen shows as rectangles and texts.
func (s *screen) svg() string {
	var b strings.Builder
	for y := range pictureRows {
		for x := 0; x < pictureColumns; {
			now, text, width := s.shown.CellAt(x, y).Style, "", 0
			for x+width < pictureColumns {
				cell := s.shown.CellAt(x+width, y)
				if strings.TrimSpace(text) == "" && cell.Style.Bg == now.Bg {
					now = cell.Style
				}
				if !cell.Style.Equal(&now) && (strings.TrimSpace(cell.Content) != "" || cell.Style.Bg != now.Bg) { // a blank has only a ground
					break
				}
				text += cell.Content
				width += max(1, cell.Width)
			}
			left, top := pictureMargin+x*cellWidth, pictureMargin+y*cellHeight
			x += width
			if now.Bg != nil {
				fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", left, top, width*cellWidth, cellHeight, s.colour(now.Bg))
			}
			blank := len(text) - len(strings.TrimLeft(text, " "))
			if text = strings.Trim(text, " "); text == "" {
				continue
			}
			if strings.ContainsAny(text, "▀▄█▐▌") { // drawn, as fonts differ
				for i, row := 0, []rune(text); i < len(row); i++ {
					part, from := blocks[row[i]], i
					for i+1 < len(row) && row[i+1] == row[from] {
						i++
					}
					if part[3] > 0 {
						fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"/>\n", float64(left+(blank+from)*cellWidth)+part[0]*cellWidth,
							float64(top)+part[1]*cellHeight, (float64(i-from)+part[2])*cellWidth, part[3]*cellHeight, s.colour(now.Fg))
					}
				}
				continue
			}
			look := ""
			if class := strings.TrimSpace(map[bool]string{true: "bold "}[now.Attrs&uv.AttrBold != 0] + map[bool]string{true: "dim"}[now.Attrs&uv.AttrFaint != 0]); class != "" {
				look = ` class="` + class + `"`
			}
			if now.Fg != nil {
				look += ` style="fill:` + s.colour(now.Fg) + `"`
			}
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"%s>%s</text>\n",
				left+blank*cellWidth, top+cellHeight-5, ansi.StringWidth(text)*cellWidth, look, html.EscapeString(text))
		}
	}
	return b.String()
}

// blocks are left, top, width and height of characters, as parts of a cell.
var blocks = map[rune][4]float64{
	'▀': {0, 0, 1, .5}, '▄': {0, .5, 1, .5}, '█': {0, 0, 1, 1}, '▐': {.5, 0, .5, 1}, '▌': {0, 0, .5, 1},
}

// colour returns a colour as SVG writes it.
func (s *screen) colour(c color.Color) string {
	s.t.Helper()
	if _, ok := c.(ansi.IndexedColor); !ok {
		s.t.Fatalf("%v is not a fixed colour", c)
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
}

// quiet waits until nothing more comes for a while, for a picture that is looked at before it is kept.
func (s *screen) quiet() {
	for {
		select {
		case b := <-s.output:
			s.read(b)
		case <-time.After(time.Second):
			return
		}
	}
}
