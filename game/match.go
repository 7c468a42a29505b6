package game

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"fivefold/game/marks"
)

// Status says whether a match is still being played or how it ended.
type Status = marks.Status

// A match is played until it is won, lost or stopped.
const (
	Playing        = marks.Playing
	Won            = marks.Won
	Lost           = marks.Lost
	Stopped Status = "stopped"
)

// Match is one game in a slot. It is a value: a Match never changes after it was returned. It prints without what is hidden.
type Match struct {
	ID        MatchID
	Location  Location
	Version   uint64 // counts the commits: 1 when the match has just been started
	Starter   PlayerID
	Started   time.Time
	Kind      Kind
	Mode      Mode     `json:",omitzero"`
	Puzzle    PuzzleID `json:",omitzero"` // set if other matches may have the same puzzle
	State     State
	Moves     []Move     // one for each guess of State, in the same order
	Hints     []Hint     // oldest first
	Calls     []Call     `json:",omitzero"` // in turns and by vote, oldest first: see [Match.Order]
	HintLimit HintLimit  `json:",omitzero"`
	Challenge *Challenge `json:",omitzero"` // set if its starter has given the puzzle
	Stop      *Stop      `json:",omitzero"` // set if the match was stopped before its end
	Shared    ChannelID  `json:",omitzero"` // where the player of a finished match played alone has shown it; empty until then
	// Guilds are the guilds where a daily puzzle counts because its player has shared it there. The guild where it began is not
	// among them.
	Guilds []GuildID `json:",omitzero"`
	// Outside are guilds in whose tables the daily puzzle does not count by itself. Its player had deleted their data in that
	// month, the month counted in [statistics.MostGuilds] other guilds, or it was closed.
	Outside []GuildID `json:",omitzero"`
	// Names are of players whom [Match.Named] returns: see [Match.Calling].
	Names Names `json:",omitzero"`
}

// Move records the player and time of a guess; the guess itself is in the [State].
type Move struct {
	Player  PlayerID
	At      time.Time
	Version uint64 // of the match, after the move
}

// Stop records the player who stopped a match, and when.
type Stop struct {
	Player  PlayerID
	At      time.Time
	Version uint64
	Idle    bool `json:",omitzero"` // the match ended by itself: see [matches.Manager.EndIdle]
}

// Used returns the number of guesses so far.
func (m Match) Used() int { return m.State.Used() }

// Limit returns the number of guesses that the match has.
func (m Match) Limit() int { return m.Used() + m.State.AttemptsLeft() }

// Status returns whether the match is still being played or how it ended.
func (m Match) Status() Status {
	if m.Stop != nil {
		return Stopped
	}
	return m.State.Status()
}

// Changed returns the time of the latest guess, hint or call or, before the first one, of the start.
func (m Match) Changed() time.Time {
	at := m.Started
	if n := len(m.Moves); n > 0 {
		at = m.Moves[n-1].At
	}
	if n := len(m.Hints); n > 0 && m.Hints[n-1].At.After(at) {
		at = m.Hints[n-1].At
	}
	if n := len(m.Calls); n > 0 && m.Calls[n-1].At.After(at) {
		at = m.Calls[n-1].At
	}
	return at
}

// ChangedAt returns when a version of the match was made.
func (m Match) ChangedAt(version uint64) time.Time {
	if m.Stop != nil && m.Stop.Version <= version {
		return m.Stop.At
	}
	return m.Rewind(version).Changed()
}

// Idle returns, for a match that was ended as idle, how long nothing had changed in it. For any other match it returns 0.
func (m Match) Idle() time.Duration {
	if m.Stop == nil || !m.Stop.Idle {
		return 0
	}
	return max(0, m.Stop.At.Sub(m.Changed())) // not below 0, though the two clocks may differ
}

// Ended returns when the match ended, or the zero time while it is played.
func (m Match) Ended() time.Time {
	switch m.Status() {
	case Playing:
		return time.Time{}
	case Stopped:
		return m.Stop.At
	}
	return m.Moves[len(m.Moves)-1].At
}

// AsOf returns the match as it is at a time. A daily puzzle left open is lost from the moment it closes, even before that is
// stored.
func (m Match) AsOf(at time.Time) Match {
	number, daily := m.Puzzle.Daily()
	if closes := DailyCloses(number); daily && m.Mode == Daily && m.Status() == Playing && !at.Before(closes) {
		m.Stop = &Stop{At: closes, Version: m.Version + 1, Idle: true}
	}
	return m
}

// Winner returns the player who found the answer, or "".
func (m Match) Winner() PlayerID {
	if m.Status() != Won {
		return ""
	}
	return m.Moves[len(m.Moves)-1].Player
}

// OtherGuessers returns the players other than this one who have guessed, in the order of their first guesses.
func (m Match) OtherGuessers(than PlayerID) []PlayerID {
	return distinct(Each(m.Moves, func(v Move) PlayerID { return v.Player }), than)
}

// Named returns every player who started the match, guessed, took a hint, made a call or stopped it, in this order and each once.
func (m Match) Named() []PlayerID {
	names := append([]PlayerID{m.Starter}, Each(m.Moves, func(v Move) PlayerID { return v.Player })...)
	names = append(names, Each(m.Hints, func(h Hint) PlayerID { return h.Player })...)
	names = append(names, Each(m.Calls, func(c Call) PlayerID { return c.Player })...)
	if m.Stop != nil {
		names = append(names, m.Stop.Player)
	}
	return distinct(names, "")
}

// Calling returns the match with the display name of the player who asks for a change. It is the global name for a daily puzzle,
// which may count in other servers, and if the player asks from elsewhere. A player whom the match does not name gets no display
// name in it, since deleting that player's data would not find the match.
func (m Match) Calling(o Origin) Match {
	name := o.Name
	if m.Mode == Daily || m.Location.Community() != o.Location.Community() {
		name = o.Global
	}
	if m.Names[o.Player] != name && slices.Contains(m.Named(), o.Player) {
		m.Names = m.Names.With(o.Player, name)
	}
	return m
}

// distinct returns each name once, in the order of its first place. It leaves out the name without.
func distinct(names []PlayerID, without PlayerID) (all []PlayerID) {
	for _, name := range names {
		if name != without && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Without returns the match with a player made anonymous: the empty id replaces theirs.
func (m Match) Without(p PlayerID) Match { return m.Renamed(anonymous(p)) }

// anonymous returns a function that replaces a player's id by the empty one.
func anonymous(p PlayerID) func(PlayerID) PlayerID {
	return func(other PlayerID) PlayerID {
		if other == p {
			return ""
		}
		return other
	}
}

// Renamed returns the match with as of every id of a player. With an id that changes, the display name goes, and the clue of the
// player's challenge.
func (m Match) Renamed(as func(PlayerID) PlayerID) Match {
	rename := func(p *PlayerID) { *p = as(*p) }
	m.Challenge = m.Challenge.renamed(m.Starter, as)
	rename(&m.Starter)
	m.Names = m.Names.Of(func(p PlayerID) bool { return as(p) == p })
	m.Moves = slices.Clone(m.Moves)
	for i := range m.Moves {
		rename(&m.Moves[i].Player)
	}
	m.Hints = slices.Clone(m.Hints)
	for i := range m.Hints {
		rename(&m.Hints[i].Player)
	}
	m.Calls = slices.Clone(m.Calls)
	for i := range m.Calls {
		rename(&m.Calls[i].Player)
	}
	if m.Stop != nil {
		stop := *m.Stop
		rename(&stop.Player)
		m.Stop = &stop
	}
	return m
}

// Rewind returns the match as it was at an earlier version.
func (m Match) Rewind(version uint64) Match {
	if version >= m.Version {
		return m
	}
	m.Version = version
	m.Moves = until(m.Moves, func(v Move) bool { return v.Version > version })
	m.Hints = until(m.Hints, func(h Hint) bool { return h.Version > version })
	m.Calls = until(m.Calls, func(c Call) bool { return c.Version > version })
	m.State = m.State.Rewind(len(m.Moves))
	if m.Stop != nil && m.Stop.Version > version {
		m.Stop = nil
	}
	return m
}

// until returns a copy of the items before the first that is too late; nil if there are none.
func until[T any](items []T, tooLate func(T) bool) []T {
	if n := slices.IndexFunc(items, tooLate); n >= 0 {
		items = items[:n]
	}
	return append([]T(nil), items...)
}

// Each calls f for each item and returns the results in order.
func Each[T, U any](items []T, f func(T) U) []U {
	all := make([]U, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
}

// SharedIn reports whether a daily puzzle was shared by its player in the community of a location.
func (m Match) SharedIn(l Location) bool {
	if m.Location.Community() == l.Community() {
		return m.Shared != ""
	}
	return slices.Contains(m.Guilds, l.Guild)
}

// String describes the match without its answer. The other methods that print a match return the same, so that no log shows the
// answer. Package record writes the stored form.
func (m Match) String() string {
	return fmt.Sprintf("%s match %s, version %d, %v", m.Kind, m.ID, m.Version, m.State)
}

// GoString is String.
func (m Match) GoString() string { return "game.Match(" + m.String() + ")" }

// LogValue is String for log records.
func (m Match) LogValue() slog.Value { return slog.StringValue(m.String()) }

// MarshalText is String, for a log in JSON.
func (m Match) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Unfinished is a match that is being played, as a store lists it.
type Unfinished struct {
	Match   MatchID
	Slot    Slot
	Version uint64
	Began   time.Time // lists are ordered by it, then by Match
	Changed time.Time // when Version was made
	Guild   GuildID
}

// Unfinished describes a match that is being played.
func (m Match) Unfinished() Unfinished {
	return Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.Changed(), Guild: m.Location.Guild}
}
