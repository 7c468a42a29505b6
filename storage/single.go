package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// This file has records that stand alone, each under one key.

// PlayerLook returns how a player wants replies drawn, as SetPlayerLook stored it, or nil. The error of an unreadable record
// wraps [game.ErrDamaged]; SetPlayerLook replaces the record.
func (s *Store) PlayerLook(ctx context.Context, player game.PlayerID) ([]byte, error) {
	return s.setting(ctx, schema.TopicLook+string(player))
}

// SetPlayerLook replaces a player's choice. The choice nil removes it; so does Delete.
func (s *Store) SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicLook + string(player), Value: look}}})
}

// ServerChoice is PlayerLook for the choice of a server.
func (s *Store) ServerChoice(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, schema.TopicServer+string(guild))
}

// ServerChanges is ServerChoice for the latest changes of the choice.
func (s *Store) ServerChanges(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, schema.TopicChanges+string(guild))
}

// ServerChoices calls each with the choice of every server. Unreadable records are left out.
func (s *Store) ServerChoices(ctx context.Context, each func(guild game.GuildID, choice []byte)) error {
	return eachOf(ctx, s, schema.TopicServer, schema.Value, each)
}

// ChangeServer calls change with the records of ServerChoice and ServerChanges, nil for an unreadable one, and stores what it
// returns, together with the player who is named by the changes from now on. If change returns an error, nothing is stored. It
// may call change several times.
func (s *Store) ChangeServer(ctx context.Context, guild game.GuildID, by game.PlayerID, change func(choice, changes []byte) (newChoice, newChanges []byte, err error)) error {
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		choice, _ := schema.Value(there[0])
		changes, _ := schema.Value(there[1])
		choice, changes, err := change(choice, changes)
		return []ordered.Pair{{Key: there[0].Key, Value: choice}, {Key: there[1].Key, Value: changes}, {Key: schema.ManagesKey(by, guild), Value: schema.Nothing}}, err
	}, schema.TopicServer+string(guild), schema.TopicChanges+string(guild))
}

// DayPost is ServerChoice for the record of which daily posts were made.
func (s *Store) DayPost(ctx context.Context, guild game.GuildID) ([]byte, error) {
	return s.setting(ctx, schema.TopicDayPost+string(guild))
}

// DayPosts calls each with the record of every server's daily posts. Unreadable records are left out.
func (s *Store) DayPosts(ctx context.Context, each func(guild game.GuildID, choice []byte)) error {
	return eachOf(ctx, s, schema.TopicDayPost, schema.Value, each)
}

// eachOf calls each with the records whose keys begin with a prefix, and the rest of their keys. Unreadable records are left out.
func eachOf[K ~string, V any](ctx context.Context, s *Store, prefix string, decode func(ordered.Pair) (V, error), each func(K, V)) error {
	return ordered.Each(ctx, s.m, ordered.Prefix(prefix), func(batch []ordered.Pair) error {
		for _, p := range batch {
			v, err := decode(p)
			if s.unlessDamaged(err) != nil {
				return err
			}
			if err == nil {
				each(K(p.Key[len(prefix):]), v)
			}
		}
		return nil
	})
}

// ChangeDayPost calls change with the records of ServerChoice and DayPost, nil for an unreadable one, and stores the result as the
// latter. If change returns an error, nothing is stored.
func (s *Store) ChangeDayPost(ctx context.Context, guild game.GuildID, change func(choice, posted []byte) ([]byte, error)) error {
	return s.replace(ctx, func(there []ordered.Pair) ([]ordered.Pair, error) {
		choice, _ := schema.Value(there[0])
		posted, _ := schema.Value(there[1])
		posted, err := change(choice, posted)
		return []ordered.Pair{{Key: there[1].Key, Value: posted}}, err
	}, schema.TopicServer+string(guild), schema.TopicDayPost+string(guild))
}

// Reminder implements [game.ReminderStore]. An unreadable reminder counts as none.
func (s *Store) Reminder(ctx context.Context, player game.PlayerID) (game.Reminder, error) {
	r, err := readKey(ctx, s, schema.TopicReminder+string(player), schema.DecodeAs[game.Reminder])
	return r, s.unlessDamaged(err)
}

// Reminders implements [game.ReminderStore].
func (s *Store) Reminders(ctx context.Context, each func(game.PlayerID, game.Reminder)) error {
	return eachOf(ctx, s, schema.TopicReminder, schema.DecodeAs[game.Reminder], each)
}

// ChangeReminder implements [game.ReminderStore]. An unreadable reminder is replaced.
func (s *Store) ChangeReminder(ctx context.Context, player game.PlayerID, change func(*game.Reminder) error) (now game.Reminder, err error) {
	err = s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.TopicReminder+string(player))[0]
		now, err = schema.DecodeAs[game.Reminder](there)
		if p.fail(s.unlessDamaged(err)); p.err == nil {
			p.fail(change(&now))
		}
		p.put(there.Key, now)
	})
	return now, err
}

func (s *Store) setting(ctx context.Context, key string) ([]byte, error) {
	b, err := readKey(ctx, s, key, schema.Value)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return b, err
}

// Session implements [solve.Store].
func (s *Store) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	found, err := readKey(ctx, s, schema.TopicSession+string(player), func(p ordered.Pair) (solve.Session, error) { return schema.DecodeSession(p, player) })
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err may name the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
	return found, err
}

// CommitSession implements [solve.Store].
func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	return s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.TopicSession+string(c.Player))[0]
		stored, err := schema.DecodeSession(there, c.Player)
		switch {
		case errors.Is(err, game.ErrDamaged) && c.Version == 1:
			p.set([]ordered.Pair{schema.SetAside(there)}, nil)
		case err == nil && stored.Version+1 != c.Version:
			p.fail(game.ErrConflict)
		default:
			p.fail(err)
		}
		p.put(there.Key, c)
	})
}

// BoardMessage implements [game.BoardStore]. An unreadable message counts as missing.
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
		s.storeSoon(ordered.Pair{Key: schema.BoardKey(slot), Value: data})
	}
	return err
}

// Secret returns the secret of daily puzzles, and reads it once. An unreadable secret is set aside and replaced. That changes
// only puzzles that were never started: the others are stored.
func (s *Store) Secret(ctx context.Context) (secret []byte, err error) {
	if known := s.secret.Load(); known != nil {
		return *known, nil
	}
	err = s.replace(ctx, func(there []ordered.Pair) (set []ordered.Pair, err error) {
		secret = there[0].Value
		if !there[0].Damaged && len(secret) == schema.SecretBytes {
			return nil, nil
		}
		if secret != nil {
			s.log.Error("could not read the secret of daily puzzles; later ones are drawn with a new one")
			set = append(set, schema.SetAside(there[0]))
		}
		secret = make([]byte, schema.SecretBytes)
		_, _ = rand.Read(secret) // it never fails: see its documentation
		return append(set, ordered.Pair{Key: schema.KeySecret, Value: secret}), nil
	}, schema.KeySecret)
	if err == nil {
		s.secret.Store(&secret)
	}
	return secret, err
}

// CommandGuilds returns the servers where commands were registered and may still be, in the order of SetCommandGuilds.
func (s *Store) CommandGuilds(ctx context.Context) ([]game.GuildID, error) {
	return readKey(ctx, s, schema.KeyGuilds, schema.DecodeAs[[]game.GuildID])
}

// SetCommandGuilds replaces what CommandGuilds returns.
func (s *Store) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	return s.change(ctx, func(p *plan) { p.put(schema.KeyGuilds, guilds) })
}
