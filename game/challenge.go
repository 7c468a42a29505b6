package game

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Challenge is what a player says about a puzzle that they have chosen for others, in a match played
// together or a race that they have started. The giver cannot take part in it.
type Challenge struct {
	Clue   string
	Report Report `json:",omitzero"`
}

// Report is what became of a player's complaint about a challenge.
type Report string

// A challenge is reported once: somebody who may manage the channel then keeps it, or stops it by removing it.
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

// challengeTime is how long a challenge that each player solves alone is open.
const challengeTime = 24 * time.Hour

// ChallengeOptions are what the giver of a challenge chooses.
type ChallengeOptions struct {
	Kind  Kind
	Alone bool  // each player solves it alone, as in a race
	State State // the puzzle, without a guess
	Clue  string
	Hints HintLimit // of a match played together
}

// Challenge starts a match in the channel or, for each player alone, a race that ends after a day. The error is
// as in [Manager.Start].
func (m *Manager) Challenge(ctx context.Context, o Origin, opts ChallengeOptions) (Match, Race, error) {
	rules, err := m.racing(opts.Kind)
	if err != nil {
		return Match{}, Race{}, err
	}
	c := &Challenge{Clue: opts.Clue}
	if !opts.Alone {
		match, err := m.begin(ctx, o, rules, ChannelSlot(opts.Kind, o.Location.Channel), Match{State: opts.State, Challenge: c, HintLimit: opts.Hints}, false)
		return match, Race{}, err
	}
	if err := o.Check(); err != nil {
		return Match{}, Race{}, err
	}
	at := o.Request.MadeOr(m.now())
	r := Race{
		ID: MatchID(racePrefix + string(o.Request)), Version: 1, Kind: opts.Kind, Location: o.Location, Starter: o.Player,
		Time: challengeTime, Posted: at, Challenge: c, Given: opts.State,
	}.beginning(at)
	err = m.Store.CommitRace(o.ForCommit(ctx), r)
	if errors.Is(err, ErrConflict) { // a repeated request
		r, err = m.Store.Race(ctx, r.Kind, r.Location.Channel, r.ID)
	}
	return Match{}, r, err
}

// reported returns a challenge after a report, or a decision about one. The error is errUnchanged,
// [ErrEnded] for one that is no longer there, or [ErrNotAllowed].
func reported(c *Challenge, to Report, mayManage bool) (*Challenge, error) {
	from := map[Report][]Report{Reported: {NotReported}, Kept: {Reported}, Removed: {NotReported, Reported, Kept}}
	switch {
	case c == nil:
		return nil, ErrEnded
	case to != Reported && !mayManage:
		return nil, ErrNotAllowed
	case slices.Contains(from[to], c.Report):
		return &Challenge{c.Clue, to}, nil
	}
	return nil, errUnchanged
}

// ReportMatch reports the challenge of a match, or decides about a report, which takes somebody who may manage
// the channel. It returns the match, unchanged if that has been done before. The error is [ErrEnded],
// [ErrNotAllowed], one of the target or one of the store.
func (m *Manager) ReportMatch(ctx context.Context, o Origin, t Target, to Report, mayManage bool) (Match, error) {
	match, err := m.changeTarget(ctx, o, t, func(_ context.Context, match Match) (_ Match, err error) {
		if to == Removed {
			match.Stop = &Stop{Player: o.Player, At: m.now(), Version: match.Version + 1}
		}
		match.Challenge, err = reported(match.Challenge, to, mayManage)
		return match, err
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return match, err
}

// ReportRace is [Manager.ReportMatch] for a challenge that each player solves alone.
func (m *Manager) ReportRace(ctx context.Context, o Origin, k Kind, id MatchID, to Report, mayManage bool) (Race, error) {
	if to == Removed {
		return m.EndRace(ctx, o, k, id, mayManage)
	}
	return m.askedOfRace(ctx, o, k, id, func(r Race, _ time.Time) (_ Race, err error) {
		r.Challenge, err = reported(r.Challenge, to, mayManage)
		return r, err
	})
}
