package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Clear makes a player anonymous in one transaction.
func (s *Store) Clear(ctx context.Context, c game.ClearRequest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if b.Bucket(bucketReceipts).Get([]byte(c.Request)) != nil {
			return game.ErrConflict
		}
		return b.clear(c)
	})
	if errors.Is(err, game.ErrConflict) {
		return nil // it was done before
	}
	return err
}

func (b buckets) clear(c game.ClearRequest) error {
	if b.stale(histories) != nil { // they say which matches to change
		return fmt.Errorf("%s: %w", histories.name, game.ErrRebuilding)
	}
	var names []historyKey
	if err := b.deriveNow(histories, func() (err error) {
		names, err = b.namedIn(c.Player)
		return err
	}); err != nil {
		return err
	}
	scopes := map[game.Scope]bool{}
	for _, n := range names {
		if n.community == "" {
			continue // every match is in the history of its own community too
		}
		r, err := b.loadResult(n.log)
		if err != nil {
			return err
		}
		for _, s := range r.Scopes() {
			scopes[s] = true
		}
		if err := b.anonymize(c.Player, n, r); err != nil {
			return err
		}
	}
	for _, n := range names {
		if err := b.Bucket(bucketPlayers).Delete(n.key); err != nil {
			return err
		}
	}
	if err := b.dropAllTotals(scopes, c.Player); err != nil {
		return err
	}
	if err := b.dropSlots(c.Player); err != nil {
		return err
	}
	return b.keepReceipt(c.Request, receipt{at: c.At})
}

// historyKey is one key of a player's histories. The caller owns the slices.
type historyKey struct {
	key       []byte
	community string // empty for everywhere
	number    uint64 // in the community
	log       []byte // the number of the result
}

func (b buckets) namedIn(player game.PlayerID) ([]historyKey, error) {
	var names []historyKey
	prefix := append([]byte(player), 0)
	c := b.Bucket(bucketPlayers).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		community, n, ok := strings.Cut(string(k[len(prefix):]), "\x00")
		if !ok || len(n) != 8 || len(v) < entryHead {
			return nil, fmt.Errorf("history: %w", game.ErrDamaged)
		}
		names = append(names, historyKey{bytes.Clone(k), community, binary.BigEndian.Uint64([]byte(n)), bytes.Clone(v[:8])})
	}
	return names, nil
}

// anonymize takes the player's name from a match and its result, and the match from
// every list when nobody else took part.
func (b buckets) anonymize(player game.PlayerID, n historyKey, r game.Result) error {
	id := []byte(r.Match)
	stored, err := loadEntry(b.Bucket(bucketMatches), id)
	if err != nil {
		return err
	}
	match, err := b.codecs.DecodeMatch(stored.record)
	if err != nil {
		return err
	}
	named := match.Named()
	match = match.Without(player)
	alone := match.Result().Anonymous()
	if alone {
		// No list leads to it any more, so players who only started or stopped it would
		// stay named for ever.
		for _, p := range named {
			match = match.Without(p)
		}
	}
	result := match.Result()
	matchRecord, err := b.codecs.EncodeMatch(match)
	if err != nil {
		return err
	}
	resultRecord, err := record.EncodeResult(result)
	if err != nil {
		return err
	}
	changes := []row{
		{bucketMatches, id, matchEntry{stored.requests, matchRecord}.encode()},
		{bucketResults, n.log, resultRecord},
	}
	if alone {
		changes = append(changes,
			row{bucketHistory, indexKey(communityPrefix(n.community), n.number), nil},
			row{bucketNumbers, id, nil},
			row{bucketReviews, id, nil})
		for _, p := range named {
			changes = append(changes,
				row{bucketPlayers, indexKey(playerPrefix(p, n.community), n.number), nil},
				row{bucketPlayers, indexKey(playerPrefix(p, ""), binary.BigEndian.Uint64(n.log)), nil})
		}
	}
	return b.put(changes...)
}

// dropAllTotals removes a player's totals. Damaged ones need not be: they are made again
// from results that do not name the player. Those that are being made again must be, since
// earlier results did.
func (b buckets) dropAllTotals(scopes map[game.Scope]bool, player game.PlayerID) error {
	if bytes.Equal(b.stale(statistics), staleMark) {
		return nil
	}
	err := guard(func() error {
		for s := range scopes {
			if err := b.dropTotals(s, player); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, game.ErrDamaged) {
		err = &damagedDerivation{statistics, err}
	}
	return err
}

// dropTotals removes a player's totals and, in a guild, the place in its order.
func (b buckets) dropTotals(s game.Scope, player game.PlayerID) error {
	old, err := b.loadTotals(s, player)
	if err != nil {
		return err
	}
	if s.Guild != "" && old.Played > 0 {
		if err := b.ranksOf(s).remove(rankKey(old)); err != nil {
			return err
		}
	}
	return b.Bucket(bucketTotals).Delete(b.totalsKey(s, player))
}

// dropSlots forgets the player's own slots in which no match is being played.
func (b buckets) dropSlots(player game.PlayerID) error {
	slots := b.Bucket(bucketSlots)
	prefix := []byte(game.PlayerKeyPrefix(player))
	var ended [][]byte
	c := slots.Cursor()
	for key, id := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, id = c.Next() {
		match, err := b.loadMatch(id)
		if err != nil {
			return err
		}
		if match.Status() != game.Playing {
			ended = append(ended, bytes.Clone(key))
		}
	}
	for _, key := range ended {
		if err := slots.Delete(key); err != nil {
			return err
		}
	}
	return nil
}
