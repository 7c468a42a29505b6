package pokle

import "slices"

// BoardCards is the number of cards on a board.
const BoardCards = 5

// Board is the five cards on the table: three of the flop, the turn, the river. The flop keeps its written order, as its marks
// do, but that order has no meaning: see [Board.Canonical]. The zero value is not a board.
type Board [BoardCards]Card

// ParseBoard reads five different cards: the flop in any order, the turn and the river, each written as for [ParseCards]. The
// error is a *[CardError], a *[TwiceError] or a *[CountError].
func ParseBoard(text string) (Board, error) {
	var b Board
	err := parseExactly(text, b[:])
	return b, err
}

// Cards returns the set of cards that are on the table on this street.
func (b Board) Cards(s Street) Cards { return SetOf(b[:s.Cards()]...) }

// Canonical returns the board with its flop sorted by rank, then ♣ ♦ ♥ ♠. Boards mean the same exactly when their canonical forms
// are equal with ==.
func (b Board) Canonical() Board {
	slices.Sort(b[:Flop.Cards()])
	return b
}

// Compare orders boards by their canonical forms, card by card: negative when b comes before c, 0 when they mean the same.
func (b Board) Compare(c Board) int {
	b, c = b.Canonical(), c.Canonical()
	return slices.Compare(b[:], c[:])
}

// String returns the cards as players see them, in their written order, such as "2♣ 3♦ 10♥ 4♠ K♠".
func (b Board) String() string { return write(b[:], Card.String) }

// Plain returns the cards in letters and digits, such as "2C 3D 10H 4S KS".
func (b Board) Plain() string { return write(b[:], Card.Plain) }

// MarshalText writes the stored form, [Board.Plain].
func (b Board) MarshalText() ([]byte, error) { return []byte(b.Plain()), nil }

// UnmarshalText reads what [Board.MarshalText] writes for a valid board.
func (b *Board) UnmarshalText(text []byte) error { return unmarshal(b, text, ParseBoard) }
