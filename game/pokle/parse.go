package pokle

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Faults that a [CardError] wraps.
var (
	ErrRank = errors.New("not a rank: 2 to 10, J, Q, K, A")
	ErrSuit = errors.New("not a suit: C, D, H, S")
)

// CardError means that a text has something else where a card should be. It wraps [ErrRank] or [ErrSuit] and does not contain the
// text.
type CardError struct {
	Number int // which card it would be, from 1
	Err    error
}

func (e *CardError) Error() string { return fmt.Sprintf("card %d: %v", e.Number, e.Err) }

// Unwrap returns the fault.
func (e *CardError) Unwrap() error { return e.Err }

// TwiceError means that a card occurs twice although all cards must differ.
type TwiceError struct{ Card Card }

func (e *TwiceError) Error() string { return fmt.Sprintf("%v twice", e.Card) }

// CountError means that there are more or fewer cards than needed.
type CountError struct{ Got, Want int }

func (e *CountError) Error() string { return fmt.Sprintf("%d cards, not %d", e.Got, e.Want) }

// ParseCards reads any number of cards, all different. A card is a rank, with T for 10 too, and a suit as a letter or as a sign:
// "10H", "th", "10♥". Case does not matter. Spaces and commas may separate cards: "QD QC", "QDQC" and "QD,QC" are the same. The
// error is a *[CardError] or a *[TwiceError]. The caller owns the slice.
func ParseCards(text string) ([]Card, error) {
	var cards []Card
	var seen Cards
	for {
		text = strings.TrimLeftFunc(text, separates)
		if text == "" {
			return cards, nil
		}
		c, rest, err := cutCard(text)
		if err != nil {
			return nil, &CardError{Number: len(cards) + 1, Err: err}
		}
		if seen.Has(c) {
			return nil, &TwiceError{Card: c}
		}
		seen = seen.Add(c)
		cards = append(cards, c)
		text = rest
	}
}

// These follow a character that is to be drawn as an emoji, or not as one. Copied suits and squares contain them.
const (
	variation     = '\uFE0F'
	textVariation = '\uFE0E'
)

func separates(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// parseExactly reads exactly as many cards as into has.
func parseExactly(text string, into []Card) error {
	cards, err := ParseCards(text)
	if err == nil && len(cards) != len(into) {
		err = &CountError{Got: len(cards), Want: len(into)}
	}
	if err == nil {
		copy(into, cards)
	}
	return err
}

// unmarshal parses a text into a value.
func unmarshal[T any](to *T, text []byte, parse func(string) (T, error)) error {
	value, err := parse(string(text))
	if err == nil {
		*to = value
	}
	return err
}

// The characters that players type for ranks and suits, in lower case: a string for each, by Rank and Suit. A suit has its letter
// and both signs, filled and outlined.
var (
	typedRanks = [...]string{"2", "3", "4", "5", "6", "7", "8", "9", "t", "j", "q", "k", "a"}
	typedSuits = [...]string{"c♣♧", "d♦♢", "h♥♡", "s♠♤"}
)

// cutCard reads the card with which the text begins and returns what follows it. The error is [ErrRank] or [ErrSuit].
func cutCard(text string) (Card, string, error) {
	rest, ten := strings.CutPrefix(text, "10")
	rank := int(Ten)
	if !ten {
		rank, rest = cutSign(text, typedRanks[:])
	}
	if rank < 0 {
		return 0, "", ErrRank
	}
	rest = strings.TrimPrefix(rest, `\`) // Discord's Markdown needs it before a suit, and a phone copies it
	suit, rest := cutSign(rest, typedSuits[:])
	if suit < 0 {
		return 0, "", ErrSuit
	}
	if next, size := utf8.DecodeRuneInString(rest); next == variation || next == textVariation {
		rest = rest[size:]
	}
	return NewCard(Rank(rank), Suit(suit)), rest, nil
}

// cutSign returns the index of the list that has the text's first character, in either case, and the text after that character.
// The index is -1 if no list has it.
func cutSign(text string, lists []string) (int, string) {
	r, size := utf8.DecodeRuneInString(text)
	for i, list := range lists {
		if strings.ContainsRune(list, lower(r)) {
			return i, text[size:]
		}
	}
	return -1, text
}

// lower is for ASCII only: unicode.ToLower would take the Kelvin sign for a K.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
