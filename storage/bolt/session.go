package bolt

import (
	"context"
	"errors"
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
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err names the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
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
		stored, err := b.readSession(c.Player)
		switch {
		case errors.Is(err, game.ErrDamaged) && c.Version == 1:
			if err := b.setAside(bucketSessions, []byte(c.Player)); err != nil {
				return err
			}
		case err != nil:
			return err
		case stored.Version+1 != c.Version:
			return game.ErrConflict
		}
		return b.Bucket(bucketSessions).Put([]byte(c.Player), data)
	})
}

// readSession is loadSession without a panic.
func (b buckets) readSession(player game.PlayerID) (found solve.Session, err error) {
	err = guard(func() error {
		found, err = b.loadSession(player)
		return err
	})
	return found, err
}

func (b buckets) loadSession(player game.PlayerID) (solve.Session, error) {
	data := b.Bucket(bucketSessions).Get([]byte(player))
	if data == nil {
		return solve.Session{Player: player}, nil
	}
	return record.DecodeSession(data)
}
