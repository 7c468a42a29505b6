package pokle

// Street is a moment for which places are known: after the flop, the turn or the river.
type Street uint8

// The streets, in the order of play.
const (
	Flop Street = iota
	Turn
	River
)

// Streets is the number of streets.
const Streets = 3

// String returns "flop", "turn" or "river".
func (s Street) String() string { return [...]string{"flop", "turn", "river"}[s] }

// Cards returns how many cards lie on the board: 3, 4 or 5.
func (s Street) Cards() int { return 3 + int(s) }
