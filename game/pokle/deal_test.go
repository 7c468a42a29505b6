package pokle

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
)

// mustDeal returns the deal of three holes and the places on the three streets.
func mustDeal(tb testing.TB, texts ...string) Deal {
	tb.Helper()
	var d Deal
	for i := range Players {
		var err error
		if d.Holes[i], err = ParseHole(texts[i]); err != nil {
			tb.Fatalf("%q: %v", texts[i], err)
		}
	}
	for s := range Streets {
		var err error
		if d.Places[s], err = ParsePlaces(texts[Players+s]); err != nil {
			tb.Fatalf("%q: %v", texts[Players+s], err)
		}
	}
	return d
}

func TestDealValidate(t *testing.T) {
	good := mustDeal(t, "QD QC", "10H 2H", "9H KH", "2 1 3", "1 1 2", "1 2 2")
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name string
		deal func(d *Deal)
		want error
	}{
		{"a card of two players", func(d *Deal) { d.Holes[2][1] = d.Holes[0][0] }, &TwiceError{NewCard(Queen, Diamonds)}},
		{"a card twice with one player", func(d *Deal) { d.Holes[1][1] = d.Holes[1][0] }, &TwiceError{NewCard(Ten, Hearts)}},
		{"no places", func(d *Deal) { d.Places[Turn] = Places{} }, &StreetError{Turn, &PlacesError{Unknown: 1}}},
		{"impossible places", func(d *Deal) { d.Places[River] = Places{1, 3, 3} }, &StreetError{River, &PlacesError{Count: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := good
			c.deal(&d)
			if got := d.Validate(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if err := error(&StreetError{Turn, &PlacesError{Count: 3}}); !errors.Is(err, ErrPlaces) {
		t.Errorf("%v does not wrap %v", err, ErrPlaces)
	}
}

func TestNewDeal(t *testing.T) {
	for _, c := range []struct {
		name, one, two, three, board string
		want                         [Streets]string
	}{
		{"three orders", "QD QC", "10H 2H", "9H KH", "2C 9C 10C KC 2D", [...]string{"2 1 3", "1 3 2", "2 1 3"}},
		{"two share the first place", "AC 2D", "KC 3D", "AD 2H", "9S 9H 8S QC JC", [...]string{"1 2 1", "1 2 1", "1 2 1"}},
		{"two share the second place", "AC 2D", "KC 3D", "KD 3H", "9S 9H 8S QC JC", [...]string{"1 2 2", "1 2 2", "1 2 2"}},
		{"all play the board", "2C 3D", "2D 3C", "2H 3H", "10S JS QS KS AS", [...]string{"1 1 1", "1 1 1", "1 1 1"}},
		{"the kicker with four of a kind", "AC 2D", "KC 3D", "QC 3H", "9S 9H 9C 9D 8C", [...]string{"1 2 3", "1 2 3", "1 2 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want [Streets]Places
			for s, text := range c.want {
				p, err := ParsePlaces(text)
				if err != nil {
					t.Fatal(err)
				}
				want[s] = p
			}
			holes := [Players]Hole{Hole(mustCards(t, c.one)), Hole(mustCards(t, c.two)), Hole(mustCards(t, c.three))}
			if d := NewDeal(holes, mustBoard(t, c.board)); d.Places != want || d.Holes != holes {
				t.Errorf("got %v, want places %v", d, want)
			}
		})
	}
}

func TestFits(t *testing.T) {
	d := mustDeal(t, "AH KD", "QC JS", "10H 9D", "1 2 3", "2 1 3", "1 3 2")
	for _, c := range []struct {
		name, board string
		want        error
	}{
		{"fits", "2H 3H 4H JC 5H", nil},
		{"flop in another order", "4H 2H 3H JC 5H", nil},
		{"a card twice", "2H 3H 4H JC 2H", &TwiceError{NewCard(Two, Hearts)}},
		{"a card of player 1", "2H 3H KD JC 5H", &HeldError{NewCard(King, Diamonds), 1}},
		{"a card of player 3", "2H 3H 4H JC 9D", &HeldError{NewCard(Nine, Diamonds), 3}},
		{"wrong on the flop", "9H 3C 4S JC 5H", &MisfitError{Flop, Places{2, 3, 1}, Places{1, 2, 3}}},
		{"wrong on the turn", "2H 3H 4H KC 5H", &MisfitError{Turn, Places{1, 2, 3}, Places{2, 1, 3}}},
		{"wrong on the river", "2H 3H 4H JC 5C", &MisfitError{River, Places{1, 2, 3}, Places{1, 3, 2}}},
		{"all places right and a card without use", "3C 3H 5H QH JH", &UnusedError{NewCard(Five, Hearts)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := d.Fits(mustBoardOf(t, c.board)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// mustBoardOf is mustBoard for cards of which one may be there twice.
func mustBoardOf(tb testing.TB, text string) Board {
	tb.Helper()
	var b Board
	for i := range b {
		c, rest, err := cutCard(text)
		if err != nil {
			tb.Fatalf("%q: %v", text, err)
		}
		b[i] = c
		text = rest
		if rest != "" {
			text = rest[1:]
		}
	}
	return b
}

// TestFitsAgainstPlain compares with the conditions as they are written down, on
// hands of plain code, for deals made from a board close to the one asked about.
func TestFitsAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var fit, misfit, unused, other int
	for range 3_000 {
		deck := draw(random, deckOf(random.IntN(13), 9, 4), 13)
		holes := [Players]Hole{Hole(deck[0:2]), Hole(deck[2:4]), Hole(deck[4:6])}
		d := NewDeal(holes, Board(deck[6:11]))
		b := Board(deck[6:11])
		switch random.IntN(4) {
		case 0:
			b[random.IntN(5)] = deck[11]
		case 1:
			b[3], b[4] = b[4], b[3]
		case 2:
			b[random.IntN(5)] = deck[random.IntN(13)] // perhaps held, or twice
		}
		err := d.Fits(b)
		if got, want := err == nil, fitsPlain(d, b); got != want {
			t.Fatalf("%v with %v: %v, want a fit: %v", d, b, err, want)
		}
		switch err.(type) {
		case nil:
			fit++
		case *MisfitError:
			misfit++
		case *UnusedError:
			unused++
		default:
			other++
		}
	}
	if fit < 100 || misfit < 100 || unused < 100 || other < 100 {
		t.Errorf("%d fits, %d misfits, %d with an unused card, %d others: too few to say anything", fit, misfit, unused, other)
	}
}

func fitsPlain(d Deal, b Board) bool {
	times, used := map[Card]int{}, map[Card]bool{}
	for _, hole := range d.Holes {
		times[hole[0]]++
		times[hole[1]]++
	}
	for _, c := range b {
		times[c]++
	}
	for _, n := range times {
		if n > 1 {
			return false
		}
	}
	for s := range Streets {
		var worth [Players]uint32
		for p, hole := range d.Holes {
			w, core := bestPlain(append(hole[:], b[:3+s]...))
			worth[p] = w
			for _, c := range core.List() {
				used[c] = true
			}
		}
		for p := range Players {
			better := map[uint32]bool{}
			for _, w := range worth {
				if w > worth[p] {
					better[w] = true
				}
			}
			if int(d.Places[s][p]) != 1+len(better) {
				return false
			}
		}
	}
	for _, c := range b {
		if !used[c] {
			return false
		}
	}
	return true
}

// BenchmarkShowdown compares three hands on the river.
func BenchmarkShowdown(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 1 << 16
	hands := make([][Players]Cards, n)
	for i := range n {
		c := draw(random, deckOf(0, 13, 4), 11)
		board := SetOf(c[6:]...)
		hands[i] = [Players]Cards{board | SetOf(c[:2]...), board | SetOf(c[2:4]...), board | SetOf(c[4:6]...)}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		places, core := Showdown(hands[i%n])
		sink += uint64(places[0]) + uint64(core)
		i++
	}
}
