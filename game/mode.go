package game

// Mode is who plays a match.
type Mode string

// The modes. The zero value is Together.
const (
	Together   Mode = ""          // everyone in the channel
	Solo       Mode = "solo"      // the player who started it, alone
	Daily      Mode = "daily"     // like Solo, with the puzzle of the day
	Racing     Mode = "race"      // like Solo, with the puzzle of a [Race]
	Challenged Mode = "challenge" // like Solo, with the puzzle of a challenge that each player solves alone
	Practice   Mode = "practice"  // like Solo, with the puzzle of a past day, for practice
)

// Modes are all modes that a match can have.
var Modes = []Mode{Together, Solo, Daily, Racing, Challenged, Practice}

// Current is not a mode of a match. In a [matches.Target] it means whichever match the player is playing.
const Current Mode = "current"

// Personal reports whether a match in this mode belongs to one player, the only one to see it while it is played.
func (m Mode) Personal() bool { return m != Together }

// Raced reports whether a match in this mode belongs to a [Race].
func (m Mode) Raced() bool { return m == Racing || m == Challenged }
