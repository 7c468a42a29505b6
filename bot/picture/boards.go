package picture

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
)

// Boards are the boards of several players in one picture, in order. They show marks and no letters, which would tell
// the word to those who still play.
type Boards []Board

// Board is a player's board.
type Board struct {
	Name     string           // in plain text
	Attempts int              // guesses of the game
	Rows     []marks.Feedback // of the guesses, oldest first; those still to be made are outlines
	Found    []int            // in a game of several boards, in place of the rows: as face.Display says
	Result   string           // such as "3 guesses · 1:24" or "playing", with " · " where a line ends; may be empty
	Place    int              // those in [Medals] have one
}

// between is between the parts of a result.
const between = " · "

// MostBoards is the number of players in a picture. If there are more, the last place says how many.
const MostBoards = 25

// shown returns the boards in the picture, and how many players have none there.
func (b Boards) shown() (Boards, int) {
	if len(b) <= MostBoards {
		return b, 0
	}
	return b[:MostBoards-1], len(b) - MostBoards + 1
}

// Unwritten returns the players whose names the picture can't write. It calls them by [PlayerName].
func (b Boards) Unwritten() (all []int) {
	boards, _ := b.shown()
	for i, board := range boards {
		if !canvas.Writes(board.Name) {
			all = append(all, i)
		}
	}
	return all
}

// Measures in pixels. A phone shows 800 pixels in the room of 300 large ones.
const (
	smallWidth  = 800 // more would make files of 25 boards too large
	smallMargin = 20
	boardsGap   = 24 // below a board
	fewRows     = 6  // a board with more has no outlines
	mostTall    = 10 // rows of tiles of full size
)

// boardSizes are the sizes of a tile with its gap, of names, of results and of lines, by the number of columns.
var boardSizes = [...]struct{ tile, name, result, line int }{3: {36, 32, 27, 34}, 4: {29, 29, 24, 30}, 5: {24, 28, 23, 28}}

// layout returns the number of columns and rows for so many boards: few enough columns for names to be read, and few
// enough rows for all to be seen at once.
func layout(boards int) (columns, rows int) {
	for rows = 1; rows*5 < boards || rows < 3 && rows*4 < boards; {
		rows++
	}
	return max(3, (boards+rows-1)/rows), rows
}

// Draw returns the boards as a PNG, 800 pixels wide. With contrast, orange and blue replace green and yellow. The same
// boards give the same bytes. Draw is safe for concurrent use.
func (b Boards) Draw(contrast bool) []byte {
	boards, more := b.shown()
	places := len(boards) + min(more, 1)
	columns, rows := layout(places)
	size, width, most, high, lines := boardSizes[columns], (smallWidth-2*smallMargin)/columns, 0, 0, 1
	for _, board := range boards {
		all, across := board.tiles()
		most, high, lines = max(most, across), max(high, (len(all)+across-1)/across), max(lines, 1+strings.Count(board.Result, between))
	}
	pitch := size.tile * mostTall / max(mostTall, high)
	if most < marks.Length { // only games of several boards
		pitch = size.tile * marks.Length / 4
	}
	high *= pitch
	height := high + size.line*(1+lines) + boardsGap
	c := begin(smallWidth, smallMargin+rows*height, contrast)
	drawn := tiles{}
	for i := range places {
		at := image.Pt(smallMargin+max(0, columns-places)*width/2+i%columns*width+width/2, smallMargin+i/columns*height)
		if i == len(boards) {
			c.Text(canvas.Centre, at.Add(image.Pt(0, height/2)), size.name, width, dim, fmt.Sprintf("and %d more", more))
			continue
		}
		board, name := boards[i], boards[i].Name
		if !canvas.Writes(name) {
			name = PlayerName(i)
		}
		all, across := board.tiles()
		for n, t := range all {
			t.size = pitch * 2 / 3
			r := image.Rect(0, 0, pitch, pitch).Add(at).Add(image.Pt(n%across, n/across-(len(all)+across-1)/across).Mul(pitch))
			c.tile(t, r.Add(image.Pt(-across*pitch/2, high)).Inset(2), drawn)
		}
		at.Y += high + size.line
		c.Text(canvas.Centre, at, size.name, width-gap, bright, name)
		_, medal := Medals[board.Place]
		for j, line := range strings.Split(board.Result, between) {
			at.Y += size.line
			x := at.X
			if j == 0 && medal {
				x += (size.result + gap) / 2
				left := x - (c.TextWidth(line, size.result)+size.result)/2 - gap
				c.medal(board.Place, image.Pt(left, at.Y-size.result*36/100), size.result)
			}
			c.Text(canvas.Centre, image.Pt(x, at.Y), size.result, width-gap, dim, line)
		}
	}
	return c.PNG()
}

// tiles returns the tiles of the board, so many across: the marks of its guesses and outlines of some still to be made. Of
// several boards they are the numbers of the guesses that found them.
func (b Board) tiles() (all []tile, across int) {
	for _, n := range b.Found {
		all = append(all, tile{text: "–", mark: outline})
		if n > 0 {
			all[len(all)-1] = tile{text: strconv.Itoa(n), mark: marks.Green}
		}
	}
	if all != nil {
		return all, max(2, len(all)/2)
	}
	for _, row := range b.Rows {
		for i := range marks.Length {
			all = append(all, tile{mark: row.Mark(i)})
		}
	}
	for len(all) < marks.Length*min(b.Attempts, fewRows) {
		all = append(all, tile{mark: outline})
	}
	return all, marks.Length
}

// Words describes the board after its name, with its guesses or without: ", 1st: 3 guesses, 1:24 (2 yellow; 5 green)" or, of
// several boards, "(board 1 in 4, 3 in 6)" with those that are found.
func (b Board) Words(guesses bool) (text string) {
	if medal, ok := Medals[b.Place]; ok {
		text = ", " + medal.Words
	}
	if b.Result != "" {
		text += ": " + strings.ReplaceAll(b.Result, between, ", ")
	}
	var rows []string
	for i, guess := range b.Found {
		if guess > 0 {
			rows = append(rows, fmt.Sprintf("%d in %d", i+1, guess))
		}
	}
	said := "board " + strings.Join(rows, ", ")
	if b.Found == nil {
		for _, row := range b.Rows {
			rows = append(rows, counted(row))
		}
		said = strings.Join(rows, "; ")
	}
	if guesses && rows != nil {
		text += " (" + said + ")"
	}
	return text
}

// counted returns the marks of a guess in words, such as "1 green, 2 yellow".
func counted(f marks.Feedback) string {
	text := fmt.Sprintf("%d green, %d yellow", strings.Count(f.String(), "G"), strings.Count(f.String(), "Y"))
	return strings.NewReplacer("0 green, 0 yellow", "all grey", "0 green, ", "", ", 0 yellow", "").Replace(text)
}
