package finished

import (
	"context"
	"errors"

	"fivefold/game"
)

// Sight is how much of a finished match a viewer may see.
type Sight uint8

// From everything to the least.
const (
	Everything    Sight = iota
	WithoutAnswer       // the viewer may still play its puzzle, or others may still be in its race
	NumberOnly          // it was played in a channel that the viewer may not read
)

// view decides what one viewer may see, and remembers what it has found out. It serves one request only.
type view struct {
	game.Viewer
	m        *Matches
	channels map[game.ChannelID]bool
	secrets  map[game.Slot]bool // by the viewer's slot for the puzzle
}

func (m *Matches) view(v game.Viewer) *view {
	return &view{Viewer: v, m: m, channels: map[game.ChannelID]bool{}, secrets: map[game.Slot]bool{}}
}

// mayRead reports whether the viewer may read the channel of a match of the viewer's own community.
func (v *view) mayRead(ctx context.Context, r game.Result) bool {
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

// secret reports whether the answer of a match is secret, by [Matches.secretIn]. It asks once for each puzzle.
func (v *view) secret(ctx context.Context, r game.Result) (bool, error) {
	puzzle := game.PuzzleSlot(r.Kind, v.Player, r.Puzzle)
	if secret, known := v.secrets[puzzle]; known || r.Puzzle == "" {
		return secret, nil
	}
	err := v.m.secretIn(ctx, v.Player, r)
	_, secret := errors.AsType[*game.SecretError](err)
	if err != nil && !secret {
		return true, err
	}
	v.secrets[puzzle] = secret
	return secret, nil
}

// see returns the part of an entry that the viewer may see.
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

// secretIn returns nil if the player may know the answer of a finished match. The error is a *[game.SecretError] while the
// match's race conceals the answer, or one of [matches.Manager.Secret] for its puzzle.
func (m *Matches) secretIn(ctx context.Context, p game.PlayerID, r game.Result) error {
	race, err := m.Games.RaceOf(ctx, game.Match{Kind: r.Kind, Mode: r.Mode, Location: r.Location, Puzzle: r.Puzzle})
	switch {
	case err != nil:
		return err
	case m.Games.Conceals(race, r.Status):
		return &game.SecretError{Kind: r.Kind, Race: true}
	}
	return m.Games.Secret(ctx, p, r.Kind, r.Puzzle)
}
