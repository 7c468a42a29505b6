package storage

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Session implements [solve.Store].
func (s *Store) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	found, err := readKey(ctx, s, topicSession+string(player), func(p ordered.Pair) (solve.Session, error) { return decodeSession(p, player) })
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err may name the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
	return found, err
}

func decodeSession(p ordered.Pair, player game.PlayerID) (solve.Session, error) {
	b, err := value(p)
	if err != nil {
		return solve.Session{}, err
	}
	if b == nil {
		return solve.Session{Player: player}, nil
	}
	return record.DecodeSession(b)
}

// CommitSession implements [solve.Store].
func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	data, err := record.EncodeSession(c)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		set := []ordered.Pair{{Key: there[0].Key, Value: data}}
		stored, err := decodeSession(there[0], c.Player)
		switch {
		case errors.Is(err, game.ErrDamaged) && c.Version == 1:
			return append(set, setAside(there[0])), nil
		case err == nil && stored.Version+1 != c.Version:
			err = game.ErrConflict
		}
		return set, err
	}, topicSession+string(c.Player))
}
