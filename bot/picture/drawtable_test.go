package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/racetest"
)

func mustBoard(tb testing.TB, text string) pokle.Board {
	tb.Helper()
	b, err := pokle.ParseBoard(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return b
}

// mustTable returns the table of a game with these guesses.
func mustTable(tb testing.TB, holes, hidden string, guesses ...string) PokerTable {
	tb.Helper()
	var deal [pokle.Players]pokle.Hole
	cards, err := pokle.ParseCards(holes)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range deal {
		deal[i] = pokle.Hole(cards[i*pokle.HoleCards:])
	}
	board := mustBoard(tb, hidden)
	game := pokle.NewState(pokle.NewDeal(deal, board), board)
	for _, text := range guesses {
		if game, err = game.Guess(mustBoard(tb, text)); err != nil {
			tb.Fatal(err)
		}
	}
	return PokerTable{Deal: game.Deal(), Guesses: game.Guesses(), Attempts: pokle.Attempts, Left: -1}
}

// sample is a game in progress, with each suit, mark and medal.
func sample(tb testing.TB) PokerTable {
	tb.Helper()
	t := mustTable(tb, "QD QC 10H 2H 9H KH", "2C 9C 10C KC 2D", "9C 10D KD 2D 2S", "10C 9S AH KC 8D", "2S 9C 10S KC 2C")
	t.Title, t.Left = "Daily puzzle 326", 14
	return t
}

func mustDraw(tb testing.TB, t PokerTable) []byte {
	tb.Helper()
	b, err := Draw(tb.Context(), t)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func mustDecode(tb testing.TB, b []byte) *image.Paletted {
	tb.Helper()
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		tb.Fatal(err)
	}
	return decoded.(*image.Paletted)
}

func TestSize(t *testing.T) {
	b := mustDraw(t, sample(t))
	p := mustDecode(t, b)
	// Discord shows pictures in at most 550 by 350.
	if p.Rect.Dx() != Width || p.Rect.Dy() > Width*350/550*11/10 {
		t.Errorf("the picture is %v large", p.Rect.Size())
	}
	if len(b) > 60_000 {
		t.Errorf("the picture has %d bytes", len(b))
	}
	for _, corner := range []image.Point{{0, 0}, {Width - 1, 0}, {0, p.Rect.Dy() - 1}, {Width - 1, p.Rect.Dy() - 1}} {
		if p.ColorIndexAt(corner.X, corner.Y) != uint8(nothing) {
			t.Errorf("the corner %v is filled", corner)
		}
	}
	for y := margin; y < p.Rect.Dy()-margin; y++ {
		for x := range Width {
			if _, _, _, a := p.At(x, y).RGBA(); a != 0xFFFF {
				t.Fatalf("%d, %d shines through", x, y)
			}
		}
	}
}

// TestMarks: each card of each guess has the ground of its mark, and the sign.
func TestMarks(t *testing.T) {
	table := sample(t)
	p := mustDecode(t, mustDraw(t, table))
	top := margin + headHeight + streetsHeight + rowHeight + boardGap
	for row, g := range table.Guesses {
		for i := range marks.Length {
			r := cell(i, top+row*(rowHeight+gap))
			mark := g.Feedback.Mark(i)
			if got := canvas.Ink(p.ColorIndexAt(middle(r).X, r.Min.Y+2)); got != grounds[false][mark] {
				t.Errorf("guess %d, card %d: the ground is %d, want %d", row+1, i+1, got, grounds[false][mark])
			}
			if strip := image.Rect(r.Max.X-signWidth+2, r.Min.Y+8, r.Max.X-2, r.Max.Y-8); !has(p, strip, signs[mark]) {
				t.Errorf("guess %d, card %d: no sign for %s", row+1, i+1, markNames[mark])
			}
		}
	}
	for row := len(table.Guesses); row < table.Attempts; row++ {
		r := cell(0, top+row*(rowHeight+gap))
		if got := canvas.Ink(p.ColorIndexAt(middle(r).X, middle(r).Y)); got != panel {
			t.Errorf("attempt %d is not empty but %d", row+1, got)
		}
	}
}

// has reports whether something of this colour is in the rectangle.
func has(p *image.Paletted, r image.Rectangle, want canvas.Ink) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if canvas.Ink(p.ColorIndexAt(x, y)) == want {
				return true
			}
		}
	}
	return false
}

// TestSuitsAndMedals: cards and medals have their colours.
func TestSuitsAndMedals(t *testing.T) {
	table := sample(t)
	board := mustBoard(t, "2C 3D 4H 5S AS")
	table.Hidden = &board
	p := mustDecode(t, mustDraw(t, table))
	for i, card := range board {
		for suit, with := range suitInks {
			if got := has(p, cell(i, margin+headHeight+streetsHeight), with); got != (pokle.Suit(suit) == card.Suit()) {
				t.Errorf("%v has the colour of %v: %v", card, pokle.Suit(suit), got)
			}
		}
	}
	height := p.Rect.Dy() - margin - headHeight - footHeight - margin/2
	each := (height - 2*playersGap) / pokle.Players
	for i := range pokle.Players {
		for s := range pokle.Streets {
			x, y := margin+s*playersWidth/pokle.Streets, margin+headHeight+i*(each+playersGap)
			for place, with := range medalInks {
				r := image.Rect(x, y, x+playersWidth/pokle.Streets, y+each)
				if want := int(table.Deal.Places[s][i]) == place; place > 0 && has(p, r, with) != want {
					t.Errorf("player %d, %v: a medal of place %d: %v", i+1, pokle.Street(s), place, !want)
				}
			}
		}
	}
}

// TestEverythingShows: whatever changes in a table changes the picture; the same table has the
// same picture.
func TestEverythingShows(t *testing.T) {
	racetest.Skip(t)
	board := mustBoard(t, "2C 9C 10C KC 2D")
	other := mustBoard(t, "2C 9C 10C KC 2S")
	seen := map[string]string{}
	for name, change := range map[string]func(*PokerTable){
		"nothing":       func(*PokerTable) {},
		"title":         func(t *PokerTable) { t.Title = "Daily puzzle 327" },
		"no title":      func(t *PokerTable) { t.Title = "" },
		"hole":          func(t *PokerTable) { t.Deal.Holes[2][1] = pokle.NewCard(pokle.King, pokle.Spades) },
		"places":        func(t *PokerTable) { t.Deal.Places[1] = pokle.Places{1, 2, 3} },
		"shared place":  func(t *PokerTable) { t.Deal.Places[1] = pokle.Places{1, 1, 2} },
		"guessed card":  func(t *PokerTable) { t.Guesses[0].Guess[0] = pokle.NewCard(pokle.Nine, pokle.Spades) },
		"mark":          func(t *PokerTable) { t.Guesses[0].Feedback += 81 },
		"guess":         func(t *PokerTable) { t.Guesses = t.Guesses[:2] },
		"attempts":      func(t *PokerTable) { t.Attempts = 5 },
		"boards left":   func(t *PokerTable) { t.Left = 15 },
		"one left":      func(t *PokerTable) { t.Left = 1 },
		"none left":     func(t *PokerTable) { t.Left = 0 },
		"nothing left":  func(t *PokerTable) { t.Left = -1 },
		"board":         func(t *PokerTable) { t.Hidden = &board },
		"another board": func(t *PokerTable) { t.Hidden = &other },
	} {
		table := sample(t)
		change(&table)
		b := string(mustDraw(t, table))
		if b != string(mustDraw(t, table)) {
			t.Errorf("%s: two pictures of the same table differ", name)
		}
		if before, ok := seen[b]; ok {
			t.Errorf("%s and %s look alike", name, before)
		}
		seen[b] = name
	}
}

// TestRows: more guesses than there is room for show the latest, with their numbers.
func TestRows(t *testing.T) {
	table := sample(t)
	for i := range 30 {
		table.Guesses = append(table.Guesses, pokle.Step{Guess: mustBoard(t, "2S 3S 4S 5S 6S"), Feedback: pokle.Feedback(i)})
	}
	many := mustDraw(t, table)
	table.Guesses[0].Feedback++ // is not shown
	if !bytes.Equal(many, mustDraw(t, table)) {
		t.Error("a guess that is too old is shown")
	}
	table.Guesses = table.Guesses[:len(table.Guesses)-1]
	if bytes.Equal(many, mustDraw(t, table)) {
		t.Error("the latest guess is not shown")
	}
	for _, attempts := range []int{-1, 0, 1, 1 << 30} {
		table.Guesses, table.Attempts = nil, attempts
		if height := mustDecode(t, mustDraw(t, table)).Rect.Dy(); height < 500 || height > 1000 {
			t.Errorf("with %d attempts it is %d high", attempts, height)
		}
	}
}

func TestRefused(t *testing.T) {
	table := sample(t)
	table.Deal.Places[2] = pokle.Places{1, 1, 2}
	mustDraw(t, table)
	table.Deal.Places[2] = pokle.Places{0, 1, 2}
	var street *pokle.StreetError
	if b, err := Draw(t.Context(), table); b != nil || !errors.As(err, &street) || street.Street != pokle.River {
		t.Errorf("places 0 1 2: %d bytes, %v", len(b), err)
	}
	var twice *pokle.TwiceError
	if b, err := Draw(t.Context(), PokerTable{}); b != nil || !errors.As(err, &twice) {
		t.Errorf("no deal: %d bytes, %v", len(b), err)
	}
}

// patient is a context that ends when it has been looked at this often.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

func TestContext(t *testing.T) {
	table := sample(t)
	for looks := range 12 { // 3 parts, 3 players, 6 rows
		if b, err := Draw(&patient{t.Context(), looks}, table); b != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d parts: %d bytes, %v", looks, len(b), err)
		}
	}
	if _, err := Draw(&patient{t.Context(), 12}, table); err != nil {
		t.Errorf("drawn in time: %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	table := sample(t)
	want := mustDraw(t, table)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := Draw(t.Context(), table); err != nil || !bytes.Equal(got, want) {
				t.Errorf("drawn at the same time as others: another picture, %v", err)
			}
		})
	}
	all.Wait()
}

// randomTable returns a table with random cards, marks and places, all rows full.
func randomTable(random *rand.Rand) PokerTable {
	deck := random.Perm(pokle.Deck)
	take := func() pokle.Card {
		c := pokle.Card(deck[0])
		deck = deck[1:]
		return c
	}
	t := PokerTable{Title: "Daily puzzle 326", Attempts: pokle.Attempts, Left: random.IntN(30_000)}
	for i := range t.Deal.Holes {
		t.Deal.Holes[i] = pokle.Hole{take(), take()}
	}
	for s := range t.Deal.Places {
		t.Deal.Places[s] = []pokle.Places{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 1, 2}, {1, 2, 2}, {1, 1, 1}}[random.IntN(6)]
	}
	for range t.Attempts {
		g := pokle.Step{Feedback: pokle.Feedback(random.IntN(pokle.Feedbacks))}
		for i, c := range random.Perm(len(deck))[:pokle.BoardCards] {
			g.Guess[i] = pokle.Card(deck[c])
		}
		t.Guesses = append(t.Guesses, g)
	}
	return t
}

// TestPalette: the palette has room for all colours at the edges of shapes.
func TestPalette(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	most := 0
	for i := range racetest.Cases(40) {
		table := randomTable(random)
		table.Guesses = table.Guesses[:i%7]
		if i%2 == 0 {
			board := mustBoard(t, "2C 3D 4H 5S 6S")
			table.Hidden = &board
		}
		most = max(most, len(mustDecode(t, mustDraw(t, table)).Palette))
	}
	if most >= 256 || most < len(colours) {
		t.Errorf("%d colours", most)
	}
	t.Logf("at most %d colours", most)
}

// FuzzTitle: any title is drawn, and does not reach its neighbours.
func FuzzTitle(f *testing.F) {
	for _, title := range []string{"", "Daily puzzle 326", "漢字\u0000\xff\n\t🃏", strings.Repeat("W", 200), strings.Repeat("i ", 9000)} {
		f.Add(title)
	}
	plain := mustDecode(f, mustDraw(f, sample(f)))
	f.Fuzz(func(t *testing.T, title string) {
		table := sample(t)
		table.Title = title
		got := mustDecode(t, mustDraw(t, table))
		if got.Rect != plain.Rect {
			t.Fatalf("%q: the picture is %v large, want %v", title, got.Rect.Size(), plain.Rect.Size())
		}
		for y := range got.Rect.Dy() {
			for x := range Width {
				if (y > margin+headHeight || x > Width*3/4) && got.At(x, y) != plain.At(x, y) {
					t.Fatalf("%q reaches %d, %d", title, x, y)
				}
			}
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	full := randomTable(random)
	for _, c := range []struct {
		name  string
		table PokerTable
	}{{"three guesses", sample(b)}, {"six guesses", full}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(mustDraw(b, c.table))
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// TestOutcome: who guessed, how the game ended and why another board wins are drawn, each
// where there was nothing, and the reason is not cut.
func TestOutcome(t *testing.T) {
	table := sample(t)
	table.Title, table.Left = "", -1
	board := mustBoard(t, "2C 9C 10C KC 2D")
	table.Hidden = &board
	drawn := func() *image.Paletted { return mustDecode(t, mustDraw(t, table)) }
	top := margin + headHeight
	row := cell(0, top+streetsHeight+rowHeight+boardGap+rowHeight+gap)
	name := image.Rect(guessesLeft, row.Max.Y-28, row.Min.X-1, row.Max.Y)
	table.Outcome = "Lost"
	if p := drawn(); !has(p, image.Rect(Width/2, margin, Width-margin, top), bright) || has(p, name, dim) {
		t.Error("the outcome is not drawn, or a name is")
	}
	table.Players = []string{"", "ana", ""}
	before := drawn()
	if !has(before, name, dim) || has(before, name.Add(image.Pt(0, rowHeight+gap)), dim) {
		t.Error("the name is not drawn, or in another row")
	}
	if table.WonAlike() {
		t.Error("a lost game is called won")
	}
	table.Guesses[2].Guess, table.Guesses[2].Feedback = mustBoard(t, "10C 2C 9C KC 2S"), marks.AllGreen
	after := drawn()
	if grown := after.Rect.Dy() - before.Rect.Dy(); !table.WonAlike() || grown != noteHeight {
		t.Errorf("the picture grows by %d for the reason, want %d", grown, noteHeight)
	}
	table.Guesses[2].Guess[4] = board[4]
	if table.WonAlike() {
		t.Error("the hidden board in another order is called another board")
	}
	if width := canvas.New(1, 1, colours).TextWidth(Alike, 22); width > Width-margin-guessesLeft {
		t.Errorf("the reason is %d wide", width)
	}
}

// TestLetter: a name that the font lacks is a letter in a disc, one that it has in part is that part.
func TestLetter(t *testing.T) {
	table := sample(t)
	table.Players = []string{"小明", "Zoë🎲", "🎲 🎲"}
	for number, want := range []string{1: "A", 2: "", 3: "B", 4: ""} {
		if number > 0 && table.Letter(number) != want {
			t.Errorf("guess %d is by %q, want %q", number, table.Letter(number), want)
		}
	}
	disc := func(number int) bool {
		at := image.Pt(guessesLeft+numberWidth/2-gap-10, cell(0, margin+headHeight+streetsHeight+(number)*(rowHeight+gap)+boardGap).Max.Y-17-gap)
		return has(mustDecode(t, mustDraw(t, table)), image.Rect(at.X, at.Y, at.X+1, at.Y+1), dim)
	}
	table.Title = "a head"
	if !disc(1) || disc(2) || !disc(3) {
		t.Errorf("discs: %t %t %t", disc(1), disc(2), disc(3))
	}
	whole, part := mustDraw(t, table), table
	part.Players = []string{"小红", "Zoë", "漢字"}
	if !bytes.Equal(whole, mustDraw(t, part)) {
		t.Error("letters that the font lacks are drawn")
	}
}
