package storage

import (
	"context"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// readable decodes races and leaves out unreadable ones.
func (s *Store) readable(pairs []ordered.Pair) (all []game.Race, err error) {
	for _, p := range pairs {
		r, err := schema.DecodeRace(p)
		if s.unlessDamaged(err) != nil {
			return nil, err
		}
		if r.Version > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// Race implements [matches.RaceStore]. An unreadable race counts as missing.
func (s *Store) Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error) {
	r, err := readKey(ctx, s, schema.RacesOf(k, c)+string(id), schema.DecodeRace)
	if err = s.unlessDamaged(err); err == nil && r.Version == 0 {
		err = game.ErrRaceOver
	}
	return r, err
}

// Races implements [matches.RaceStore].
func (s *Store) Races(ctx context.Context, k game.Kind, c game.ChannelID) ([]game.Race, error) {
	there, err := ordered.Scan(ctx, s.m, ordered.Prefix(schema.RacesOf(k, c)))
	if err != nil {
		return nil, err
	}
	return s.readable(there)
}

// Due implements [matches.RaceStore].
func (s *Store) Due(ctx context.Context, by time.Time, limit int) (races []game.Race, due []game.Match, err error) {
	keys, err := ordered.Scan(ctx, s.m, ordered.Query{From: schema.TopicDue, To: schema.Numbered(schema.TopicDue, uint64(max(0, by.UnixMilli()))+1), Limit: limit})
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	there, err := s.m.Get(ctx, game.Each(keys, func(p ordered.Pair) string { return schema.DueRecord(p.Key) })...)
	if err != nil {
		return nil, nil, err
	}
	var ofRaces []ordered.Pair
	for i, p := range there {
		if schema.TopicOf(p.Key)+"\x00" == schema.TopicRace {
			ofRaces = append(ofRaces, p)
			continue
		}
		v, err := s.decodeSlot(p)
		if s.unlessDamaged(err) != nil {
			return nil, nil, err
		}
		if next := schema.DueEntry(v.Match); next != nil && next[0].Key == keys[i].Key { // it had no other deadline since
			due = append(due, v.Match)
		}
	}
	races, err = s.readable(ofRaces)
	return races, due, err
}

// CommitRace implements [matches.RaceStore].
func (s *Store) CommitRace(ctx context.Context, r game.Race) error {
	return s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.RaceKey(r), schema.RunningKey(r))
		stored, err := schema.DecodeRace(there[0])
		p.fail(err)
		running, err := schema.DecodeAs[schema.Running](there[1])
		p.fail(p.store.unlessDamaged(err))
		first, own := r.Version == 1 && r.Challenge == nil, running.Race == r.ID
		if stored.Version+1 != r.Version || first && r.Posted.Before(running.Ends) {
			p.fail(game.ErrConflict)
		}
		p.put(there[0].Key, r)
		switch {
		case own && !r.Over.IsZero():
			p.write(there[1].Key, nil)
		case own, first:
			p.put(there[1].Key, schema.Running{Race: r.ID, Ends: r.Ends})
		}
		if stored.Version > 0 && schema.RacingKey(stored) != schema.RacingKey(r) {
			p.write(schema.RacingKey(stored), nil)
		}
		p.write(schema.RacingKey(r), schema.Nothing)
		if r.Given != nil {
			puzzle, err := s.codecs.EncodePuzzle(r.Kind, r.Given)
			p.fail(err)
			p.write(schema.PuzzleKey(r.Kind, r.Puzzle()), puzzle)
		}
	})
}

// RemoveRace implements [matches.RaceStore].
func (s *Store) RemoveRace(ctx context.Context, r game.Race) error {
	board := game.ChannelSlot(r.Kind, r.Location.Channel)
	board.Puzzle = r.Puzzle()
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{
		{Key: schema.RaceKey(r)}, {Key: schema.RacingKey(r)}, {Key: schema.PuzzleKey(r.Kind, r.Puzzle())}, {Key: schema.BoardKey(board)},
	}})
}
