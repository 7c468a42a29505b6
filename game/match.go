package game

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"fivefold/game/marks"
)

// Without returns the match with a player made anonymous: the empty name replaces theirs.
func (m Match) Without(p PlayerID) Match {
	rename := func(name *PlayerID) {
		if *name == p {
			*name = ""
		}
	}
	if m.Challenge != nil && m.Starter == p { // the clue is the player's
		m.Challenge = &Challenge{Report: m.Challenge.Report}
	}
	rename(&m.Starter)
	m.Moves = slices.Clone(m.Moves)
	for i := range m.Moves {
		rename(&m.Moves[i].Player)
	}
	m.Hints = slices.Clone(m.Hints)
	for i := range m.Hints {
		rename(&m.Hints[i].Player)
	}
	if m.Stop != nil {
		stop := *m.Stop
		rename(&stop.Player)
		m.Stop = &stop
	}
	return m
}

// Unfinished is a match that is being played, as a store lists it.
type Unfinished struct {
	Match   MatchID
	Slot    Slot
	Version uint64
	Began   time.Time // lists are ordered by it, then by Match
	Changed time.Time // when the latest change was made, the one that led to Version
}

// Unfinished describes a match that is being played.
func (m Match) Unfinished() Unfinished {
	return Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.Changed()}
}

// Changed returns when the latest guess was made or hint taken or, before the first one,
// when the match was started.
func (m Match) Changed() time.Time {
	at := m.Started
	if n := len(m.Moves); n > 0 {
		at = m.Moves[n-1].At
	}
	if n := len(m.Hints); n > 0 && m.Hints[n-1].At.After(at) {
		at = m.Hints[n-1].At
	}
	return at
}

// ChangedAt returns when the match got a version: [Match.Changed] of the match as it was then, or when it was stopped.
func (m Match) ChangedAt(version uint64) time.Time {
	if m.Stop != nil && m.Stop.Version <= version {
		return m.Stop.At
	}
	return m.Rewind(version).Changed()
}

// Idle returns how long nothing had changed in a match that was ended for that; 0 for any
// other match.
func (m Match) Idle() time.Duration {
	if m.Stop == nil || !m.Stop.Idle {
		return 0
	}
	return max(0, m.Stop.At.Sub(m.Changed())) // which may go by different clocks
}

// Status says whether a match is still being played or how it ended.
type Status = marks.Status

// A match is played until it is won, lost or stopped.
const (
	Playing        = marks.Playing
	Won            = marks.Won
	Lost           = marks.Lost
	Stopped Status = "stopped"
)

// Match is one game in a slot. It is a value: a Match never changes after it was
// returned. It prints without what is hidden.
type Match struct {
	ID       MatchID
	Location Location
	// Version counts the commits: 1 when the match has just been started.
	Version uint64
	Starter PlayerID
	Started time.Time
	Kind    Kind
	Mode    Mode     `json:",omitzero"`
	Puzzle  PuzzleID `json:",omitzero"` // set if other matches may have the same puzzle
	State   State
	Moves   []Move // the player of each guess, in the same order
	Hints   []Hint // oldest first
	// HintLimit is how many hints its players may take.
	HintLimit HintLimit `json:",omitzero"`
	// Challenge is set if its starter has given the puzzle.
	Challenge *Challenge `json:",omitzero"`
	// Stop is set when the match was stopped before its end.
	Stop *Stop `json:",omitzero"`
	// Shared is the channel in which the player of a finished match played alone has shown
	// it to the others; empty until then.
	Shared ChannelID `json:",omitzero"`
	// Guilds are those in which a daily puzzle counts because its player has shared it there, other
	// than the one where it was begun.
	Guilds []GuildID `json:",omitzero"`
	// Outside are those in whose tables it does not count by itself: its player had cleared their history in that month, or
	// the month counted in [statistics.MostGuilds] others, or was closed.
	Outside []GuildID `json:",omitzero"`
}

// Move records the player and time of a guess; the guess itself is in the [State].
type Move struct {
	Player  PlayerID
	Name    string `json:",omitzero"` // what the player was called, for pictures; empty if not known, and stored only while the match is played
	At      time.Time
	Version uint64 // of the match, after the move
}

// Stop records the player who stopped a match, and when.
type Stop struct {
	Player  PlayerID
	At      time.Time
	Version uint64
	Idle    bool `json:",omitzero"` // no player stopped it, but nothing had changed in it for long: see [matches.Manager.EndIdle]
}

// Used returns the number of guesses so far.
func (m Match) Used() int { return m.State.Used() }

// Status returns whether the match is still being played or how it ended.
func (m Match) Status() Status {
	if m.Stop != nil {
		return Stopped
	}
	return m.State.Status()
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

// AsOf returns the match as it is at a time. A daily puzzle that is still open when it closes is lost from that moment on,
// also before that is stored.
func (m Match) AsOf(at time.Time) Match {
	number, daily := m.Puzzle.Daily()
	if closes := DailyCloses(number); daily && m.Mode == Daily && m.Status() == Playing && !at.Before(closes) {
		m.Stop = &Stop{At: closes, Version: m.Version + 1, Idle: true}
	}
	return m
}

// OtherGuessers returns who has guessed besides a player, in the order of their first guesses.
func (m Match) OtherGuessers(than PlayerID) []PlayerID {
	var others []PlayerID
	for _, move := range m.Moves {
		if move.Player != than && !slices.Contains(others, move.Player) {
			others = append(others, move.Player)
		}
	}
	return others
}

// Winner returns the player who found the answer, or "".
func (m Match) Winner() PlayerID {
	if m.Status() != Won {
		return ""
	}
	return m.Moves[len(m.Moves)-1].Player
}

// Rewind returns the match as it was at an earlier version.
func (m Match) Rewind(version uint64) Match {
	if version >= m.Version {
		return m
	}
	m.Version = version
	m.Moves = before(m.Moves, version, func(v Move) uint64 { return v.Version })
	m.Hints = before(m.Hints, version, func(h Hint) uint64 { return h.Version })
	m.State = m.State.Rewind(len(m.Moves))
	if m.Stop != nil && m.Stop.Version > version {
		m.Stop = nil
	}
	return m
}

// Each returns what f makes of each item.
func Each[T, U any](items []T, f func(T) U) []U {
	all := make([]U, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
}

// before returns a copy of the items up to a version, nil if there are none. The
// items are in the order of their versions.
func before[T any](items []T, version uint64, of func(T) uint64) []T {
	n := slices.IndexFunc(items, func(item T) bool { return of(item) > version })
	if n < 0 {
		n = len(items)
	}
	return append([]T(nil), items[:n]...)
}

// String describes the match without its answer.
func (m Match) String() string {
	return fmt.Sprintf("%s match %s, version %d, %v", m.Kind, m.ID, m.Version, m.State)
}

// GoString is String: %#v must not print what is hidden or hints either.
func (m Match) GoString() string { return "game.Match(" + m.String() + ")" }

// LogValue is String for log records.
func (m Match) LogValue() slog.Value { return slog.StringValue(m.String()) }

// MarshalText is String, so that a log in JSON does not show the answer of a match
// either. Package record has the stored form.
func (m Match) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Named returns every player who started the match, guessed, took a hint or stopped it,
// in this order and each once.
func (m Match) Named() []PlayerID {
	var names []PlayerID
	add := func(p PlayerID) {
		if p != "" && !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	add(m.Starter)
	for _, move := range m.Moves {
		add(move.Player)
	}
	for _, h := range m.Hints {
		add(h.Player)
	}
	if m.Stop != nil {
		add(m.Stop.Player)
	}
	return names
}

// SharedIn reports whether its player has shared a daily puzzle in the community of a location.
func (m Match) SharedIn(l Location) bool {
	if m.Location.Community() == l.Community() {
		return m.Shared != ""
	}
	return slices.Contains(m.Guilds, l.Guild)
}
