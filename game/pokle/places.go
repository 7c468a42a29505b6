package pokle

import (
	"errors"
	"fmt"
	"strings"
)

// Players is the number of players.
const Players = 3

// Places are the places of player 1, 2 and 3, in this order, each from 1, the best, to 3. Equal hands share a place, and the next
// hand has the next place, as in 1 1 2, 1 2 2 and 1 1 1. The zero value is not valid.
//
// Elsewhere, puzzles list the players, best first. If player 2 is ahead of 3, and 3 of 1, the list is "2 3 1", but Places are "3
// 1 2".
type Places [Players]uint8

// ErrPlaces means that something is not three players' places.
var ErrPlaces = errors.New("not the places of three players")

// PlacesOf returns the places of players whose hands have these strengths.
func PlacesOf(hands [Players]Strength) Places {
	// There is no branch, since those of a sort would be predicted wrong half the time. A player's place is 1 more for each
	// better hand, but only 1 more in all when the two better hands are equal.
	a, b, c := hands[0], hands[1], hands[2]
	ab, ac, bc := oneIf(a > b), oneIf(a > c), oneIf(b > c)
	ba, ca, cb := oneIf(b > a), oneIf(c > a), oneIf(c > b)
	return Places{
		1 + ba + ca - ba&ca&^(bc|cb),
		1 + ab + cb - ab&cb&^(ac|ca),
		1 + ac + bc - ac&bc&^(ab|ba),
	}
}

func oneIf(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

// String returns the places with spaces between them, such as "2 1 3".
func (p Places) String() string { return fmt.Sprintf("%d %d %d", p[0], p[1], p[2]) }

// Validate returns nil for places that three hands can have, else [ErrPlaces].
func (p Places) Validate() error {
	// Strengths made from valid places lead to these places again.
	if p != PlacesOf([Players]Strength{Strength(^p[0]), Strength(^p[1]), Strength(^p[2])}) {
		return ErrPlaces
	}
	return nil
}

// ParsePlaces reads what [Places.String] writes, the place of player 1 first. Spaces and commas do not matter: "213" and "2, 1,
// 3" are the same. The error is [ErrPlaces].
func ParsePlaces(text string) (Places, error) {
	var p Places
	digits := strings.Join(strings.FieldsFunc(text, separates), "")
	if len(digits) != Players {
		return Places{}, ErrPlaces
	}
	for i := range p {
		p[i] = digits[i] - '0'
	}
	if err := p.Validate(); err != nil {
		return Places{}, err
	}
	return p, nil
}

// MarshalText writes the form of [Places.String].
func (p Places) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what [Places.MarshalText] writes for valid places.
func (p *Places) UnmarshalText(text []byte) error { return unmarshal(p, text, ParsePlaces) }
