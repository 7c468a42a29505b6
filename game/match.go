package game

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
)

// Status says how a match stands.
type Status string

// A match is played until it is won, lost or stopped.
const (
	Playing Status = "playing"
	Won     Status = "won"
	Lost    Status = "lost"
	Stopped Status = "stopped"
)

// Match is one game at a table as a value: nothing in it is shared, and a
// Match that was handed out never changes. It prints without what is hidden.
type Match struct {
	ID    MatchID
	Place Place
	// Version counts the commits: 1 when the match has just been started.
	Version uint64
	Starter PlayerID
	Started time.Time
	Mode    Mode
	Day     int // the number of the daily puzzle; 0 for no daily one
	// Exactly one of these is a game, the other the zero value: see [Match.Kind].
	Wordle wordle.State
	Pokle  pokle.State
	Moves  []Move // who made each guess, in the same order
	Hints  []Hint // oldest first
	// Stop is set when the match was stopped before its end.
	Stop *Stop
}

// Move is who guessed, and when.
type Move struct {
	Player  PlayerID
	At      time.Time
	Version uint64 // of the match, after the move
}

// Stop is who stopped a match, and when.
type Stop struct {
	Player  PlayerID
	At      time.Time
	Version uint64
}

// Kind tells which game is played.
func (m Match) Kind() Kind {
	if m.Pokle != (pokle.State{}) {
		return Pokle
	}
	return Wordle
}

// Used returns the number of guesses so far.
func (m Match) Used() int {
	if m.Kind() == Pokle {
		return m.Pokle.Used()
	}
	return m.Wordle.Used()
}

// Position is what the solver is asked about the poker game.
func (m Match) Position() boards.Position {
	p := boards.Position{Deal: m.Pokle.Deal(), Limit: pokle.Attempts}
	for _, g := range m.Pokle.Guesses() {
		p.Steps = append(p.Steps, boards.Step{Guess: g.Board, Feedback: g.Feedback})
	}
	return p
}

// Status tells how the match stands.
func (m Match) Status() Status {
	if m.Stop != nil {
		return Stopped
	}
	switch { // the state that is no game is neither
	case m.Wordle.Status() == wordle.Won, m.Pokle.Status() == pokle.Won:
		return Won
	case m.Wordle.Status() == wordle.Lost, m.Pokle.Status() == pokle.Lost:
		return Lost
	}
	return Playing
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

// Solver returns who found what is hidden, or "".
func (m Match) Solver() PlayerID {
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
	if m.Kind() == Pokle {
		m.Pokle = m.Pokle.Rewind(len(m.Moves))
	} else {
		m.Wordle = m.Wordle.Rewind(len(m.Moves))
	}
	if m.Stop != nil && m.Stop.Version > version {
		m.Stop = nil
	}
	return m
}

// before returns a copy of the items up to a version, nil where there are none;
// they are in its order.
func before[T any](items []T, version uint64, of func(T) uint64) []T {
	n := slices.IndexFunc(items, func(item T) bool { return of(item) > version })
	if n < 0 {
		n = len(items)
	}
	return append([]T(nil), items[:n]...)
}

// String describes the match without its hidden word or board.
func (m Match) String() string {
	if m.Kind() == Pokle {
		return fmt.Sprintf("pokle match %s, version %d, %s", m.ID, m.Version, m.Pokle)
	}
	return fmt.Sprintf("match %s, version %d, %s", m.ID, m.Version, m.Wordle)
}

// GoString is String: %#v must not print what is hidden or hints either.
func (m Match) GoString() string { return "game.Match(" + m.String() + ")" }

// LogValue is String for log records.
func (m Match) LogValue() slog.Value { return slog.StringValue(m.String()) }

// MarshalText is String: JSON for a log, of a value that holds a match, must
// not show them either. [EncodeMatch] gives the stored form.
func (m Match) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
