package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

var _ game.BoardStore = (*Store)(nil)

// bucketBoards has the message that shows the latest match of a slot: key of the slot →
// match NUL message. A file gets the bucket when a release that knows it first opens it: see
// addLateBuckets.
var bucketBoards = []byte("boards")

func (s *Store) BoardMessage(ctx context.Context, slot game.Slot) (m game.BoardMessage, ok bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		value := buckets{tx, s.codecs}.Bucket(bucketBoards).Get([]byte(slot.Key()))
		if ok = value != nil; !ok {
			return nil
		}
		m, err = decodeBoardMessage(value)
		return err
	})
	if errors.Is(err, game.ErrDamaged) { // the next one is saved over it
		s.damaged(err)
		return game.BoardMessage{}, false, nil
	}
	return m, ok && err == nil, err
}

func (s *Store) SaveBoardMessage(ctx context.Context, slot game.Slot, m game.BoardMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	value := []byte(string(m.Match) + "\x00" + m.Message)
	if _, err := decodeBoardMessage(value); err != nil {
		return fmt.Errorf("%q: %w", m.Message, game.ErrID)
	}
	s.group.soon(func(tx *bbolt.Tx) error {
		boards := buckets{tx, s.codecs}.Bucket(bucketBoards)
		if there, err := boards.read([]byte(slot.Key())); err == nil && bytes.Equal(there, value) {
			return game.ErrConflict // nothing to write
		}
		return boards.Put([]byte(slot.Key()), value)
	})
	return nil
}

func decodeBoardMessage(value []byte) (game.BoardMessage, error) {
	match, message, _ := strings.Cut(string(value), "\x00")
	if match == "" || message == "" || len(message) > maxBoardMessage || strings.Contains(message, "\x00") {
		return game.BoardMessage{}, fmt.Errorf("board message: %w", game.ErrDamaged)
	}
	return game.BoardMessage{Match: game.MatchID(match), Message: message}, nil
}

// maxBoardMessage is how long a message's identifier may be, in bytes.
const maxBoardMessage = 100
