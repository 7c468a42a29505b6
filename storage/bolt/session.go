package bolt

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/record"
)

var _ solve.Store = (*Store)(nil)

func (s *Store) Session(ctx context.Context, player game.PlayerID) (found solve.Session, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		found, err = buckets{tx, s.codecs}.loadSession(player)
		return err
	})
	return found, err
}

// CommitSession stores a player's session in one transaction with what others commit
// at the same time.
func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := record.EncodeSession(c)
	if err != nil {
		return fmt.Errorf("session of %s: %w", c.Player, err)
	}
	return s.group.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		stored, err := b.loadSession(c.Player)
		switch {
		case err != nil:
			return err
		case stored.Version+1 != c.Version:
			return game.ErrConflict
		}
		return b.Bucket(bucketSessions).Put([]byte(c.Player), data)
	})
}

func (b buckets) loadSession(player game.PlayerID) (solve.Session, error) {
	data := b.Bucket(bucketSessions).Get([]byte(player))
	if data == nil {
		return solve.Session{Player: player}, nil
	}
	return record.DecodeSession(data)
}
