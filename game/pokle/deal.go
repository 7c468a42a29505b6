package pokle

import (
	"errors"
	"fmt"
)

// Deal is what the players of a game know: the three holes and the places on each street. Deals are equal with == if all their
// cards are in the same order. The zero value is not a deal.
type Deal struct {
	Holes  [Players]Hole
	Places [Streets]Places
}

// NewDeal returns the deal that these holes and this board lead to. All cards must differ. Only [Deal.Fits] checks that every
// card of the board is used.
func NewDeal(holes [Players]Hole, b Board) Deal {
	d := Deal{Holes: holes}
	for s := range Street(Streets) {
		d.Places[s], _ = Showdown(d.Hands(b.Cards(s)))
	}
	return d
}

// StreetError names the street whose places are wrong. It wraps the fault.
type StreetError struct {
	Street Street
	Err    error
}

func (e *StreetError) Error() string { return fmt.Sprintf("%v: %v", e.Street, e.Err) }

// Unwrap returns the fault.
func (e *StreetError) Unwrap() error { return e.Err }

// Validate returns nil when all cards differ and all places are possible for three hands. The error is a *[TwiceError], or a
// *[StreetError] with [ErrPlaces]. It does not check whether any board fits.
func (d Deal) Validate() error {
	var seen Cards
	for _, hole := range d.Holes {
		for _, c := range hole {
			if seen.Has(c) {
				return &TwiceError{Card: c}
			}
			seen = seen.Add(c)
		}
	}
	for s, places := range d.Places {
		if err := places.Validate(); err != nil {
			return &StreetError{Street: Street(s), Err: err}
		}
	}
	return nil
}

// Hands returns each player's hand: their hole and these cards of the board. No player may hold a card of the board.
func (d Deal) Hands(board Cards) [Players]Cards {
	return [Players]Cards{board | d.Holes[0].Cards(), board | d.Holes[1].Cards(), board | d.Holes[2].Cards()}
}

// Showdown returns the places of three hands of five to seven cards, and all cards that are core in at least one of them: see
// [Cards.Evaluate]. It allocates nothing, since lists of boards are made with it, street by street.
func Showdown(hands [Players]Cards) (Places, Cards) {
	a, coreA := hands[0].Evaluate()
	b, coreB := hands[1].Evaluate()
	c, coreC := hands[2].Evaluate()
	return PlacesOf([Players]Strength{a, b, c}), coreA | coreB | coreC
}

// HeldError says that a card of a board is one that a player holds.
type HeldError struct {
	Card   Card
	Player int // 1, 2 or 3
}

func (e *HeldError) Error() string { return fmt.Sprintf("%v is held by player %d", e.Card, e.Player) }

var (
	// ErrMisfit: a board leads to other places than the deal has.
	ErrMisfit = errors.New("the board leads to other places")
	// ErrUnused: a card of a board is core of no player's hand on any street.
	ErrUnused = errors.New("a card is of no use to any player")
)

// Allows returns nil when the board's cards differ from each other and from those that players hold. Such a board may be guessed,
// whether it fits or not. Otherwise the error is a *[TwiceError] or a *[HeldError], for the first such card.
func (d Deal) Allows(b Board) error {
	var seen Cards
	for _, c := range b {
		if seen.Has(c) {
			return &TwiceError{Card: c}
		}
		seen = seen.Add(c)
		for i, hole := range d.Holes {
			if hole.Cards().Has(c) {
				return &HeldError{Card: c, Player: i + 1}
			}
		}
	}
	return nil
}

// Fits returns nil when the board could be the hidden one: it is allowed, each street gives the deal's places, and every card of
// the board is used. A card is used if it is core of at least one player's hand on at least one street.
//
// The error is that of the first condition that fails, in this order: what [Deal.Allows] returns, [ErrMisfit], [ErrUnused]. So
// ErrUnused says that all places are right.
func (d Deal) Fits(b Board) error {
	if err := d.Allows(b); err != nil {
		return err
	}
	var used Cards
	for s, want := range d.Places {
		got, core := Showdown(d.Hands(b.Cards(Street(s))))
		if got != want {
			return ErrMisfit
		}
		used |= core
	}
	if b.Cards(River)&^used != 0 {
		return ErrUnused
	}
	return nil
}
