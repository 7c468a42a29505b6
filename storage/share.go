package storage

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Share implements [game.HistoryStore].
func (s *Store) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	return s.reshare(ctx, match, func(m game.Match, r game.Result) (game.Match, game.Result, bool) {
		changes := !r.Public()
		m.Shared, r.Shared = channel, channel
		return m, r, changes
	})
}

// ShareIn implements [game.HistoryStore].
func (s *Store) ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID) error {
	return s.reshare(ctx, match, func(m game.Match, r game.Result) (game.Match, game.Result, bool) {
		changes := m.Mode == game.Daily && guild != "" && !slices.Contains(r.CountsIn(), guild)
		m.Guilds = append(slices.Clip(m.Guilds), guild)
		r.Guilds = m.Guilds
		return m, r, changes
	})
}

// reshare changes who sees a finished match, or where it counts; if that changes nothing, nothing is
// written.
func (s *Store) reshare(ctx context.Context, match game.MatchID, change func(game.Match, game.Result) (game.Match, game.Result, bool)) error {
	err := s.change(ctx, func(ctx context.Context, _ int) (ordered.Change, error) {
		c := ordered.Change{}
		there, err := s.m.Get(ctx, matchKey(match))
		if err != nil {
			return c, err
		}
		v, err := s.inHistory(there[0])
		if err != nil {
			return c, err
		}
		result, err := s.m.Get(ctx, resultKey(v.place))
		if err != nil {
			return c, err
		}
		r, err := s.decodeResult(result[0])
		if err != nil {
			return c, err
		}
		m, next, changes := change(v.Match, r)
		if !changes {
			return c, game.ErrConflict
		}
		v.Match = m
		old, err := s.entriesOf(r, v.Named())
		if err != nil {
			return c, err
		}
		now, err := s.entriesOf(next, v.Named())
		if err != nil {
			return c, err
		}
		pairs, err := s.encodeEnded(v, next)
		if err != nil {
			return c, err
		}
		c = ordered.Change{If: append(there, result...), Set: append(append(pairs, replaced(old, now)...), solvedIn(next)...)}
		return c, s.countMore(ctx, &c, r, next)
	})
	if errors.Is(err, game.ErrConflict) { // it is so already
		return nil
	}
	return err
}

// countMore adds to a change what a result counts in the scopes in which it has not counted before.
func (s *Store) countMore(ctx context.Context, c *ordered.Change, before, now game.Result) error {
	scopes := before.Scopes()
	for _, t := range now.Counted() {
		if slices.Contains(scopes, t.Scope) {
			continue
		}
		there, err := s.m.Get(ctx, countedKey(t), clearingKey(t.Player))
		if err != nil {
			return err
		}
		if there[1].Value != nil { // it is about to leave its player's history
			return game.ErrNotInHistory
		}
		totals, err := s.total(ctx, there[0])
		if err != nil {
			return err
		}
		set, err := totals.count(now, t)
		if err != nil {
			return err
		}
		c.If, c.Set = append(c.If, there...), append(c.Set, set...)
	}
	return nil
}
