package bolt

import (
	"context"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// CommandGuilds returns the servers where commands were registered and may still be, in
// the order in which they were saved.
func (s *Store) CommandGuilds(ctx context.Context) (guilds []game.GuildID, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		value, err := buckets{tx, s.codecs}.Bucket(bucketMeta).read(keyGuilds)
		if err != nil {
			return err
		}
		guilds, err = decodeGuilds(value)
		return err
	})
	return guilds, err
}

// SetCommandGuilds replaces what CommandGuilds returns.
func (s *Store) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	var value []byte
	for _, g := range guilds {
		value = append(append(value, g...), 0)
	}
	return s.commit(ctx, func(tx *bbolt.Tx) error {
		return buckets{tx, s.codecs}.put(row{bucketMeta, keyGuilds, value})
	})
}

func decodeGuilds(value []byte) ([]game.GuildID, error) {
	if len(value) == 0 {
		return nil, nil
	}
	text, ended := strings.CutSuffix(string(value), "\x00")
	if !ended {
		return nil, fmt.Errorf("servers with commands: %w", game.ErrDamaged)
	}
	var guilds []game.GuildID
	for id := range strings.SplitSeq(text, "\x00") {
		guilds = append(guilds, game.GuildID(id))
	}
	return guilds, nil
}
