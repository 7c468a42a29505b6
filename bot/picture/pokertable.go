package picture

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// PokerTable is the content of a picture. The deal must be valid, and each guess and the hidden board must have five
// different cards.
type PokerTable struct {
	Deal    pokle.Deal   // the three holes and the places on each street
	Guesses []pokle.Step // oldest first
	State   string       // such as "14 possible boards" or, in the end, "Won in 4 of 6"; may be empty
	Hidden  *pokle.Board // the hidden board of a finished game; nil before
	Players []string     // each guess's player by name, empty if unknown; nil to leave this out
}

// Names reports whether the picture can write at least one letter of each player's name.
func (t PokerTable) Names() bool {
	return !slices.ContainsFunc(t.Players, func(name string) bool { return !canvas.Writes(name) })
}

// WonAlike reports whether another board than the hidden one won the game.
func (t PokerTable) WonAlike() bool {
	n := len(t.Guesses)
	return t.Hidden != nil && n > 0 && t.Guesses[n-1].Feedback == marks.AllGreen && t.Guesses[n-1].Guess.Canonical() != t.Hidden.Canonical()
}

// PlayerName returns "Player 1" for the first player, whose index is 0.
func PlayerName(i int) string { return fmt.Sprintf("Player %d", i+1) }

// StreetName returns "Flop", "Turn" or "River", to start a line with.
func StreetName(s pokle.Street) string {
	name := s.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// Alike explains a win by another board than the hidden one; see [PokerTable.WonAlike].
const Alike = "Same flop, same ranks on turn and river: this board wins too."

// Width is the width of tables and calendars, in pixels. Discord shows it half as wide, and smaller still if that is more than
// some 350 pixels high. So the players are on the left of the guesses: above, they would shrink everything.
const Width = 1100

// Measures in pixels.
const (
	margin     = 24
	gap        = 8  // between cards, and between rows
	apart      = 22 // between flop, turn and river
	headHeight = 60
	footHeight = 46
	noteHeight = 38 // below the foot

	playersWidth  = 284
	playersGap    = 12
	playersHeight = pokle.Players*(playerHeight+playersGap) - playersGap // room for six guesses, and a little more

	guessesLeft   = margin + playersWidth + 20
	numberWidth   = 76
	streetsHeight = 34
	rowHeight     = 70
	boardGap      = 14 // below the board
	cellWidth     = (Width - margin - guessesLeft - numberWidth - 2*gap - 2*apart) / marks.Length
)

// Draw returns the picture as a PNG, [Width] pixels wide. With contrast, orange and blue replace green and yellow. The
// same table gives the same bytes. Draw is safe for concurrent use.
func (t PokerTable) Draw(contrast bool) []byte {
	top := margin
	if t.State != "" {
		top += headHeight
	}
	foot := footHeight
	if t.WonAlike() {
		foot += noteHeight
	}
	c := begin(Width, top+playersHeight+foot+margin/2, contrast)
	c.Text(canvas.Left, image.Pt(margin, margin+33), 38, Width-2*margin, bright, t.State)
	c.streets(top)
	c.board(t.Hidden, top+streetsHeight)
	c.foot(t, top+playersHeight)
	for i := range pokle.Players {
		c.player(t, i, top+i*(playerHeight+playersGap))
	}
	for i := range pokle.Attempts {
		c.guess(t, i, top+streetsHeight+rowHeight+boardGap+i*(rowHeight+gap))
	}
	return c.PNG()
}

// cell returns the place of card i in the row at y.
func cell(i, y int) image.Rectangle {
	x := guessesLeft + numberWidth + i*(cellWidth+gap) + max(0, i-pokle.Flop.Cards()+1)*(apart-gap)
	return image.Rect(x, y, x+cellWidth, y+rowHeight)
}

func (c drawing) streets(y int) {
	for s, r := range [...]image.Rectangle{cell(0, y).Union(cell(2, y)), cell(3, y), cell(4, y)} {
		c.Text(canvas.Centre, image.Pt(middle(r).X, y+22), 26, r.Dx(), dim, StreetName(pokle.Street(s)))
	}
}

func (c drawing) board(b *pokle.Board, y int) {
	c.Text(canvas.Left, image.Pt(guessesLeft, y+rowHeight/2+8), 22, numberWidth, bright, "Board")
	for i := range marks.Length {
		r := cell(i, y)
		if b != nil {
			c.card(r, b[i])
			continue
		}
		c.framed(r, 12, 3, dim, back)
		c.Text(canvas.Centre, middle(r).Add(image.Pt(0, 16)), 44, r.Dx(), bright, "?")
	}
}

// signWidth is the room for the sign of a mark, next to the card.
const signWidth = 30

// guess draws the number of a guess, its player if the font can write any of the name, and its cards, or empty places if
// it's still to be made. Each card is on a background in the colour of its mark, with the mark's sign.
func (c drawing) guess(t PokerTable, n, y int) {
	made, with := n < len(t.Guesses), frame
	if made {
		with = bright
	}
	at, size := image.Pt(guessesLeft+numberWidth/2-gap, y+rowHeight/2+12), 34
	if n < len(t.Players) && canvas.Writes(t.Players[n]) {
		c.Text(canvas.Centre, image.Pt(at.X, y+rowHeight-10), 20, numberWidth, dim, t.Players[n])
		at.Y, size = y+rowHeight/2, 30
	}
	c.Text(canvas.Centre, at, size, numberWidth, with, strconv.Itoa(n+1))
	for i := range marks.Length {
		r := cell(i, y)
		if !made {
			c.framed(r, 12, 2, frame, panel)
			continue
		}
		mark := t.Guesses[n].Feedback.Mark(i)
		c.Rounded(r, 12, c.grounds[mark])
		c.Shape(markShapes[mark], image.Pt(r.Max.X-signWidth/2-1, middle(r).Y), signWidth-6, signs[mark])
		c.card(image.Rect(r.Min.X+5, r.Min.Y+5, r.Max.X-signWidth, r.Max.Y-5), t.Guesses[n].Guess[i])
	}
}

var suitInks = [...]color.NRGBA{pokle.Clubs: clubs, pokle.Diamonds: diamonds, pokle.Hearts: hearts, pokle.Spades: spades}

func (c drawing) card(r image.Rectangle, card pokle.Card) {
	with := suitInks[card.Suit()]
	c.Rounded(r, 8, paper)
	size := r.Dy() * 3 / 4
	if card.Rank() == pokle.Ten {
		size = r.Dy() * 2 / 3
	}
	x := rankAndSuit(c.Canvas, card, middle(r), size, r.Dy()*12/25, r.Dy()*9/50, 3, with)
	letter := strings.TrimPrefix(card.Plain(), card.Rank().String())
	c.Text(canvas.Centre, image.Pt(x, r.Max.Y-r.Dy()/10), r.Dy()*3/8, r.Dx(), with, letter)
}

// rankAndSuit draws a card's rank and suit in these sizes, side by side round the point. The suit is higher by up. It
// returns the middle of the suit.
func rankAndSuit(c *canvas.Canvas, card pokle.Card, at image.Point, size, suit, up, between int, with color.NRGBA) (x int) {
	rank := card.Rank().String()
	width := c.TextWidth(rank, size)
	left := at.X - (width+between+suit)/2
	c.Text(canvas.Left, image.Pt(left, at.Y+size*36/100), size, Width, with, rank)
	x = left + width + between + suit/2
	c.Shape(suitShapes[card.Suit()], image.Pt(x, at.Y-up), suit, with)
	return x
}

// Measures of a player's part, in pixels.
const (
	playerHeight = 186
	inside       = 14
	holeHeight   = 68
	medalSize    = 42
)

func (c drawing) player(t PokerTable, i, y int) {
	whole := image.Rect(margin, y, margin+playersWidth, y+playerHeight)
	c.Rounded(whole, 14, panel)
	c.Text(canvas.Left, image.Pt(whole.Min.X+inside, y+29), 26, playersWidth, bright, PlayerName(i))
	y += 38
	width := (playersWidth - 2*inside - gap) / pokle.HoleCards
	for k, card := range t.Deal.Holes[i] {
		x := whole.Min.X + inside + k*(width+gap)
		c.card(image.Rect(x, y, x+width, y+holeHeight), card)
	}
	y += holeHeight + gap
	for s := range pokle.Street(pokle.Streets) {
		x := whole.Min.X + playersWidth*(2*int(s)+1)/(2*pokle.Streets)
		c.medal(int(t.Deal.Places[s][i]), image.Pt(x, y+medalSize/2), medalSize)
		c.Text(canvas.Centre, image.Pt(x, y+medalSize+22), 21, playersWidth/pokle.Streets, dim, StreetName(s))
	}
}

func (c drawing) foot(t PokerTable, y int) {
	x := guessesLeft
	y += 14
	for mark := len(markMeanings) - 1; mark >= 0; mark-- {
		c.Rounded(image.Rect(x, y, x+signWidth, y+signWidth), 8, c.grounds[mark])
		c.Shape(markShapes[mark], image.Pt(x+signWidth/2, y+signWidth/2), signWidth-6, signs[mark])
		x += signWidth + gap
		x += c.Text(canvas.Left, image.Pt(x, y+24), 24, Width, dim, markMeanings[mark]) + margin
	}
	if t.WonAlike() {
		c.Text(canvas.Left, image.Pt(guessesLeft, y+24+noteHeight), 22, Width-margin-guessesLeft, bright, Alike)
	}
}
