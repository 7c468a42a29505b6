package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Session implements [solve.Store].
func (s *Store) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	there, err := s.get(ctx, topicSession+string(player))
	if err != nil {
		return solve.Session{}, err
	}
	found, err := decodeSession(there[0], player)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err may name the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
	return found, err
}

func decodeSession(p ordered.Pair, player game.PlayerID) (solve.Session, error) {
	b, err := value(p)
	if err != nil {
		return solve.Session{}, err
	}
	if b == nil {
		return solve.Session{Player: player}, nil
	}
	return record.DecodeSession(b)
}

// CommitSession implements [solve.Store].
func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	data, err := record.EncodeSession(c)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return s.change(ctx, func(ctx context.Context, _ int) (ordered.Change, error) {
		there, err := s.get(ctx, topicSession+string(c.Player))
		if err != nil {
			return ordered.Change{}, err
		}
		change := ordered.Change{If: there, Set: []ordered.Pair{{Key: there[0].Key, Value: data}}}
		stored, err := decodeSession(there[0], c.Player)
		switch {
		case errors.Is(err, game.ErrDamaged) && c.Version == 1:
			change.Set = append(change.Set, setAside(there[0]))
		case err != nil:
			return ordered.Change{}, err
		case stored.Version+1 != c.Version:
			return ordered.Change{}, game.ErrConflict
		}
		return change, nil
	})
}

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

// BoardMessage implements [game.BoardStore]. One that cannot be read counts as missing, and is saved over.
func (s *Store) BoardMessage(ctx context.Context, slot game.Slot) (game.BoardMessage, bool, error) {
	there, err := s.get(ctx, boardKey(slot))
	if err != nil {
		return game.BoardMessage{}, false, err
	}
	m, err := decodeBoardMessage(there[0])
	return m, m.Match != "", s.unlessDamaged(err)
}

// SaveBoardMessage implements [game.BoardStore].
func (s *Store) SaveBoardMessage(ctx context.Context, slot game.Slot, m game.BoardMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := ordered.Pair{Key: boardKey(slot), Value: []byte(string(m.Match) + "\x00" + m.Message)}
	if _, err := decodeBoardMessage(p); err != nil {
		return fmt.Errorf("%q: %w", m.Message, game.ErrID)
	}
	s.m.Later(ordered.Change{Set: []ordered.Pair{p}})
	return nil
}

// decodeBoardMessage reads a message; a missing one is zero.
func decodeBoardMessage(p ordered.Pair) (game.BoardMessage, error) {
	b, err := value(p)
	if err != nil || b == nil {
		return game.BoardMessage{}, err
	}
	match, message, _ := strings.Cut(string(b), "\x00")
	if match == "" || message == "" || len(message) > maxBoardMessage || strings.Contains(message, "\x00") {
		return game.BoardMessage{}, fmt.Errorf("board: %w", game.ErrDamaged)
	}
	return game.BoardMessage{Match: game.MatchID(match), Message: message}, nil
}
