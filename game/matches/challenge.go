package matches

import (
	"context"
	"errors"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
)

// challengeTime is how long a challenge that each player solves alone is open.
const challengeTime = 24 * time.Hour

// ChallengeOptions are the choices of a challenge's giver.
type ChallengeOptions struct {
	Kind   game.Kind
	Alone  bool   // each player solves it alone, as in a race
	Puzzle string // as the giver has typed it
	Clue   string
	Hints  game.HintLimit // of a match played together
}

// Challenge starts a match in the channel or, if Alone is set, a race that ends after a day. The error is as in [Manager.Start].
func (m *Manager) Challenge(ctx context.Context, o game.Origin, opts ChallengeOptions) (game.Match, game.Race, error) {
	rules, err := m.racing(opts.Kind)
	if err != nil {
		return game.Match{}, game.Race{}, err
	}
	state, err := rules.Given(opts.Puzzle)
	if err != nil {
		return game.Match{}, game.Race{}, err
	}
	c := &game.Challenge{Clue: opts.Clue}
	if !opts.Alone {
		match, err := m.startIn(ctx, o, rules, game.ChannelSlot(opts.Kind, o.Location.Channel), game.Match{State: state, Challenge: c, HintLimit: opts.Hints}, marks.Off)
		return match, game.Race{}, err
	}
	if err := o.Check(); err != nil {
		return game.Match{}, game.Race{}, err
	}
	at := m.made(o)
	r := game.Race{
		ID: game.RaceID(o.Request), Version: 1, Kind: opts.Kind, Location: o.Location, Starter: o.Player,
		Time: challengeTime, Posted: at, Challenge: c, Given: state, Names: game.Names(nil).With(o.Player, o.Name),
	}.WithBeginning(at)
	err = m.Store.CommitRace(o.ForCommit(ctx), r)
	if errors.Is(err, game.ErrConflict) { // a repeated request
		r, err = m.Store.Race(ctx, r.Kind, r.Location.Channel, r.ID)
	}
	return game.Match{}, r, err
}

// reported returns a challenge with its new report. The error is errUnchanged if the report stays the same, [game.ErrEnded] if
// there is no challenge any more, or [game.ErrNotAllowed].
func reported(c *game.Challenge, to game.Report, mayManage bool) (*game.Challenge, error) {
	from := map[game.Report][]game.Report{game.Reported: {game.NotReported}, game.Kept: {game.Reported}, game.Removed: {game.NotReported, game.Reported, game.Kept}}
	switch {
	case c == nil:
		return nil, game.ErrEnded
	case to != game.Reported && !mayManage:
		return nil, game.ErrNotAllowed
	case slices.Contains(from[to], c.Report):
		return &game.Challenge{Clue: c.Clue, Report: to}, nil
	}
	return nil, errUnchanged
}

// ReportMatch reports the challenge of a match, or decides about a report. Only a player who may manage the channel can decide. A
// repetition returns the match unchanged. The error is [game.ErrEnded], [game.ErrNotAllowed], one of the target or one of the
// store.
func (m *Manager) ReportMatch(ctx context.Context, o game.Origin, t Target, to game.Report, mayManage bool) (game.Match, error) {
	return m.changeMatch(ctx, o, t, func(_ context.Context, match game.Match) (_ game.Match, err error) {
		if to == game.Removed {
			match.Stop = &game.Stop{Player: o.Player, At: m.Clock(), Version: match.Version + 1}
		}
		match.Challenge, err = reported(match.Challenge, to, mayManage)
		return match, err
	})
}

// ReportRace is [Manager.ReportMatch] for a challenge that each player solves alone.
func (m *Manager) ReportRace(ctx context.Context, o game.Origin, k game.Kind, id game.MatchID, to game.Report, mayManage bool) (game.Race, error) {
	if to == game.Removed {
		return m.EndRace(ctx, o, k, id, mayManage)
	}
	return m.askedOfRace(ctx, o, k, id, func(r game.Race, _ time.Time) (_ game.Race, err error) {
		r.Challenge, err = reported(r.Challenge, to, mayManage)
		return r, err
	})
}
