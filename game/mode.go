package game

import "slices"

// Mode is who plays a match.
type Mode string

// The modes. The zero value is Together.
const (
	Together Mode = ""        // everyone in the channel
	Solo     Mode = "solo"    // the player who started it, alone
	Daily    Mode = "daily"   // the same, with the puzzle of the day
	Racing   Mode = "race"    // the same, with the puzzle of a [Race]
	Archive  Mode = "archive" // the same, with the puzzle of a past day, for practice
)

// Modes are the modes in which a player can start a match.
var Modes = []Mode{Together, Solo, Daily}

// Current is not a mode of a match. In a [Target] it means whichever match the player is
// playing.
const Current Mode = "current"

// Personal reports whether a match in this mode belongs to one player, the only one to see
// it while it is played.
func (m Mode) Personal() bool { return m != Together }

// Known reports whether a match can have the mode.
func (m Mode) Known() bool { return m == Racing || m == Archive || slices.Contains(Modes, m) }
