package bolt

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

func (s *Store) Notes(ctx context.Context, player game.PlayerID) (n game.Notes, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		n, err = loadNotes(tx, player)
		return err
	})
	return n, err
}

// CommitNotes stores a player's notes, together with what others commit at the
// same time.
func (s *Store) CommitNotes(ctx context.Context, n game.Notes) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := game.EncodeNotes(n)
	if err != nil {
		return fmt.Errorf("notes of %s: %w", n.Player, err)
	}
	return s.group.commit(ctx, func(tx *bbolt.Tx) error {
		stored, err := loadNotes(tx, n.Player)
		switch {
		case err != nil:
			return err
		case stored.Version+1 != n.Version:
			return game.ErrConflict
		}
		return tx.Bucket(bucketNotes).Put([]byte(n.Player), record)
	})
}

func loadNotes(tx *bbolt.Tx, player game.PlayerID) (game.Notes, error) {
	record := tx.Bucket(bucketNotes).Get([]byte(player))
	if record == nil {
		return game.Notes{Player: player}, nil
	}
	return game.DecodeNotes(record)
}
