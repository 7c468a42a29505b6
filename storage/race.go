package storage

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

func racesOf(k game.Kind, c game.ChannelID) string {
	return topicRace + string(k) + "\x00" + string(c) + "\x00"
}

func raceKey(r game.Race) string { return racesOf(r.Kind, r.Location.Channel) + string(r.ID) }

func racingKey(r game.Race) string {
	return numbered(topicRacing, uint64(r.Due().UnixMilli())) + raceKey(r)
}

// runningKey is the key of the race that is run in a channel, apart from challenges: so that two processes do not start one
// each at the same moment.
func runningKey(r game.Race) string {
	return topicRunning + string(r.Kind) + "\x00" + string(r.Location.Channel)
}

// raceOfDue returns the key of the race that a key of topicRacing is about.
func raceOfDue(key string) string { return key[min(len(key), len(topicRacing)+8):] }

// decodeRace reads a race. A missing one is zero.
func decodeRace(p ordered.Pair) (game.Race, error) {
	r, err := decodeAs[game.Race](p, raceFormat)
	if err == nil && p.Value != nil && (raceKey(r) != p.Key || r.Version == 0) {
		return game.Race{}, fmt.Errorf("race: %w", game.ErrDamaged)
	}
	return r, err
}

// readable returns those of the pairs that are races and can be read.
func (s *Store) readable(pairs []ordered.Pair) (all []game.Race, err error) {
	for _, p := range pairs {
		r, err := decodeRace(p)
		if s.unlessDamaged(err) != nil {
			return nil, err
		}
		if r.Version > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// Race implements [game.RaceStore]. One that cannot be read counts as missing.
func (s *Store) Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error) {
	r, err := readKey(ctx, s, racesOf(k, c)+string(id), decodeRace)
	if err = s.unlessDamaged(err); err == nil && r.Version == 0 {
		err = game.ErrRaceOver
	}
	return r, err
}

// Races implements [game.RaceStore].
func (s *Store) Races(ctx context.Context, k game.Kind, c game.ChannelID) ([]game.Race, error) {
	there, err := s.scan(ctx, ordered.Prefix(racesOf(k, c)))
	if err != nil {
		return nil, err
	}
	return s.readable(there)
}

// DueRaces implements [game.RaceStore].
func (s *Store) DueRaces(ctx context.Context, by time.Time, limit int) ([]game.Race, error) {
	due, err := s.scan(ctx, ordered.Query{From: topicRacing, To: numbered(topicRacing, uint64(max(0, by.UnixMilli()))+1), Limit: limit})
	if err != nil || len(due) == 0 {
		return nil, err
	}
	there, err := s.m.Get(ctx, game.Each(due, func(p ordered.Pair) string { return raceOfDue(p.Key) })...)
	if err != nil {
		return nil, err
	}
	return s.readable(there)
}

// CommitRace implements [game.RaceStore].
func (s *Store) CommitRace(ctx context.Context, r game.Race) error {
	data, err := record.Encode(raceFormat, r)
	if err != nil {
		return err
	}
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		stored, err := decodeRace(there[0])
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
			set = append(set, ordered.Pair{Key: there[1].Key, Value: append(number(uint64(r.Ends.UnixMilli())), r.ID...)})
		}
		if stored.Version > 0 && racingKey(stored) != racingKey(r) {
			set = append(set, ordered.Pair{Key: racingKey(stored)})
		}
		set = append(set, ordered.Pair{Key: racingKey(r), Value: nothing})
		if r.Given != nil && err == nil {
			puzzle := ordered.Pair{Key: puzzleKey(r.Kind, r.Puzzle())}
			puzzle.Value, err = s.codecs.EncodePuzzle(r.Kind, r.Given)
			set = append(set, puzzle)
		}
		return set, err
	}, raceKey(r), runningKey(r))
}

// RemoveRace implements [game.RaceStore].
func (s *Store) RemoveRace(ctx context.Context, r game.Race) error {
	board := game.ChannelSlot(r.Kind, r.Location.Channel)
	board.Puzzle = r.Puzzle()
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{
		{Key: raceKey(r)}, {Key: racingKey(r)}, {Key: puzzleKey(r.Kind, r.Puzzle())}, {Key: boardKey(board)},
	}})
}
