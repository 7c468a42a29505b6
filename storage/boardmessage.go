package storage

import (
	"context"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// BoardMessage implements [game.BoardStore]. One that cannot be read counts as missing, and is saved over.
func (s *Store) BoardMessage(ctx context.Context, slot game.Slot) (game.BoardMessage, bool, error) {
	there, err := s.m.Get(ctx, boardKey(slot))
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
	s.m.Later(p)
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
