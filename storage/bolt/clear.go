package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
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

// Others' commits wait for one transaction of a clearing at most; after each, the clearing rests
// for as long as it took.
const (
	// clearBatch is how many matches are made anonymous in one transaction at most, and
	// clearLeast how many on a slow disk. Each writes to some seven pages of the file.
	clearBatch = 25
	clearLeast = 5
	// clearSlice is how long a transaction should take. After that time no match is added to it,
	// and if writing it took longer, the next one has fewer.
	clearSlice = 50 * time.Millisecond
)

// Clear makes a player anonymous. The first transaction stores that it is to be done and
// removes the totals, so that the player is out of all leaderboards. The matches follow
// in batches, with other players' commits between them. If ctx or the process ends
// meanwhile, it goes on: in the background, or at the next start. Matches that end later are not
// affected.
func (s *Store) Clear(ctx context.Context, c game.ClearRequest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.warm(func(b buckets) error { return b.readTotals(c.Player) })
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
	case err := <-s.clearInBackground(c.Player):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// warm reads what the next transaction is going to read. In a large file that may take
// seconds, since each page comes from the disk, and all commits would wait for it.
// The transaction finds any error again.
func (s *Store) warm(read func(buckets) error) {
	_ = s.read(s.closing, func(tx *bbolt.Tx) error { return read(buckets{tx, s.codecs}) })
}

// readTotals reads what dropAllTotals changes.
func (b buckets) readTotals(player game.PlayerID) error {
	scopes, err := b.scopesOf(player)
	if err != nil {
		return err
	}
	for _, s := range scopes {
		t, err := b.loadTotals(s, player)
		if err != nil {
			return err
		}
		if s.Guild == "" || t.Played == 0 {
			continue
		}
		ranks := b.ranksOf(s)
		key := rankKey(t)
		if _, _, err := ranks.find(key); err != nil {
			return err
		}
		ranks.keys.Get(ranks.stored(key))
	}
	return nil
}

// beginClear removes the player's totals, look and slots without a match in progress, and
// stores which matches are to be made anonymous.
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

// clearInBackground goes on with a player's clearing. The channel gets the error, or nil once
// every clearing is done that began before the call.
func (s *Store) clearInBackground(player game.PlayerID) <-chan error {
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
// have come meanwhile.
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
	batch := s.clearBatch
	for {
		if s.closing.Err() != nil {
			return os.ErrClosed
		}
		s.warm(func(b buckets) error { return b.readNext(player, batch) })
		began := time.Now()
		more := false
		err := s.group.commit(s.closing, func(tx *bbolt.Tx) (err error) {
			more, err = buckets{tx, s.codecs}.clearSome(player, batch, s.clearSlice)
			return err
		})
		if errors.Is(err, game.ErrConflict) {
			return nil // nothing is left
		}
		if err != nil || !more {
			return err
		}
		took := time.Since(began)
		batch = nextBatch(batch, took, s.clearSlice, s.clearBatch)
		select {
		case <-s.closing.Done():
		case <-time.After(took):
		}
	}
}

// nextBatch returns how many matches a transaction should have after one of batch matches
// took so long.
func nextBatch(batch int, took, slice time.Duration, most int) int {
	fitting := float64(batch) * float64(slice) / float64(max(1, took))
	return int(min(max(fitting, clearLeast), float64(most)))
}

// clearSome makes the next matches of a player anonymous, until there are enough of them or
// enough time has passed, and reports whether there may be more. The error is
// game.ErrConflict if there is nothing to do.
func (b buckets) clearSome(player game.PlayerID, most int, slice time.Duration) (more bool, err error) {
	began := time.Now()
	pending := b.Bucket(bucketClearing)
	switch {
	case !pending.has([]byte(player)):
		return false, game.ErrConflict
	case b.stale(histories) != nil: // it goes on when they have been made again
		return false, fmt.Errorf("%s: %w", histories.name, game.ErrRebuilding)
	}
	logs, err := b.nextToClear(player, most)
	if err != nil {
		return false, err
	}
	for i, log := range logs {
		if i > 0 && time.Since(began) >= slice {
			return true, nil
		}
		changes, err := b.anonymized(player, log)
		if err != nil {
			return false, err
		}
		if err := b.put(changes...); err != nil {
			return false, err
		}
	}
	if len(logs) == most {
		return true, nil
	}
	return false, pending.Delete([]byte(player))
}

// nextToClear returns the keys in the log of the next matches to be made anonymous.
func (b buckets) nextToClear(player game.PlayerID, most int) (logs [][]byte, err error) {
	upTo, err := b.clearedUpTo(player)
	if err != nil {
		return nil, err
	}
	prefix := playerPrefix(player, "") // the history of everywhere has every match
	c := b.Bucket(bucketPlayers).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(logs) < most; k, v = c.Next() {
		if len(k) != len(prefix)+8 || !isEntry(v) {
			return nil, fmt.Errorf("history: %w", game.ErrDamaged)
		}
		if binary.BigEndian.Uint64(v) > upTo {
			break
		}
		logs = append(logs, bytes.Clone(v[:8]))
	}
	return logs, nil
}

// readNext reads what clearSome changes.
func (b buckets) readNext(player game.PlayerID, most int) error {
	logs, err := b.nextToClear(player, most)
	if err != nil {
		return err
	}
	for _, log := range logs {
		changes, err := b.anonymized(player, log)
		if err != nil {
			return err
		}
		for _, c := range changes {
			b.Bucket(c.bucket).Get(c.key)
		}
	}
	return nil
}

// anonymized returns the changes that take the player's name from a match and its result,
// the match from the player's histories and, if nobody else took part, from every list.
func (b buckets) anonymized(player game.PlayerID, log []byte) ([]row, error) {
	r, err := b.loadResult(log)
	if err != nil {
		return nil, err
	}
	id := []byte(r.Match)
	own, err := decodeNumber(b.Bucket(bucketNumbers).Get(id))
	if err != nil {
		return nil, err
	}
	if b.lost(id) {
		return anonymizedLost(player, r, own)
	}
	stored, err := loadEntry(b.Bucket(bucketMatches), id)
	if err != nil {
		return nil, err
	}
	match, err := b.codecs.DecodeMatch(stored.record)
	if err != nil {
		return nil, err
	}
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
		return nil, err
	}
	resultRecord, err := record.EncodeResult(result)
	if err != nil {
		return nil, err
	}
	changes := []row{
		{bucketMatches, id, matchEntry{stored.requests, matchRecord}.encode()},
		{bucketResults, log, resultRecord},
	}
	return append(changes, unlisted(r, own, gone, alone)...), nil
}

// anonymizedLost does what anonymized does for the result of a match that is lost. What was
// set aside of the match may have the player's name, and is removed.
func anonymizedLost(player game.PlayerID, r game.Result, own uint64) ([]row, error) {
	if r.Winner == player {
		r.Winner = ""
	}
	r.Participants = slices.Clone(r.Participants)
	for i, p := range r.Participants {
		if p.Player == player {
			r.Participants[i].Player = ""
		}
	}
	data, err := record.EncodeResult(r)
	if err != nil {
		return nil, err
	}
	changes := []row{
		{bucketDamaged, asideKey(bucketMatches, []byte(r.Match)), nothing},
		{bucketResults, number(r.Number), data},
	}
	return append(changes, unlisted(r, own, []game.PlayerID{player}, r.Anonymous())...), nil
}

// unlisted returns the changes that take a match from the histories of players and, if they
// were alone in it, from every list. Its number in its community is own.
func unlisted(r game.Result, own uint64, players []game.PlayerID, alone bool) []row {
	id, community := []byte(r.Match), r.Location.Community()
	var changes []row
	if alone {
		changes = append(changes,
			row{bucketHistory, indexKey(communityPrefix(community), own), nil},
			row{bucketNumbers, id, nil},
			row{bucketReviews, id, nil})
	}
	for _, p := range players {
		changes = append(changes,
			row{bucketPlayers, indexKey(playerPrefix(p, community), own), nil},
			row{bucketOwn, indexKey(playerPrefix(p, community), own), nil},
			row{bucketPlayers, indexKey(playerPrefix(p, ""), r.Number), nil})
	}
	return changes
}

// dropAllTotals removes a player's totals. Stale ones can stay: they are made again without
// the results that are to be made anonymous. If that has begun already, they are removed
// too, since some of these results may be in them.
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
