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

// The buckets of preferences. A file gets them when a release that knows them first opens
// it: see addLateBuckets.
var (
	bucketLooks   = []byte("looks")   // player → look record
	bucketServers = []byte("servers") // guild → record of its preferences
)

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

func (s *Store) ServerPreferences(ctx context.Context, guild game.GuildID) (found preferences.Server, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		data := buckets{tx, s.codecs}.Bucket(bucketServers).Get([]byte(guild))
		if data == nil {
			return nil
		}
		found, err = record.DecodeServer(data)
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return found, err
}

func (s *Store) SetServerPreferences(ctx context.Context, guild game.GuildID, p preferences.Server) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := record.EncodeServer(p)
	if err != nil {
		return err
	}
	return s.commit(ctx, func(tx *bbolt.Tx) error {
		servers := buckets{tx, s.codecs}.Bucket(bucketServers)
		if p == (preferences.Server{}) {
			return servers.Delete([]byte(guild))
		}
		return servers.Put([]byte(guild), data)
	})
}
