package picture

import (
	"fmt"
	"image"
	"strings"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
)

// Boards are the boards of several players in one picture, in order. They show marks and no letters, which would tell
// the word to those who still play.
type Boards []Board

// Board is a player's board.
type Board struct {
	Name   string           // in plain text
	Rows   []marks.Feedback // of the guesses, oldest first; those still to be made are outlines
	Result string           // such as "3 guesses · 1:24" or "playing"; may be empty
	Medal  int              // 1 to 3 for gold, silver and bronze, or 0
}

// MostBoards is the number of players in a picture. If there are more, the last place says how many.
const MostBoards = 25

// shown returns the boards in the picture, and how many players have none there.
func (b Boards) shown() (Boards, int) {
	if len(b) <= MostBoards {
		return b, 0
	}
	return b[:MostBoards-1], len(b) - MostBoards + 1
}

// name returns the name of player i as the picture shows it: "Player 3" if the font has no letter of it.
func (b Boards) name(i int) string {
	if canvas.Writes(b[i].Name) {
		return b[i].Name
	}
	return PlayerName(i)
}

// Unwritten returns the names that the picture can't write, with what it shows instead, as in "Player 3 is 小明". It's
// empty if there are none.
func (b Boards) Unwritten() string {
	var parts []string
	boards, _ := b.shown()
	for i, board := range boards {
		if name := boards.name(i); name != board.Name {
			parts = append(parts, name+" is "+board.Name)
		}
	}
	return strings.Join(parts, ", ")
}

// Measures in pixels. A phone shows 800 pixels in the room of 300 large ones, so this is small print there.
const (
	narrow     = 800 // more would make files of 25 boards too large
	edging     = 20
	boardsGap  = 26 // below a board
	nameSize   = 28
	resultSize = 23
	lineHeight = 28
)

// layout returns the number of columns and rows for so many boards: few enough columns for names to be read, and few
// enough rows for all to be seen at once.
func layout(boards int) (columns, rows int) {
	for rows = 1; rows*5 < boards || rows < 3 && rows*4 < boards; {
		rows++
	}
	return max(3, (boards+rows-1)/rows), rows
}

// Draw returns the boards as a PNG, 800 pixels wide. With contrast, orange and blue replace green and yellow. The
// same boards give the same bytes. Draw is safe for concurrent use.
func (b Boards) Draw(contrast bool) []byte {
	boards, more := b.shown()
	places := len(boards) + min(more, 1)
	columns, rows := layout(places)
	width, pitch, lines := (narrow-2*edging)/columns, [...]int{3: 34, 4: 28, 5: 24}[columns], 0
	for _, board := range boards {
		lines = max(lines, len(board.lines(new(canvas.Canvas), width)))
	}
	height := marks.Attempts*pitch + (1+lines)*lineHeight + boardsGap
	c := drawing{canvas.New(narrow, edging+rows*height, colours), grounds[contrast]}
	c.Rounded(c.Bounds(), edging, cloth)
	var drawn tiles
	for i := range places {
		at := image.Pt(edging+max(0, columns-places)*width/2+i%columns*width+width/2, edging+i/columns*height)
		if i == len(boards) {
			c.Text(canvas.Centre, at.Add(image.Pt(0, height/2)), nameSize, width, dim, fmt.Sprintf("and %d more", more))
			continue
		}
		c.rows(boards[i].Rows, at.Sub(image.Pt(marks.Length*pitch/2, 0)), pitch, &drawn)
		at.Y += marks.Attempts*pitch + lineHeight - 1
		c.Text(canvas.Centre, at, nameSize, width-gap, bright, boards.name(i))
		for j, line := range boards[i].lines(c.Canvas, width) {
			at.Y += lineHeight
			x := at.X
			if medal := boards[i].Medal; j == 0 && medal > 0 {
				x += (resultSize + gap) / 2
				c.medal(medal, image.Pt(x-(c.TextWidth(line, resultSize)+resultSize)/2-gap, at.Y-resultSize*36/100), resultSize)
			}
			c.Text(canvas.Centre, image.Pt(x, at.Y), resultSize, width-gap, dim, line)
		}
	}
	return c.PNG()
}

// lines returns the result in one line, or each of its parts in one if it's wider than the room.
func (b Board) lines(c *canvas.Canvas, width int) []string {
	if c.TextWidth(b.Result, resultSize)+min(b.Medal, 1)*(resultSize+gap) > width-gap {
		return strings.Split(b.Result, " · ")
	}
	return []string{b.Result}
}

// tiles are where tiles of each mark were drawn first, and an outline after them.
type tiles [marks.Green + 2]image.Rectangle

// rows draws the marks of the rows, and outlines of those still to be made. Tiles that were drawn before are copied.
func (c drawing) rows(rows []marks.Feedback, at image.Point, pitch int, drawn *tiles) {
	for i := range marks.Attempts * marks.Length {
		r := image.Rect(0, 0, pitch, pitch).Add(at).Add(image.Pt(i%marks.Length, i/marks.Length).Mul(pitch)).Inset(2)
		kind := marks.Green + 1
		if row := i / marks.Length; row < len(rows) {
			kind = rows[row].Mark(i % marks.Length)
		}
		switch first := &drawn[kind]; {
		case !first.Empty():
			c.Copy(r.Min, *first)
			continue
		case kind > marks.Green:
			c.framed(r, pitch/6, 2, frame, cloth)
		case kind == marks.Yellow:
			c.Shape(canvas.Disc(50, 50, 50), middle(r), r.Dx(), c.grounds[kind])
		default:
			c.Rounded(r, pitch/6, c.grounds[kind])
		}
		drawn[kind] = r
	}
}

// Alt describes the boards in at most 1024 UTF-16 units: names, results, and the marks of each guess while there is
// room. It's different after each guess.
func (b Boards) Alt() string {
	return fitting(b.describe(true, 100), b.describe(false, 100), b.describe(false, 12))
}

func (b Boards) describe(guesses bool, room int) string {
	var parts []string
	all := 0
	boards, more := b.shown()
	for _, board := range boards {
		all += len(board.Rows)
		name := []rune(board.Name)
		if len(name) > room {
			name = append(name[:room-1], '…')
		}
		text := string(name)
		if board.Medal > 0 {
			text += ", " + Ordinals[board.Medal]
		}
		if board.Result != "" {
			text += ": " + board.Result
		}
		if guesses && len(board.Rows) > 0 {
			var rows []string
			for _, row := range board.Rows {
				rows = append(rows, counted(row))
			}
			text += " (" + strings.Join(rows, "; ") + ")"
		}
		parts = append(parts, text+".")
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("And %d more.", more))
	}
	return strings.Join(parts, " ") + fmt.Sprintf(" Guesses in all: %d.", all)
}

// counted returns the marks of a guess in words, such as "1 green, 2 yellow".
func counted(f marks.Feedback) string {
	var parts []string
	for _, mark := range []marks.Mark{marks.Green, marks.Yellow} {
		n := 0
		for i := range marks.Length {
			if f.Mark(i) == mark {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, markNames[mark]))
		}
	}
	if parts == nil {
		return "all grey"
	}
	return strings.Join(parts, ", ")
}
