package game

import (
	"fivefold/game/marks"
	"slices"
	"time"
)

// Known returns the participants who are not anonymous.
func (r Result) Known() []Participant {
	return slices.DeleteFunc(slices.Clone(r.Participants), func(p Participant) bool { return p.Player == "" })
}

// Anonymous reports whether every participant is anonymous.
func (r Result) Anonymous() bool { return len(r.Known()) == 0 }

// Result is the log entry of a finished match. Its fields are stored under their names.
type Result struct {
	LogPosition  uint64 `json:"-"` // place in the log, set by the store: see [finished.Store.Results]
	Match        MatchID
	Location     Location
	Kind         Kind
	Mode         Mode           `json:",omitzero"`
	Puzzle       PuzzleID       `json:",omitzero"`
	Status       Status         // Won, Lost or Stopped
	Answer       string         // as in [State]; "" for a challenge that was removed
	Hard         marks.Hardness `json:",omitzero"`
	Attempts     int            // accepted guesses, of all players
	Limit        int            // guesses that the match had
	Started      time.Time
	Ended        time.Time
	Winner       PlayerID      `json:",omitzero"` // the player who found the answer, or ""
	Participants []Participant `json:",omitzero"`
	Shared       ChannelID     `json:",omitzero"` // as in [Match]
	Guilds       []GuildID     `json:",omitzero"` // as in [Match]
	Outside      []GuildID     `json:",omitzero"` // as in [Match]
	Names        Names         `json:",omitzero"` // of the participants, as in [Match]
}

// Renamed is [Match.Renamed] for a result.
func (r Result) Renamed(as func(PlayerID) PlayerID) Result {
	r.Winner, r.Names = as(r.Winner), r.Names.Of(func(p PlayerID) bool { return as(p) == p })
	r.Participants = slices.Clone(r.Participants)
	for i := range r.Participants {
		r.Participants[i].Player = as(r.Participants[i].Player)
	}
	return r
}

// Without returns the result with a player made anonymous.
func (r Result) Without(p PlayerID) Result { return r.Renamed(anonymous(p)) }

// Participant is a player who guessed or took a hint in a match, or whose own match it was.
type Participant struct {
	Player  PlayerID
	Guesses int `json:",omitzero"` // accepted ones
	Hints   int `json:",omitzero"`
	// Outcome is what the match counts as for the player: Won, Lost, or "" for neither. A match that was won counts as won for
	// all who guessed. Any other match counts as lost, but only for a player who made every guess, and not if another player
	// stopped it. Without a guess of the player, only a daily puzzle counts: as lost.
	Outcome Status `json:",omitzero"`
}

// Helped reports whether the match was won with a hint.
func (r Result) Helped() bool {
	return r.Status == Won && slices.ContainsFunc(r.Participants, func(p Participant) bool { return p.Hints > 0 })
}

// CountsAsLost reports whether the match counts as lost for a player. A match that was stopped may.
func (r Result) CountsAsLost() bool {
	return slices.ContainsFunc(r.Participants, func(p Participant) bool { return p.Outcome == Lost })
}

// Result returns the log entry of an ended match, without a LogPosition. The participants who guessed come first, in the order of
// their first guesses, then those who only took hints.
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
		Limit:    m.Limit(),
		Started:  m.Started,
		Ended:    m.Ended(),
		Winner:   m.Winner(),
		Shared:   m.Shared,
		Guilds:   m.Guilds,
		Outside:  m.Outside,
	}
	if m.Challenge != nil && !m.Challenge.Shown() {
		r.Answer = ""
	}
	participant := func(p PlayerID) *Participant {
		i := slices.IndexFunc(r.Participants, func(one Participant) bool { return one.Player == p })
		if i < 0 {
			i, r.Participants = len(r.Participants), append(r.Participants, Participant{Player: p})
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
		participant(m.Starter)
	}
	for i, p := range r.Participants {
		r.Participants[i].Outcome = m.outcome(p)
		r.Names = r.Names.With(p.Player, m.Names[p.Player])
	}
	return r
}

// outcome is the [Participant.Outcome] of a player.
func (m Match) outcome(p Participant) Status {
	switch {
	case p.Guesses == 0 && m.Mode != Daily:
		return ""
	case m.Status() == Won:
		return Won
	case p.Guesses < m.Used(), m.Stop != nil && !m.Stop.Idle && m.Stop.Player != p.Player:
		return ""
	}
	return Lost
}

// Month returns the month of a daily puzzle, such as "2026-11"; "" for the result of another match.
func (r Result) Month() string {
	if r.Mode != Daily {
		return ""
	}
	_, month := r.Puzzle.Day()
	return month
}

// CountsIn returns the guilds in which the result counts. Such a guild lists a daily puzzle among the results of its day.
func (r Result) CountsIn() []GuildID {
	if r.Location.Guild == "" {
		return r.Guilds
	}
	return append([]GuildID{r.Location.Guild}, r.Guilds...)
}

// Tables returns the guilds in whose tables the result counts by itself. In other guilds' tables it may count as a part of its
// month.
func (r Result) Tables() []GuildID {
	return slices.DeleteFunc(slices.Clone(r.CountsIn()), func(g GuildID) bool { return slices.Contains(r.Outside, g) })
}

// Public reports whether other players may see the match: it was played together, or its player has shared it.
func (r Result) Public() bool { return !r.Mode.Personal() || r.Shared != "" }

// Channel returns the channel of a public match: all who may read it may see the match.
func (r Result) Channel() ChannelID {
	if r.Shared != "" {
		return r.Shared
	}
	return r.Location.Channel
}

// Finished is a finished match and its place in the log.
type Finished struct {
	LogPosition uint64
	Match       Match
	Number      uint64 // in the history of its community, as in [finished.Entry]; 0 from a store
}
