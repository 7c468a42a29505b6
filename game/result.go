package game

import (
	"slices"
	"time"
)

// Result is what a finished match leaves in the log.
type Result struct {
	Number       uint64 // its place in the log, given by the store: see [Statistics.Results]
	Match        MatchID
	Location     Location
	Kind         Kind
	Mode         Mode
	Puzzle       PuzzleID
	Status       Status // Won, Lost or Stopped
	Answer       string // as in [State]
	Hard         bool
	Attempts     int // accepted guesses, of all players
	Started      time.Time
	Ended        time.Time
	Winner       PlayerID // the player who found the answer, or ""
	Participants []Participant
	Shared       ChannelID // as in [Match]
}

// Participant is a player who guessed or took a hint in a match, or whose own match it was.
type Participant struct {
	Player  PlayerID
	Guesses int // accepted ones
	Hints   int
	// Credit is the player's share of the match, in thousandths. Apart from rounding, those
	// of all participants add up to 1000.
	Credit int
}

// stopLoses is the number of guesses after which stopping a match played together loses it.
const stopLoses = 3

// CountsAs returns what the match counts as in statistics: Won, Lost, or "" for neither.
// Stopping a match loses a daily puzzle, a solo match with a guess, and a match played
// together with three guesses.
func (r Result) CountsAs() Status {
	switch {
	case r.Status != Stopped:
		return r.Status
	case r.Mode == Daily || r.Mode.Personal() && r.Attempts > 0 || r.Attempts >= stopLoses:
		return Lost
	}
	return ""
}

// Helped reports whether it is a win in which a player took a hint.
func (r Result) Helped() bool {
	return r.Status == Won && slices.ContainsFunc(r.Participants, func(p Participant) bool { return p.Hints > 0 })
}

// Result returns the log entry of an ended match, not yet numbered. The participants who
// guessed come first, in the order of their first guesses, then those who only took hints.
func (m Match) Result() Result {
	r := Result{
		Match:    m.ID,
		Location: m.Location,
		Kind:     m.Kind,
		Mode:     m.Mode,
		Puzzle:   m.Puzzle,
		Status:   m.Status(),
		Answer:   m.State.Answer(),
		Hard:     m.State.Hard(),
		Attempts: m.Used(),
		Started:  m.Started,
		Ended:    m.Ended(),
		Winner:   m.Winner(),
		Shared:   m.Shared,
	}
	index := map[PlayerID]int{}
	participant := func(p PlayerID) *Participant {
		i, ok := index[p]
		if !ok {
			i = len(r.Participants)
			index[p] = i
			r.Participants = append(r.Participants, Participant{Player: p})
		}
		return &r.Participants[i]
	}
	for _, move := range m.Moves {
		participant(move.Player).Guesses++
	}
	for _, h := range m.Hints {
		participant(h.Player).Hints++
	}
	if m.Mode.Personal() { // giving up a daily puzzle without a guess loses it
		participant(m.Starter).Credit = wholeCredit
	} else {
		shareCredit(r.Participants, m.Moves, m.Cuts)
	}
	return r
}
