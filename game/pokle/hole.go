package pokle

// HoleCards is the number of cards that a player holds.
const HoleCards = 2

// Hole is the two cards that a player holds, in their written order. The zero value is not a hole.
type Hole [HoleCards]Card

// ParseHole reads two different cards, each written as for [ParseCards]. The error is a *[CardError], a *[TwiceError] or a
// *[CountError].
func ParseHole(text string) (Hole, error) {
	var h Hole
	err := parseExactly(text, h[:])
	return h, err
}

// Cards returns the two cards as a set.
func (h Hole) Cards() Cards { return SetOf(h[:]...) }

// String returns the cards as players see them, such as "Q♦ Q♣".
func (h Hole) String() string { return write(h[:], Card.String) }

// Plain returns the cards in letters and digits, such as "QD QC".
func (h Hole) Plain() string { return write(h[:], Card.Plain) }

// MarshalText writes the stored form, [Hole.Plain].
func (h Hole) MarshalText() ([]byte, error) { return []byte(h.Plain()), nil }

// UnmarshalText reads what [Hole.MarshalText] writes for a valid hole.
func (h *Hole) UnmarshalText(text []byte) error { return unmarshal(h, text, ParseHole) }
