package pokle

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParseCards(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		" , ":              "",
		"10H":              "10H",
		"TH":               "10H",
		"th":               "10H",
		"10♥":              "10H",
		"10♥\uFE0F":        "10H",
		"10♥\uFE0E":        "10H",
		"t♡":               "10H",
		"QD QC":            "QD QC",
		"QDQC":             "QD QC",
		"qd,qc":            "QD QC",
		" Qd\t,\n qC, ":    "QD QC",
		"A♠\uFE0FA♣\uFE0F": "AS AC",
		"2c3♧4d5♢6♦7h8s9♤": "2C 3C 4D 5D 6D 7H 8S 9S",
		"jdkh\u00A0ac":     "JD KH AC",
		"10c10d":           "10C 10D",
		`2\♣ 10\♥`:         "2C 10H",
	} {
		if got, err := ParseCards(text); err != nil || write(got, Card.Plain) != want {
			t.Errorf("ParseCards(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseCardsErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		number int
		want   error
	}{
		{"1H", 1, ErrRank},
		{"QD 0H", 2, ErrRank},
		{"11H", 1, ErrRank},
		{"HQ", 1, ErrRank},
		{"\u212AH", 1, ErrRank}, // the Kelvin sign
		{"\xff", 1, ErrRank},
		{"\uFFFDH", 1, ErrRank},
		{"QD;QC", 2, ErrRank},
		{"Q", 1, ErrSuit},
		{"10", 1, ErrSuit},
		{"QD Q", 2, ErrSuit},
		{"QX", 1, ErrSuit},
		{"Q D", 1, ErrSuit},
		{"QC 10\xff", 2, ErrSuit},
		{"2C3C4C5", 4, ErrSuit},
	} {
		cards, err := ParseCards(c.text)
		var fault *CardError
		if cards != nil || !errors.As(err, &fault) || fault.Number != c.number || !errors.Is(err, c.want) {
			t.Errorf("ParseCards(%q) = %v, %v, want card %d: %v", c.text, cards, err, c.number, c.want)
		}
	}
	cards, err := ParseCards("QD 10h Qd")
	var twice *TwiceError
	if cards != nil || !errors.As(err, &twice) || twice.Card != NewCard(Queen, Diamonds) {
		t.Errorf("got %v, %v, want Q♦ twice", cards, err)
	}
	// A text without end is left at its first fault.
	if _, err := ParseCards(strings.Repeat("2C", 1<<20)); !errors.As(err, &twice) || twice.Card != NewCard(Two, Clubs) {
		t.Errorf("got %v, want 2♣ twice", err)
	}
}

func TestParseEveryCard(t *testing.T) {
	for card := range Card(Deck) {
		for _, text := range []string{card.String(), card.Plain(), strings.ToLower(card.Plain()),
			strings.Replace(card.Plain(), "10", "t", 1), " " + card.String() + "\uFE0F "} {
			if got, err := ParseCards(text); err != nil || !slices.Equal(got, []Card{card}) {
				t.Errorf("ParseCards(%q) = %v, %v, want %v", text, got, err, card)
			}
		}
		if NewCard(card.Rank(), card.Suit()) != card {
			t.Errorf("%v is not the card of its rank and suit", card)
		}
	}
}

func TestCardOrder(t *testing.T) {
	cards := mustCards(t, "AS 2D 2C 10H 10C KS 9S")
	slices.Sort(cards)
	if got := write(cards, Card.Plain); got != "2C 2D 9S 10C 10H KS AS" {
		t.Errorf("sorted: %s", got)
	}
}

func TestCards(t *testing.T) {
	set := SetOf(mustCards(t, "AS 2C 10H")...)
	more := set.Add(NewCard(Two, Diamonds)).Add(NewCard(Two, Clubs))
	if got := more.String(); got != "2♣ 2♦ 10♥ A♠" {
		t.Errorf("the set is %s", got)
	}
	if set.Len() != 3 || more.Len() != 4 || set.Has(NewCard(Two, Diamonds)) || !more.Has(NewCard(Two, Diamonds)) {
		t.Errorf("%v and %v: wrong number or member", set, more)
	}
	if Cards(0).String() != "" || len(Cards(0).List()) != 0 {
		t.Error("the empty set has cards")
	}
}

// cardText is one card as ParseCards takes it, and cardsText any number of them.
const (
	cardText = `(?:10|[2-9TtJjQqKkAa])[CcDdHhSs♣♦♥♠♧♢♡♤][\x{FE0E}\x{FE0F}]?`
	gapText  = `[\t\n\v\f\r\x{85}\p{Z},]*`
)

var (
	oneCard   = regexp.MustCompile(cardText)
	onlyCards = regexp.MustCompile(`\A` + gapText + `(?:` + cardText + gapText + `)*\z`)
)

// FuzzParseCards: what is read is what a regular expression finds, each card once,
// and what is written is read as the same.
func FuzzParseCards(f *testing.F) {
	for _, seed := range []string{"10H", "th", "10♥\uFE0F", "QDQC", "QD, QC", "QD QD", "1H", "QX", "", "\xff", "\u212AH", "a♤2♡\u20033c"} {
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
