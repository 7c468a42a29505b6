package pokle

import "fmt"

// HandError names the player whose cards are wrong. It wraps the fault.
type HandError struct {
	Player int // 1, 2 or 3
	Err    error
}

func (e *HandError) Error() string { return fmt.Sprintf("hand %d: %v", e.Player, e.Err) }

// Unwrap returns the fault.
func (e *HandError) Unwrap() error { return e.Err }

// ParseDeal reads each player's cards as [ParseHole] does, and the places on each street as [ParsePlaces] does. The error is the
// first of a *[HandError], a *[StreetError] or the one of [Deal.Validate].
func ParseDeal(hands [Players]string, places [Streets]string) (Deal, error) {
	var d Deal
	var err error
	for i, text := range hands {
		if d.Holes[i], err = ParseHole(text); err != nil {
			return Deal{}, &HandError{i + 1, err}
		}
	}
	for s, text := range places {
		if d.Places[s], err = ParsePlaces(text); err != nil {
			return Deal{}, &StreetError{Street(s), err}
		}
	}
	return d, d.Validate()
}
