package storage

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// Session implements [solve.Store].
func (s *Store) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	found, err := readKey(ctx, s, schema.TopicSession+string(player), func(p ordered.Pair) (solve.Session, error) { return schema.DecodeSession(p, player) })
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err may name the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
	return found, err
}

// CommitSession implements [solve.Store].
func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	data, err := record.EncodeSession(c)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		set := []ordered.Pair{{Key: there[0].Key, Value: data}}
		stored, err := schema.DecodeSession(there[0], c.Player)
		switch {
		case errors.Is(err, game.ErrDamaged) && c.Version == 1:
			return append(set, schema.SetAside(there[0])), nil
		case err == nil && stored.Version+1 != c.Version:
			err = game.ErrConflict
		}
		return set, err
	}, schema.TopicSession+string(c.Player))
}
