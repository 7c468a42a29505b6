package bolt

import (
	"context"
	"errors"

	"go.etcd.io/bbolt"

	"fivefold/bot"
	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/storage/record"
)

var _ preferences.Store = (*Store)(nil)

// bucketLooks has what players have chosen: player → look record. A file has it since it
// was first opened by a release that knows it: see addLateBuckets.
var bucketLooks = []byte("looks")

func (s *Store) PlayerLook(ctx context.Context, player game.PlayerID) (look bot.Look, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		data := buckets{tx, s.codecs}.Bucket(bucketLooks).Get([]byte(player))
		if data == nil {
			return nil
		}
		look, err = record.DecodeLook(data)
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return look, err
}

func (s *Store) SetPlayerLook(ctx context.Context, player game.PlayerID, look bot.Look) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := record.EncodeLook(look)
	if err != nil {
		return err
	}
	return s.commit(ctx, func(tx *bbolt.Tx) error {
		looks := buckets{tx, s.codecs}.Bucket(bucketLooks)
		if look == (bot.Look{}) {
			return looks.Delete([]byte(player))
		}
		return looks.Put([]byte(player), data)
	})
}
