package finished

import (
	"cmp"
	"context"
	"fmt"

	"fivefold/game"
)

// Share shows a match that the player has played alone to everyone who may read the channel. From then on, the community's
// history has it like a match played together. The zero Past means the player's latest match alone. A match that was shared
// before stays as it is. The error is as in [Matches.Match], [game.ErrNotAlone], [game.ErrNotOwn], [game.ErrStillRacing],
// [game.ErrID] or [game.ErrExpired].
func (m *Matches) Share(ctx context.Context, o game.Origin, which Past) (f game.Finished, err error) {
	if err := o.Check(); err != nil {
		return game.Finished{}, err
	}
	if which == (Past{}) {
		if f, err = m.Games.LastFinished(ctx, o.Location, o.Player, true); err != nil {
			return f, err
		}
		which.Match = f.Match.ID
	}
	anywhere := func(context.Context, game.ChannelID) bool { return true } // a player's own matches can be shared from any channel
	f, err = m.Match(ctx, game.Viewer{Player: o.Player, Location: o.Location, MayRead: anywhere}, which)
	switch {
	case err != nil:
		return f, err
	case !f.Match.Mode.Personal():
		return f, game.ErrNotAlone
	case f.Match.Starter != o.Player:
		return f, game.ErrNotOwn
	}
	if racing, err := m.Games.StillRacing(ctx, f.Match); err != nil || racing {
		return f, cmp.Or(err, game.ErrStillRacing)
	}
	if f.Match.Shared == "" {
		f.Match, err = m.share(ctx, o, f.Match)
	}
	return f, err
}

// share shows a finished match where the request was made. If that is another guild than the match's, the match counts there too.
func (m *Matches) share(ctx context.Context, o game.Origin, match game.Match) (game.Match, error) {
	var err error
	switch ctx = o.ForCommit(ctx); {
	case match.Location.Community() == o.Location.Community():
		match.Shared = o.Location.Channel
		err = m.Store.Share(ctx, match.ID, o.Location.Channel)
	case o.Location.Guild != "":
		err = m.Store.ShareIn(ctx, match.ID, o.Location.Guild, m.Games.Clock())
	}
	if err != nil {
		return game.Match{}, fmt.Errorf("sharing match %s: %w", match.ID, err)
	}
	return match, nil
}

// ShareDaily shows the player's finished daily puzzle in the guild where the request was made, and makes it count there: see
// [game.Match.Guilds]. All of the player's month counts there too, unless the month is closed. The error is [game.ErrNoMatch],
// [game.ErrDeleted], [game.ErrUnreadable], [game.ErrNotInHistory], [game.ErrExpired] or one of the store. [game.ErrNotFinished]
// and [game.ErrShared] come with the match.
func (m *Matches) ShareDaily(ctx context.Context, o game.Origin, k game.Kind, number int) (game.Match, error) {
	if err := o.Check(); err != nil {
		return game.Match{}, err
	}
	match, err := m.Games.Store.Load(ctx, game.PuzzleSlot(k, o.Player, game.DailyPuzzle(number)))
	switch {
	case err != nil:
		return game.Match{}, err
	case match.Status() == game.Playing:
		return match, game.ErrNotFinished
	case match.SharedIn(o.Location):
		return match, game.ErrShared
	}
	return m.share(ctx, o, match)
}
