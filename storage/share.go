package storage

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Share implements [finished.Store].
func (s *Store) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	return s.reshare(ctx, match, func(_ context.Context, _ *ordered.Change, m *game.Match, r game.Result) error {
		if m.Shared = channel; r.Public() {
			return game.ErrConflict
		}
		return nil
	})
}

// ShareIn implements [finished.Store].
func (s *Store) ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID, at time.Time) error {
	return s.reshare(ctx, match, func(ctx context.Context, c *ordered.Change, m *game.Match, r game.Result) error {
		if r.Month() == "" || guild == "" || slices.Contains(r.CountsIn(), guild) {
			return game.ErrConflict
		}
		scope := statistics.Scope{Kind: r.Kind, Guild: guild, Month: r.Month()}
		pseudonym, err := s.pseudonym(ctx, m.Starter, scope.Month)
		if err != nil {
			return err
		}
		there, err := s.m.Get(ctx, schema.ClearingKey(m.Starter), schema.ClearedKey(scope.Month, pseudonym), schema.TotalKey(m.Starter, scope.Kept()),
			schema.TotalKey(m.Starter, statistics.Scope{Kind: r.Kind, Guild: guild}))
		if err != nil {
			return err
		}
		if there[0].Value != nil { // it is about to leave its player's history
			return game.ErrNotInHistory
		}
		before, totals, err := s.tally(ctx, there[2:])
		if err != nil {
			return err
		}
		now := maps.Clone(before)
		m.Guilds = append(slices.Clip(m.Guilds), guild)
		if there[1].Value != nil || !at.Before(game.MonthCloses(scope.Month)) || !now.Enter(scope) {
			m.Outside = append(slices.Clip(m.Outside), guild)
		}
		set, err := changedTotals(totals, before, now)
		c.If, c.Set = append(append(c.If, there[:2]...), totals...), append(c.Set, set...)
		return err
	})
}

// reshare changes who sees a finished match, or where it counts. If change returns [game.ErrConflict], it is so already.
func (s *Store) reshare(ctx context.Context, match game.MatchID, change func(context.Context, *ordered.Change, *game.Match, game.Result) error) error {
	err := s.change(ctx, func() (ordered.Change, error) {
		c := ordered.Change{}
		there, err := s.m.Get(ctx, schema.MatchKey(match))
		if err != nil {
			return c, err
		}
		v, err := s.inHistory(there[0])
		if err != nil {
			return c, err
		}
		result, err := s.m.Get(ctx, schema.ResultKey(v.Position))
		if err != nil {
			return c, err
		}
		r, err := schema.DecodeResult(result[0])
		if err != nil {
			return c, err
		}
		old, err := s.codecs.EntriesOf(r, v.Named())
		if err != nil {
			return c, err
		}
		c.If = append(there, result...)
		if err := change(ctx, &c, &v.Match, r); err != nil {
			return c, err
		}
		r.Shared, r.Guilds, r.Outside = v.Shared, v.Guilds, v.Outside
		now, err := s.codecs.EntriesOf(r, v.Named())
		if err != nil {
			return c, err
		}
		pairs, err := s.codecs.EncodeEnded(v, r)
		c.Set = append(append(append(c.Set, pairs...), replaced(old, now)...), schema.SolvedIn(r)...)
		return c, err
	})
	if errors.Is(err, game.ErrConflict) { // it is so already
		return nil
	}
	return err
}
