package game

// Challenge is what a player says about a puzzle that they have chosen for others, in a match played together or a race that they
// have started. The giver cannot take part in it.
type Challenge struct {
	Clue   string
	Report Report `json:",omitzero"`
}

// Report is what became of a player's complaint about a challenge.
type Report string

// A challenge is reported once. Then a player who may manage the channel keeps it, or stops it by removing it.
const (
	NotReported Report = ""
	Reported    Report = "reported"
	Kept        Report = "kept"
	Removed     Report = "removed"
)

// Shown reports whether the clue is to be shown at all.
func (c Challenge) Shown() bool { return c.Report != Removed }

// Hidden reports whether the clue is shown only to those who ask for it.
func (c Challenge) Hidden() bool { return c.Report == Reported }
