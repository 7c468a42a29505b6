package storage

import (
	"context"
	"encoding/binary"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// readable returns the readable races of some pairs.
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

// DueRaces implements [matches.RaceStore].
func (s *Store) DueRaces(ctx context.Context, by time.Time, limit int) ([]game.Race, error) {
	due, err := ordered.Scan(ctx, s.m, ordered.Query{From: schema.TopicRacing, To: schema.Numbered(schema.TopicRacing, uint64(max(0, by.UnixMilli()))+1), Limit: limit})
	if err != nil || len(due) == 0 {
		return nil, err
	}
	there, err := s.m.Get(ctx, game.Each(due, func(p ordered.Pair) string { return schema.RaceOfDue(p.Key) })...)
	if err != nil {
		return nil, err
	}
	return s.readable(there)
}

// CommitRace implements [matches.RaceStore].
func (s *Store) CommitRace(ctx context.Context, r game.Race) error {
	data, err := record.Encode(r)
	if err != nil {
		return err
	}
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		stored, err := schema.DecodeRace(there[0])
		if err == nil && stored.Version+1 != r.Version {
			err = game.ErrConflict
		}
		set := []ordered.Pair{{Key: there[0].Key, Value: data}}
		running := there[1].Value // the end of the race, and its id
		own := len(running) > 8 && string(running[8:]) == string(r.ID)
		if r.Version == 1 && r.Challenge == nil && len(running) > 8 && r.Posted.UnixMilli() < int64(binary.BigEndian.Uint64(running)) {
			err = game.ErrConflict
		}
		switch {
		case own && !r.Over.IsZero():
			set = append(set, ordered.Pair{Key: there[1].Key})
		case own, r.Version == 1 && r.Challenge == nil:
			set = append(set, ordered.Pair{Key: there[1].Key, Value: append(schema.Number(uint64(r.Ends.UnixMilli())), r.ID...)})
		}
		if stored.Version > 0 && schema.RacingKey(stored) != schema.RacingKey(r) {
			set = append(set, ordered.Pair{Key: schema.RacingKey(stored)})
		}
		set = append(set, ordered.Pair{Key: schema.RacingKey(r), Value: schema.Nothing})
		if r.Given != nil && err == nil {
			puzzle := ordered.Pair{Key: schema.PuzzleKey(r.Kind, r.Puzzle())}
			puzzle.Value, err = s.codecs.EncodePuzzle(r.Kind, r.Given)
			set = append(set, puzzle)
		}
		return set, err
	}, schema.RaceKey(r), schema.RunningKey(r))
}

// RemoveRace implements [matches.RaceStore].
func (s *Store) RemoveRace(ctx context.Context, r game.Race) error {
	board := game.ChannelSlot(r.Kind, r.Location.Channel)
	board.Puzzle = r.Puzzle()
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{
		{Key: schema.RaceKey(r)}, {Key: schema.RacingKey(r)}, {Key: schema.PuzzleKey(r.Kind, r.Puzzle())}, {Key: schema.BoardKey(board)},
	}})
}
