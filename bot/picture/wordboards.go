package picture

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
)

// WordBoards are the boards of a game that is played on several at once: two, four or eight, each with its words.
type WordBoards struct {
	Boards   []WordBoard
	Attempts int // guesses that the game allows or, after its end, those made
}

// WordBoard is a board with its words.
type WordBoard struct {
	Rows  []WordRow // oldest first, up to the guess that found the board's word
	Found int       // number of that guess, from 1; 0 for an open or a lost board
}

// WordRow is a guessed word, in capitals, with its marks.
type WordRow struct {
	Word  string
	Marks marks.Feedback
}

// wordSizes are the number of columns of boards and the sizes of tiles, each with its gap, and letters, by the number of
// boards. Many boards have flat tiles: a picture higher than wide is shown smaller.
var wordSizes = map[int]struct {
	columns int
	tile    image.Point
	letter  int
}{2: {2, image.Pt(60, 50), 38}, 4: {2, image.Pt(60, 43), 33}, 8: {4, image.Pt(30, 26), 23}}

// Measures in pixels.
const (
	wordsWidth = 680 // more would make files of eight boards too large
	wordsHead  = 34  // above the tiles of a board
	wordsGap   = 16  // below them
	headSize   = 26
)

// Draw returns the boards as a PNG, 680 pixels wide. Rows of boards are as high as their words and the outline of the next
// one; boards that are found are dim, with a tick and the number of the guess. With contrast, orange and blue replace green
// and yellow. The same boards give the same bytes. Draw is safe for concurrent use.
func (w WordBoards) Draw(contrast bool) []byte {
	size, bottom, tops := wordSizes[len(w.Boards)], smallMargin/2, []int(nil)
	for across := range slices.Chunk(w.Boards, size.columns) {
		tops = append(tops, bottom)
		bottom += wordsHead + slices.Max(w.rows(across...))*size.tile.Y + wordsGap
	}
	c, drawn, width := begin(wordsWidth, bottom, contrast), tiles{}, (wordsWidth-2*smallMargin)/size.columns
	for i, b := range w.Boards {
		at := image.Pt(smallMargin+i%size.columns*width+(width-marks.Length*size.tile.X)/2, tops[i/size.columns])
		c.head(b, i+1, w.Attempts, at, marks.Length*size.tile.X)
		for n := range marks.Length * w.rows(b)[0] {
			row, column := n/marks.Length, n%marks.Length
			t := tile{mark: outline, size: size.letter, done: b.Found > 0}
			if row < len(b.Rows) {
				t.text, t.mark = b.Rows[row].Word[column:column+1], b.Rows[row].Marks.Mark(column)
			}
			r := image.Rectangle{Max: size.tile}.Add(at).Add(image.Pt(column*size.tile.X, wordsHead+row*size.tile.Y))
			c.tile(t, r.Inset(max(1, size.tile.X/30)), drawn)
		}
	}
	return c.PNG()
}

// rows returns how many rows of tiles each board has: those of its words, and of the next one unless the board is found.
func (w WordBoards) rows(boards ...WordBoard) (all []int) {
	for _, b := range boards {
		all = append(all, len(b.Rows)+max(0, min(1-b.Found, w.Attempts-len(b.Rows))))
	}
	return all
}

// head writes what is above a board: its number, and a tick with the guess that found it, or a cross if none did.
func (c drawing) head(b WordBoard, number, attempts int, at image.Point, width int) {
	at, right := at.Add(image.Pt(4, wordsHead-10)), at.Add(image.Pt(width-4, wordsHead-10))
	sign, ink := right.Sub(image.Pt(headSize/2, headSize*36/100)), bright
	if b.Found > 0 {
		used := c.Text(canvas.Right, right, headSize, width, bright, fmt.Sprintf("in %d", b.Found))
		c.Shape(markShapes[marks.Green], sign.Sub(image.Pt(used+gap, 0)), headSize, c.grounds[marks.Green])
		ink = dim
	} else if len(b.Rows) >= attempts {
		c.Shape(cross, sign, headSize-6, bright)
	}
	c.Text(canvas.Left, at, headSize, width, ink, strconv.Itoa(number))
}

// outline is in the place of the mark of a guess that is still to be made.
const outline = marks.Green + 1

// tile is what a small tile shows.
type tile struct {
	text string
	size int // of the text
	mark marks.Mark
	done bool // dim
}

// tiles are where each tile was drawn first.
type tiles map[tile]image.Rectangle

// tile draws a tile: green is square, yellow is round. One that was drawn before is copied; all must have one size.
func (c drawing) tile(t tile, r image.Rectangle, drawn tiles) {
	if first, again := drawn[t]; again {
		c.Copy(r.Min, first)
		return
	}
	drawn[t] = r
	ground, radius, ink := append(c.grounds[:], frame)[t.mark], r.Dx()/6, [...]color.NRGBA{paper, dark, dark, dim}[t.mark]
	if t.mark == marks.Yellow {
		radius = r.Dy() / 2
	}
	if t.done {
		ground, ink = faded(ground), dim
	}
	c.Rounded(r, radius, ground)
	if t.mark == outline {
		c.Rounded(r.Inset(2), radius-2, cloth)
	}
	c.Text(canvas.Centre, middle(r).Add(image.Pt(0, t.size*36/100)), t.size, r.Dx(), ink, t.text)
}

// faded returns a colour nearer to the cloth.
func faded(c color.NRGBA) color.NRGBA {
	between := func(a, b uint8) uint8 { return uint8((2*int(a) + 3*int(b)) / 5) }
	return color.NRGBA{between(c.R, cloth.R), between(c.G, cloth.G), between(c.B, cloth.B), c.A}
}
