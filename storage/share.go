package storage

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage/schema"
)

// Share implements [finished.Store].
func (s *Store) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	return s.reshare(ctx, match, func(p *plan, m *game.Match, r game.Result) {
		if m.Shared = channel; r.Public() {
			p.fail(game.ErrConflict)
		}
	})
}

// ShareIn implements [finished.Store].
func (s *Store) ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID, at time.Time) error {
	return s.reshare(ctx, match, func(p *plan, m *game.Match, r game.Result) {
		if r.Month() == "" || guild == "" || slices.Contains(r.CountsIn(), guild) {
			p.fail(game.ErrConflict)
			return
		}
		scope := statistics.Scope{Kind: r.Kind, Guild: guild, Month: r.Month()}
		there := p.get(ctx, schema.DeletingKey(m.Starter), schema.DeletedKey(scope.Month, p.named(ctx, m.Starter, scope.Month)),
			schema.TotalKey(m.Starter, scope.Kept()), schema.TotalKey(m.Starter, statistics.Scope{Kind: r.Kind, Guild: guild}))
		if there[0].Value != nil { // the match is about to leave its player's history
			p.fail(game.ErrNotInHistory)
		}
		before, totals := p.tally(ctx, there[2:])
		now := maps.Clone(before)
		m.Guilds = append(slices.Clip(m.Guilds), guild)
		if there[1].Value != nil || !at.Before(game.MonthCloses(scope.Month)) || !now.Enter(scope) {
			m.Outside = append(slices.Clip(m.Outside), guild)
		}
		p.setTotals(totals, before, now)
	})
}

// reshare changes who sees a finished match, or where it counts. If change fails with [game.ErrConflict], there is nothing to
// change, and reshare returns nil.
func (s *Store) reshare(ctx context.Context, match game.MatchID, change func(*plan, *game.Match, game.Result)) error {
	err := s.change(ctx, func(p *plan) {
		v, err := s.inHistory(p.get(ctx, schema.MatchKey(match))[0])
		if p.fail(err); p.err != nil {
			return
		}
		r, err := schema.DecodeResult(p.look(ctx, schema.ResultKey(v.Position))[0]) // no condition: the result changes only with the match
		p.fail(err)
		old, err := s.codecs.EntriesOf(r, v.Named())
		if p.fail(err); p.err != nil {
			return
		}
		change(p, &v.Match, r)
		r.Shared, r.Guilds, r.Outside = v.Shared, v.Guilds, v.Outside
		now, err := s.codecs.EntriesOf(r, v.Named())
		p.set(replaced(old, now), err)
		p.set(s.codecs.EncodeEnded(v, r))
		p.set(schema.SolvedIn(r), nil)
	})
	if errors.Is(err, game.ErrConflict) { // nothing to change
		return nil
	}
	return err
}
