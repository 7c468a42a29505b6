package pokle

import (
	"math/bits"
	"strings"
)

// Cards is a set of cards: bit i is [Card] i, so each rank is four neighbouring bits, the twos the lowest. The zero value is the
// empty set. The union of two sets is |, their intersection &.
//
// A hand grows as a set: on the turn it is the hand of the flop with one more bit.
type Cards uint64

const (
	// oneSuit has the lowest bit of each rank: all clubs. Shifted by a suit it is all cards of that suit. It also serves as the
	// set of all ranks where the suits do not matter.
	oneSuit Cards = 0x1111111111111
	// oneRank has the four bits of the lowest rank. A set of ranks times oneRank is all the cards of these ranks.
	oneRank Cards = 0xF
)

// SetOf returns the set of these cards.
func SetOf(cards ...Card) Cards {
	var set Cards
	for _, c := range cards {
		set |= c.bit()
	}
	return set
}

// bit returns the set of this card alone. The mask spares the shift a check.
func (c Card) bit() Cards { return 1 << (c & 63) }

// alike returns the cards that share rank or suit with c, itself among them.
func (c Card) alike() Cards {
	return oneRank<<(c&^3&63) | oneSuit<<(c&3)
}

// Add returns the set with this card too.
func (c Cards) Add(card Card) Cards { return c | card.bit() }

// Has reports whether the card is in the set.
func (c Cards) Has(card Card) bool { return c&card.bit() != 0 }

// Len returns the number of cards in the set.
func (c Cards) Len() int { return bits.OnesCount64(uint64(c)) }

// List returns the cards by rank, then ♣ ♦ ♥ ♠. The caller owns the slice.
func (c Cards) List() []Card {
	list := make([]Card, 0, c.Len())
	for ; c != 0; c &= c - 1 {
		list = append(list, Card(bits.TrailingZeros64(uint64(c))))
	}
	return list
}

// String returns the cards by rank, then ♣ ♦ ♥ ♠, with spaces between them.
func (c Cards) String() string { return write(c.List(), Card.String) }

// write returns the cards in this form, with spaces between them.
func write(cards []Card, form func(Card) string) string {
	var b strings.Builder
	for i, c := range cards {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(form(c))
	}
	return b.String()
}
