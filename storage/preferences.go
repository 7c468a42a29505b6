package storage

import (
	"context"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// PlayerLook returns how a player wants replies drawn, as SetPlayerLook was given it; nil for nothing.
// The error for a record that cannot be read wraps [game.ErrDamaged]; setting it mends that.
func (s *Store) PlayerLook(ctx context.Context, player game.PlayerID) ([]byte, error) {
	return s.setting(ctx, topicLook+string(player))
}

// SetPlayerLook replaces what a player has chosen; nil removes it, and so does Clear.
func (s *Store) SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: topicLook + string(player), Value: look}}})
}

// ServerChoice is PlayerLook for what a server has chosen.
func (s *Store) ServerChoice(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, topicServer+string(guild))
}

// SetServerChoice replaces what a server has chosen; nil removes it.
func (s *Store) SetServerChoice(ctx context.Context, guild game.GuildID, choice []byte) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: topicServer + string(guild), Value: choice}}})
}

func (s *Store) setting(ctx context.Context, key string) ([]byte, error) {
	there, err := s.get(ctx, key)
	if err != nil {
		return nil, err
	}
	b, err := value(there[0])
	if err != nil {
		s.damaged(err)
	}
	return b, err
}

// maxBoardMessage is how long a message's identifier may be, in bytes.
const maxBoardMessage = 100
