package game

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Share shows a match that the player has played alone to everyone who may read the
// channel: from now on it is in the history of the community like a match played
// together; the zero value is the latest that the player has played alone. A match that was shared before stays as it was. The error is [ErrNotInHistory],
// [ErrForgotten], [ErrNoMatch], [ErrNotFinished], a *[SecretError], [ErrNotAlone], [ErrNotOwn], [ErrStillRacing], [ErrID], [ErrExpired] or one of the store.
func (m *Manager) Share(ctx context.Context, o Origin, which Past) (f Finished, err error) {
	if err := o.Check(); err != nil {
		return Finished{}, err
	}
	if which == (Past{}) {
		f, err = m.lastFinished(ctx, o.Location, o.Player, true)
	} else {
		anywhere := func(context.Context, ChannelID) bool { return true } // a player's own matches can be shared from any channel
		f, err = m.Finished(ctx, Viewer{Player: o.Player, Location: o.Location, MayRead: anywhere}, which)
	}
	switch {
	case err != nil:
		return f, err
	case !f.Match.Mode.Personal():
		return f, ErrNotAlone
	case f.Match.Starter != o.Player:
		return f, ErrNotOwn
	}
	if racing, err := m.StillRacing(ctx, f.Match); err != nil || racing {
		return f, cmp.Or(err, ErrStillRacing)
	}
	if f.Match.Shared == "" {
		f.Match, err = m.share(ctx, o, f.Match)
	}
	return f, err
}

// share shows a finished match where the request was made, and has it count there if that is another guild.
func (m *Manager) share(ctx context.Context, o Origin, match Match) (Match, error) {
	var err error
	switch ctx = o.ForCommit(ctx); {
	case match.Location.Community() == o.Location.Community():
		match.Shared = o.Location.Channel
		err = m.Store.Share(ctx, match.ID, o.Location.Channel)
	case o.Location.Guild != "":
		err = m.Store.ShareIn(ctx, match.ID, o.Location.Guild, m.now())
	}
	if err != nil {
		return Match{}, fmt.Errorf("sharing match %s: %w", match.ID, err)
	}
	return match, nil
}

// SharedIn reports whether its player has shared a daily puzzle in the community of a location.
func (m Match) SharedIn(l Location) bool {
	if m.Location.Community() == l.Community() {
		return m.Shared != ""
	}
	return slices.Contains(m.Guilds, l.Guild)
}

// ShareDaily has the player's finished match of a daily puzzle count in the guild where the request
// was made, and shows it there: see [Match.Guilds]. With it all of the player's month counts there, unless that is closed.
// The error is [ErrNoMatch], [ErrCleared], [ErrUnreadable],
// [ErrNotInHistory], [ErrExpired] or one of the store or, with the match, [ErrNotFinished] or [ErrShared].
func (m *Manager) ShareDaily(ctx context.Context, o Origin, k Kind, number int) (Match, error) {
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	match, err := m.Store.Load(ctx, PuzzleSlot(k, o.Player, DailyPuzzle(number)))
	switch {
	case err != nil:
		return Match{}, err
	case match.Status() == Playing:
		return match, ErrNotFinished
	case match.SharedIn(o.Location):
		return match, ErrShared
	}
	return m.share(ctx, o, match)
}
