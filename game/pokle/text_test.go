package pokle

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// must returns a value that was made without an error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestParseCards(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"th":               "10H",
		"10♥\uFE0E":        "10H",
		"QDQC":             "QD QC",
		" Qd\t,\n qC, ":    "QD QC",
		"A♠\uFE0FA♣\uFE0F": "AS AC",
		"2c3♧4d5♢6♦7h8s9♤": "2C 3C 4D 5D 6D 7H 8S 9S",
		`2\♣ 10\♥`:         "2C 10H",
	} {
		if got, err := ParseCards(text); err != nil || write(got, Card.Plain) != want {
			t.Errorf("ParseCards(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"1H":        &CardError{1, ErrRank},
		"QD 0H":     &CardError{2, ErrRank},
		"\u212AH":   &CardError{1, ErrRank}, // the Kelvin sign
		"QD;QC":     &CardError{2, ErrRank},
		"10":        &CardError{1, ErrSuit},
		"Q D":       &CardError{1, ErrSuit},
		"QC 10\xff": &CardError{2, ErrSuit},
		"2C3C4C5":   &CardError{4, ErrSuit},
		"QD 10h Qd": &TwiceError{NewCard(Queen, Diamonds)},
	} {
		if cards, err := ParseCards(text); cards != nil || !reflect.DeepEqual(err, want) {
			t.Errorf("ParseCards(%q) = %v, %v, want %v", text, cards, err, want)
		}
	}
}

// cardText matches one card as ParseCards takes it, and gapText what may stand around cards.
const (
	cardText = `(?:10|[2-9TtJjQqKkAa])\\?[CcDdHhSs♣♦♥♠♧♢♡♤][\x{FE0E}\x{FE0F}]?`
	gapText  = `[\t\n\v\f\r\x{85}\p{Z},]*`
)

var (
	oneCard   = regexp.MustCompile(cardText)
	onlyCards = regexp.MustCompile(`\A` + gapText + `(?:` + cardText + gapText + `)*\z`)
)

// FuzzParseCards: what is read is what a regular expression finds, each card once, and what is written is read as the same.
func FuzzParseCards(f *testing.F) {
	for _, seed := range []string{"10H", "th", "10♥\uFE0F", "QDQC", "QD, QC", "QD QD", "1H", "QX", "", "\xff", "\u212AH", "a♤2♡\u20033c", `2\♣3\h`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cards, err := ParseCards(text)
		found := oneCard.FindAllString(text, -1)
		var twice *TwiceError
		switch {
		case err != nil && cards != nil:
			t.Fatalf("ParseCards(%q) = %v, %v", text, cards, err)
		case errors.As(err, &twice):
			return
		case err != nil && onlyCards.MatchString(text), err == nil && !onlyCards.MatchString(text):
			t.Fatalf("ParseCards(%q) = %v, %v", text, cards, err)
		case err != nil:
			return
		case len(cards) != len(found) || SetOf(cards...).Len() != len(cards):
			t.Fatalf("ParseCards(%q) = %v, want %q", text, cards, found)
		}
		for _, form := range []func(Card) string{Card.String, Card.Plain} {
			if back, err := ParseCards(write(cards, form)); err != nil || !slices.Equal(back, cards) {
				t.Errorf("%v are written as %q, which reads as %v, %v", cards, write(cards, form), back, err)
			}
		}
	})
}

// TestParseNumbers: a hand is two cards and a board five, and neither is another number.
func TestParseNumbers(t *testing.T) {
	cards := strings.Fields("10H 2C 3D 4S KS AC QD")
	for n := range cards {
		text := strings.Join(cards[:n], " ")
		hole, err := ParseHole(text)
		if want := (&CountError{n, HoleCards}); (n == HoleCards) != (err == nil) || err != nil && !reflect.DeepEqual(err, want) || err == nil && hole.Plain() != text {
			t.Errorf("ParseHole(%q) = %v, %v", text, hole, err)
		}
		board, err := ParseBoard(text)
		if want := (&CountError{n, BoardCards}); (n == BoardCards) != (err == nil) || err != nil && !reflect.DeepEqual(err, want) || err == nil && board.Plain() != text {
			t.Errorf("ParseBoard(%q) = %v, %v", text, board, err)
		}
	}
}

// allPlaces are the places that three hands can have, listed by hand.
var allPlaces = []string{
	"1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1",
	"1 1 2", "1 2 1", "2 1 1", "1 2 2", "2 1 2", "2 2 1", "1 1 1",
}

// TestPlacesOf: a place is one more than the number of different better hands, and places are valid if some hands have them.
func TestPlacesOf(t *testing.T) {
	for i := range Strength(27) {
		hands := [Players]Strength{1 << (i / 9 * 20), 1 << (i / 3 % 3 * 20), 1 << (i % 3 * 20)}
		var want Places
		for p := range hands {
			var better []Strength
			for _, h := range hands {
				if h > hands[p] && !slices.Contains(better, h) {
					better = append(better, h)
				}
			}
			want[p] = uint8(1 + len(better))
		}
		if got := PlacesOf(hands); got != want {
			t.Errorf("PlacesOf(%x) = %v, want %v", hands, got, want)
		}
	}
	for _, last := range []uint8{0, 1, 2, 3, 4, 255} {
		for i := range uint8(5 * 5) {
			p := Places{i / 5, i % 5, last}
			if err := p.Validate(); slices.Contains(allPlaces, p.String()) != (err == nil) {
				t.Errorf("%v: %v", p, err)
			}
		}
	}
}

// FuzzParsePlaces: exactly the listed places are read, however they are separated, and what is written is read as the same.
func FuzzParsePlaces(f *testing.F) {
	for _, seed := range []string{"2 1 3", "213", "1,1,2", "1 1 3", "1 2", "1 2 3 1", "", "0 1 2", "1\u20032\u00A02"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := strings.Join(strings.Split(strings.Join(strings.FieldsFunc(text, separates), ""), ""), " ")
		got, err := ParsePlaces(text)
		if valid := slices.Contains(allPlaces, plain); valid != (err == nil) || valid && got.String() != plain {
			t.Fatalf("ParsePlaces(%q) = %v, %v", text, got, err)
		}
		if err != nil && got != (Places{}) {
			t.Fatalf("ParsePlaces(%q) = %v, %v", text, got, err)
		}
	})
}

// TestStoredForms: what is stored is read as the same, and any other text changes nothing.
func TestStoredForms(t *testing.T) {
	type stored struct {
		Hole   Hole
		Board  Board
		Places Places
	}
	one := stored{must(ParseHole("10H 2C")), must(ParseBoard("JH 3C AD 2D 5S")), Places{1, 2, 2}}
	text, err := json.Marshal(one)
	if want := `{"Hole":"10H 2C","Board":"JH 3C AD 2D 5S","Places":"1 2 2"}`; err != nil || string(text) != want {
		t.Errorf("stored as %s, %v, want %s", text, err, want)
	}
	var back stored
	if err := json.Unmarshal(text, &back); err != nil || back != one {
		t.Errorf("%s reads as %v, %v", text, back, err)
	}
	for _, bad := range []string{`{"Hole":"10H"}`, `{"Board":"JH 3C AD 2D"}`, `{"Places":"1 3 3"}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil || back != one {
			t.Errorf("%s reads as %v, %v", bad, back, err)
		}
	}
}

func TestParseDeal(t *testing.T) {
	hands, places := [Players]string{"QD QC", "10♥2♥", "9h kh"}, [Streets]string{"213", "1 2 2", "111"}
	want := Deal{
		Holes:  [Players]Hole{{NewCard(Queen, Diamonds), NewCard(Queen, Clubs)}, {NewCard(Ten, Hearts), NewCard(Two, Hearts)}, {NewCard(Nine, Hearts), NewCard(King, Hearts)}},
		Places: [Streets]Places{{2, 1, 3}, {1, 2, 2}, {1, 1, 1}},
	}
	if got, err := ParseDeal(hands, places); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for text, change := range map[string]func(){
		"hand 2: 1 cards, not 2":             func() { hands[1] = "10H" },
		"hand 3: card 2: " + ErrSuit.Error(): func() { hands[2], places[0] = "9H KX", "2 1" },
		"turn: " + ErrPlaces.Error():         func() { places[1] = "12" },
		"Q♦ twice":                           func() { hands[2] = "9H QD" },
		"river: " + ErrPlaces.Error():        func() { places[2] = "133" },
	} {
		was, were := hands, places
		change()
		if got, err := ParseDeal(hands, places); err == nil || err.Error() != text {
			t.Errorf("got %+v, %v, want %s", got, err, text)
		}
		hands, places = was, were
	}
}
