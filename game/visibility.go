package game

import (
	"context"
	"errors"
)

// Viewer is a player who looks at finished matches, and from where.
type Viewer struct {
	Player   PlayerID
	Location Location
	// MayRead reports whether the player may read another channel of the same community.
	// If it is nil, the player may read no other one.
	MayRead func(context.Context, ChannelID) bool
}

// Sight is how much of a finished match a viewer may see.
type Sight uint8

// From everything to the least.
const (
	Everything    Sight = iota
	WithoutAnswer       // the viewer may still play its puzzle, or others may still be in its race
	NumberOnly          // it was played in a channel that the viewer may not read
)

// Public reports whether the match may be seen by more players than the one who played it
// alone.
func (r Result) Public() bool { return !r.Mode.Personal() || r.Shared != "" }

// Channel returns the channel of a public match: all who may read it may see the match.
func (r Result) Channel() ChannelID {
	if r.Shared != "" {
		return r.Shared
	}
	return r.Location.Channel
}

// view is what one viewer may see. It remembers what it has found out, and is used for
// one request only.
type view struct {
	Viewer
	m        *Manager
	channels map[ChannelID]bool
	secrets  map[Slot]bool // by where the viewer plays the puzzle
}

func (m *Manager) view(v Viewer) *view {
	return &view{Viewer: v, m: m, channels: map[ChannelID]bool{}, secrets: map[Slot]bool{}}
}

// mayRead reports whether the viewer may read the channel of a match of the viewer's own
// community.
func (v *view) mayRead(ctx context.Context, r Result) bool {
	c := r.Channel()
	if c == v.Location.Channel || !r.Public() {
		return true
	}
	may, known := v.channels[c]
	if !known {
		may = v.MayRead != nil && v.MayRead(ctx, c)
		v.channels[c] = may
	}
	return may
}

// secret is [Manager.secretIn], once for each puzzle.
func (v *view) secret(ctx context.Context, r Result) (bool, error) {
	puzzle := PuzzleSlot(r.Kind, v.Player, r.Puzzle)
	if secret, known := v.secrets[puzzle]; known || r.Puzzle == "" {
		return secret, nil
	}
	err := v.m.secretIn(ctx, v.Player, r)
	_, secret := errors.AsType[*SecretError](err)
	if err != nil && !secret {
		return true, err
	}
	v.secrets[puzzle] = secret
	return secret, nil
}

// see returns an entry with what the viewer may see of it.
func (v *view) see(ctx context.Context, e Entry) (Entry, error) {
	secret, err := v.secret(ctx, e.Result)
	switch {
	case err != nil:
		return Entry{}, err
	case !v.mayRead(ctx, e.Result):
		return Entry{Number: e.Number, Sight: NumberOnly}, nil
	case secret:
		e.Sight, e.Result.Answer = WithoutAnswer, ""
	}
	return e, nil
}

// AnswerSecret reports whether the answer of a puzzle must be kept from the public, since
// somebody may still be playing it: that of today's or yesterday's daily puzzle, or of a
// later one, started when the clock was wrong.
func (m *Manager) AnswerSecret(p PuzzleID) bool {
	number, daily := p.Daily()
	return daily && number >= m.Today()-1
}

// secretIn is secretFrom for the puzzle of a finished match, which may be of a race too.
func (m *Manager) secretIn(ctx context.Context, p PlayerID, r Result) error {
	race, err := m.RaceOf(ctx, Match{Kind: r.Kind, Mode: r.Mode, Location: r.Location, Puzzle: r.Puzzle})
	switch {
	case err != nil:
		return err
	case m.Conceals(race, r.Status):
		return &SecretError{Kind: r.Kind, Race: true}
	}
	return m.secretFrom(ctx, p, r.Kind, r.Puzzle)
}

// secretFrom returns nil if a player may know the answer of a puzzle, and otherwise a *[SecretError] or one of the
// store: today's daily puzzle is secret until the player has finished it, and so is yesterday's while the player can
// still play it.
func (m *Manager) secretFrom(ctx context.Context, p PlayerID, k Kind, puzzle PuzzleID) error {
	if !m.AnswerSecret(puzzle) {
		return nil
	}
	number, _ := puzzle.Daily()
	own, err := m.Store.Load(ctx, PuzzleSlot(k, p, puzzle))
	switch none := errors.Is(err, ErrNoMatch) || errors.Is(err, ErrUnreadable); {
	case errors.Is(err, ErrCleared), none && number < m.Today():
		return nil
	case err == nil && own.Status() == Playing:
		if number < m.Today() { // yesterday's can be played until today's is begun
			at, err := m.daily(ctx, Origin{Player: p}, k)
			if err != nil && !errors.Is(err, ErrUnreadable) {
				return err
			}
			if at.slot.Puzzle != puzzle {
				return nil
			}
		}
		return &SecretError{Kind: k, Playing: true}
	case none:
		return &SecretError{Kind: k}
	}
	return err
}
