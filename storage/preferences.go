package storage

import (
	"context"
	"errors"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// PlayerLook returns how a player wants replies drawn, as SetPlayerLook was given it; nil for nothing.
// The error for a record that cannot be read wraps [game.ErrDamaged]; setting it mends that.
func (s *Store) PlayerLook(ctx context.Context, player game.PlayerID) ([]byte, error) {
	return s.setting(ctx, schema.TopicLook+string(player))
}

// SetPlayerLook replaces what a player has chosen; nil removes it, and so does Clear.
func (s *Store) SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicLook + string(player), Value: look}}})
}

// ServerChoice is PlayerLook for what a server has chosen.
func (s *Store) ServerChoice(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, schema.TopicServer+string(guild))
}

// SetServerChoice replaces what a server has chosen; nil removes it.
func (s *Store) SetServerChoice(ctx context.Context, guild game.GuildID, choice []byte) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicServer + string(guild), Value: choice}}})
}

// DayPost is ServerChoice for the posts of a server's day.
func (s *Store) DayPost(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, schema.TopicDayPost+string(guild))
}

// DayPosts calls a function with what each server has chosen for the posts of its day. What cannot be read is
// left out.
func (s *Store) DayPosts(ctx context.Context, each func(guild game.GuildID, choice []byte)) error {
	return ordered.Each(ctx, s.m, ordered.Prefix(schema.TopicDayPost), func(batch []ordered.Pair) error {
		for _, p := range batch {
			if b, err := schema.Value(p); err == nil {
				each(game.GuildID(p.Key[len(schema.TopicDayPost):]), b)
			}
		}
		return nil
	})
}

// ChangeDayPost replaces what DayPost returns by what change makes of it: of nil if it cannot be read. If change
// returns an error, nothing is changed.
func (s *Store) ChangeDayPost(ctx context.Context, guild game.GuildID, change func(choice []byte) ([]byte, error)) error {
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		now, _ := schema.Value(there[0])
		next, err := change(now)
		return []ordered.Pair{{Key: there[0].Key, Value: next}}, err
	}, schema.TopicDayPost+string(guild))
}

func (s *Store) setting(ctx context.Context, key string) ([]byte, error) {
	b, err := readKey(ctx, s, key, schema.Value)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return b, err
}
