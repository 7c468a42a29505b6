package storage

import (
	"context"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// BoardMessage implements [game.BoardStore]. One that cannot be read counts as missing, and is saved over.
func (s *Store) BoardMessage(ctx context.Context, slot game.Slot) (game.BoardMessage, bool, error) {
	m, err := readKey(ctx, s, schema.BoardKey(slot), func(p ordered.Pair) (game.BoardMessage, error) {
		return schema.DecodeAs[game.BoardMessage](p)
	})
	return m, m.Match != "", s.unlessDamaged(err)
}

// SaveBoardMessage implements [game.BoardStore].
func (s *Store) SaveBoardMessage(ctx context.Context, slot game.Slot, m game.BoardMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := record.Encode(m)
	if err == nil {
		s.m.Later(ordered.Pair{Key: schema.BoardKey(slot), Value: data})
	}
	return err
}
