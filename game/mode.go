package game

// Mode is who plays a match.
type Mode string

// The modes. The zero value is Together.
const (
	Together   Mode = ""          // everyone in the channel
	Turns      Mode = "turns"     // like Together, those who have joined one after another: see [Order]
	Vote       Mode = "vote"      // like Together, each guess being the proposal that most of those who have joined want
	Solo       Mode = "solo"      // the player who started it, alone
	Daily      Mode = "daily"     // like Solo, with the puzzle of the day
	Racing     Mode = "race"      // like Solo, with the puzzle of a [Race]
	Challenged Mode = "challenge" // like Solo, with the puzzle of a challenge that each player solves alone
	Practice   Mode = "practice"  // like Solo, with the puzzle of a past day, for practice
)

// Modes are all modes that a match can have.
var Modes = []Mode{Together, Turns, Vote, Solo, Daily, Racing, Challenged, Practice}

// Current is not a mode of a match. In a [matches.Target] it means whichever match the player is playing.
const Current Mode = "current"

// Personal reports whether a match in this mode belongs to one player, the only one to see it while it is played.
func (m Mode) Personal() bool { return m != Together && !m.Paced() }

// Paced reports whether players join a match in this mode to play it together, and deadlines move it on.
func (m Mode) Paced() bool { return m == Turns || m == Vote }

// Raced reports whether a match in this mode belongs to a [Race].
func (m Mode) Raced() bool { return m == Racing || m == Challenged }
