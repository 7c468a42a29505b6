package game

// Challenge is a player's clue for a puzzle that they have chosen for others. This player, the giver, has started the match or
// race with the puzzle, and cannot take part in it.
type Challenge struct {
	Clue   string
	Report Report `json:",omitzero"`
}

// Report is the state of a complaint about a challenge.
type Report string

// Players can report a challenge once. A player who may manage the channel then keeps it or removes it.
const (
	NotReported Report = ""
	Reported    Report = "reported"
	Kept        Report = "kept"
	Removed     Report = "removed"
)

// renamed returns the challenge without its clue if the giver's id changes.
func (c *Challenge) renamed(giver PlayerID, as func(PlayerID) PlayerID) *Challenge {
	if c == nil || as(giver) == giver {
		return c
	}
	return &Challenge{Report: c.Report}
}

// Shown reports whether the clue is to be shown at all.
func (c Challenge) Shown() bool { return c.Report != Removed }

// Hidden reports whether the clue is shown only to those who ask for it.
func (c Challenge) Hidden() bool { return c.Report == Reported }
