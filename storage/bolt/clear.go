package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// bucketClearing has the clearings in progress: player → number of the last result to
// be made anonymous. Since format 6.
var bucketClearing = []byte("clearing")

// clearBatch is how many matches are made anonymous in one transaction. Each writes to
// some eight leaves of the file, and others' commits wait for one transaction at most.
// Between two of them is a rest as long as the first one took.
const clearBatch = 25

// Clear makes a player anonymous. The first transaction stores that it is to be done and
// removes the totals, so that the player is out of all leaderboards. The matches follow
// in batches, with other players' commits between them. If ctx or the process ends
// meanwhile, it goes on: behind, or at the next start. Matches that end later are not
// affected.
func (s *Store) Clear(ctx context.Context, c game.ClearRequest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if b.Bucket(bucketReceipts).Get([]byte(c.Request)) != nil {
			return game.ErrConflict
		}
		return b.beginClear(c)
	})
	if err != nil && !errors.Is(err, game.ErrConflict) { // a conflict: it was begun before
		return err
	}
	select {
	case err := <-s.clearBehind(c.Player):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// beginClear removes what would take the player's matches to count again, and stores
// which matches are to be made anonymous.
func (b buckets) beginClear(c game.ClearRequest) error {
	if b.stale(histories) != nil { // they say which matches these are
		return fmt.Errorf("%s: %w", histories.name, game.ErrRebuilding)
	}
	var scopes []game.Scope
	if err := b.deriveNow(histories, func() (err error) {
		scopes, err = b.scopesOf(c.Player)
		return err
	}); err != nil {
		return err
	}
	archived, err := b.dropArchive(c.Player)
	if err != nil {
		return err
	}
	if err := b.dropAllTotals(append(scopes, archived...), c.Player); err != nil {
		return err
	}
	if err := b.dropSlots(c.Player); err != nil {
		return err
	}
	if err := b.Bucket(bucketLooks).Delete([]byte(c.Player)); err != nil {
		return err
	}
	upTo := b.Bucket(bucketResults).stored.Sequence()
	if err := b.put(row{bucketClearing, []byte(c.Player), number(upTo)}); err != nil {
		return err
	}
	return b.keepReceipt(c.Request, receipt{at: c.At})
}

// scopesOf returns the scopes in which a player may have totals. It jumps from one
// community of the player's histories to the next.
func (b buckets) scopesOf(player game.PlayerID) ([]game.Scope, error) {
	guilds := map[game.GuildID]bool{"": true} // everywhere
	prefix := append([]byte(player), 0)
	for _, index := range [][]byte{bucketPlayers, bucketOwn} {
		c := b.Bucket(index).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); {
			community, _, ok := strings.Cut(string(k[len(prefix):]), "\x00")
			if !ok {
				return nil, fmt.Errorf("history: %w", game.ErrDamaged)
			}
			if guild, ok := game.GuildOf(community); ok {
				guilds[guild] = true
			}
			k, _ = c.Seek(append(append(bytes.Clone(prefix), community...), 1)) // after all numbers, which follow a NUL
		}
	}
	var scopes []game.Scope
	for _, codec := range b.codecs {
		for guild := range guilds {
			scopes = append(scopes, game.Scope{Kind: codec.Kind, Guild: guild})
		}
	}
	return scopes, nil
}

// clearer has the callers that wait until a player's history is cleared. A player with an
// entry is being cleared.
type clearer struct {
	mu      sync.Mutex // protects waiting
	waiting map[game.PlayerID][]chan error
}

// clearBehind goes on with a player's clearing. What it returns gets the error, or nil
// once all is done that has begun before the call.
func (s *Store) clearBehind(player game.PlayerID) <-chan error {
	done := make(chan error, 1)
	s.clearing.mu.Lock()
	defer s.clearing.mu.Unlock()
	waiting, busy := s.clearing.waiting[player]
	s.clearing.waiting[player] = append(waiting, done)
	if !busy {
		s.background.Go(func() {
			for s.clearFor(player) {
			}
		})
	}
	return done
}

// clearFor finishes the clearing for those who wait for it now, and reports whether others
// wait by then.
func (s *Store) clearFor(player game.PlayerID) (more bool) {
	s.clearing.mu.Lock()
	waiting := s.clearing.waiting[player]
	s.clearing.waiting[player] = nil
	s.clearing.mu.Unlock()
	err := s.finishClear(player)
	for _, done := range waiting {
		done <- err
	}
	s.clearing.mu.Lock()
	defer s.clearing.mu.Unlock()
	if len(s.clearing.waiting[player]) == 0 {
		delete(s.clearing.waiting, player)
		return false
	}
	return true
}

// finishClear makes the player's matches anonymous, batch by batch.
func (s *Store) finishClear(player game.PlayerID) error {
	for {
		if s.closing.Err() != nil {
			return os.ErrClosed
		}
		began := time.Now()
		more := false
		err := s.group.commit(s.closing, func(tx *bbolt.Tx) (err error) {
			more, err = buckets{tx, s.codecs}.clearSome(player, s.clearBatch)
			return err
		})
		if errors.Is(err, game.ErrConflict) {
			return nil // nothing is left
		}
		if err != nil || !more {
			return err
		}
		select {
		case <-s.closing.Done():
		case <-time.After(time.Since(began)):
		}
	}
}

// clearSome makes the next matches of a player anonymous, and reports whether there may be
// more. The error is game.ErrConflict if there is nothing to do.
func (b buckets) clearSome(player game.PlayerID, most int) (more bool, err error) {
	pending := b.Bucket(bucketClearing)
	upTo, err := b.clearedUpTo(player)
	switch {
	case err != nil:
		return false, err
	case !pending.has([]byte(player)):
		return false, game.ErrConflict
	case b.stale(histories) != nil: // it goes on when they have been made again
		return false, fmt.Errorf("%s: %w", histories.name, game.ErrRebuilding)
	}
	var logs [][]byte
	prefix := playerPrefix(player, "") // every match is in the history of everywhere
	c := b.Bucket(bucketPlayers).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(logs) < most; k, v = c.Next() {
		if len(k) != len(prefix)+8 || !isEntry(v) {
			return false, fmt.Errorf("history: %w", game.ErrDamaged)
		}
		if binary.BigEndian.Uint64(v) > upTo {
			break
		}
		logs = append(logs, bytes.Clone(v[:8]))
	}
	for _, log := range logs {
		if err := b.anonymize(player, log); err != nil {
			return false, err
		}
	}
	if len(logs) == most {
		return true, nil
	}
	return false, pending.Delete([]byte(player))
}

// anonymize takes the player's name from a match and its result, the match from the
// player's histories and, if nobody else took part, from every list.
func (b buckets) anonymize(player game.PlayerID, log []byte) error {
	r, err := b.loadResult(log)
	if err != nil {
		return err
	}
	id := []byte(r.Match)
	stored, err := loadEntry(b.Bucket(bucketMatches), id)
	if err != nil {
		return err
	}
	match, err := b.codecs.DecodeMatch(stored.record)
	if err != nil {
		return err
	}
	own, err := decodeNumber(b.Bucket(bucketNumbers).Get(id))
	if err != nil {
		return err
	}
	community := match.Location.Community()
	gone := []game.PlayerID{player}
	match = match.Without(player)
	alone := match.Result().Anonymous()
	if alone {
		// No list leads to it any more, so players who only started or stopped it would
		// stay named for ever.
		for _, p := range match.Named() {
			match = match.Without(p)
			gone = append(gone, p)
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
		{bucketResults, log, resultRecord},
	}
	if alone {
		changes = append(changes,
			row{bucketHistory, indexKey(communityPrefix(community), own), nil},
			row{bucketNumbers, id, nil},
			row{bucketReviews, id, nil})
	}
	for _, p := range gone {
		changes = append(changes,
			row{bucketPlayers, indexKey(playerPrefix(p, community), own), nil},
			row{bucketOwn, indexKey(playerPrefix(p, community), own), nil},
			row{bucketPlayers, indexKey(playerPrefix(p, ""), r.Number), nil})
	}
	return b.put(changes...)
}

// dropAllTotals removes a player's totals. Damaged ones need not be: they are made again
// without the results that are to be made anonymous. Those that are being made again must
// be, since some of these results may be in them.
func (b buckets) dropAllTotals(scopes []game.Scope, player game.PlayerID) error {
	if bytes.Equal(b.stale(statistics), staleMark) {
		return nil
	}
	err := guard(func() error {
		for _, s := range scopes {
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

// clearedUpTo returns the number of the last result that is to be made anonymous for a
// player whose clearing is in progress, otherwise 0. Such results no longer count.
func (b buckets) clearedUpTo(player game.PlayerID) (uint64, error) {
	return decodeNumber(b.Bucket(bucketClearing).Get([]byte(player)))
}

// clearingPlayers returns the players whose clearing has not come to its end.
func (s *Store) clearingPlayers() (players []game.PlayerID, err error) {
	err = s.read(s.closing, func(tx *bbolt.Tx) error {
		return buckets{tx, s.codecs}.Bucket(bucketClearing).ForEach(func(player, _ []byte) error {
			players = append(players, game.PlayerID(player))
			return nil
		})
	})
	return players, err
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
