package bolt

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/wordle"
)

// receiptsKept is how long a receipt is kept, as [game.Change] promises.
const receiptsKept = 24 * time.Hour

// Commit stores a change, with the result and the statistics of a match that it
// ends, in one transaction.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := game.EncodeMatch(c.Match)
	if err != nil {
		return fmt.Errorf("match %s: %w", c.Match.ID, err)
	}
	return s.group.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx}
		requests, err := b.follow(c)
		if err != nil {
			return err
		}
		return b.write(c, matchEntry{append(requests, c.Request), record})
	})
}

// follow returns the requests of the match so far when the change is the next one
// after what is stored, and game.ErrConflict otherwise. It writes nothing.
func (b buckets) follow(c game.Change) ([]game.RequestID, error) {
	id := []byte(c.Match.ID)
	table := c.Match.Table()
	latest := b.Bucket(bucketTables).Get([]byte(table.Key()))
	if b.Bucket(bucketReceipts).Get([]byte(c.Request)) != nil {
		return nil, game.ErrConflict
	}
	if c.Match.Version > 1 {
		if !bytes.Equal(latest, id) {
			return nil, game.ErrConflict
		}
		stored, err := loadEntry(b.Bucket(bucketMatches), id)
		if err == nil && (stored.version()+1 != c.Match.Version || slices.Contains(stored.requests, c.Request)) {
			err = game.ErrConflict
		}
		return stored.requests, err
	}
	if b.Bucket(bucketMatches).Get(id) != nil {
		return nil, game.ErrConflict
	}
	if latest != nil {
		stored, err := loadMatch(b.Bucket(bucketMatches), latest)
		if err == nil && (stored.Status() == game.Playing || table.Day != 0) {
			err = game.ErrConflict
		}
		if err != nil {
			return nil, err
		}
	}
	drawn, err := decodeDrawn(b.Bucket(bucketDrawn).Get([]byte(c.Match.Place.Pool())))
	if err != nil {
		return nil, err
	}
	if slices.Contains(latestOf(drawn, c.KeepDrawn), c.Match.Wordle.Hidden()) {
		return nil, game.ErrConflict
	}
	return nil, nil
}

// write stores the match and, when it ends, everything that follows from its result.
func (b buckets) write(c game.Change, e matchEntry) error {
	id := []byte(c.Match.ID)
	if err := b.put(row{bucketMatches, id, e.encode()}); err != nil {
		return err
	}
	if c.Match.Version == 1 {
		if err := b.put(row{bucketTables, []byte(c.Match.Table().Key()), id}); err != nil {
			return err
		}
		if c.Match.Kind() == game.Wordle {
			if err := b.appendDrawn(c); err != nil {
				return err
			}
		}
	}
	if c.Match.Status() == game.Playing {
		return nil
	}
	if err := b.finish(c.Match); err != nil {
		return err
	}
	return b.keepReceipts(c, e.requests)
}

// put writes rows in their order and stops at the first error. A row whose value is
// nil is deleted.
func (b buckets) put(rows ...row) error {
	for _, r := range rows {
		var err error
		if r.value == nil {
			err = b.Bucket(r.bucket).Delete(r.key)
		} else {
			err = b.Bucket(r.bucket).Put(r.key, r.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepReceipts keeps a receipt for each request of a match that has ended. Requests
// are looked up in the latest match first, which this one will not be for long.
func (b buckets) keepReceipts(c game.Change, requests []game.RequestID) error {
	for i, request := range requests {
		if err := b.keepReceipt(request, receipt{uint64(i + 1), c.At, c.Match.ID}); err != nil {
			return err
		}
	}
	return nil
}

// keepReceipt keeps a receipt and deletes up to two old ones, so that receipts do
// not pile up and no commit has many to delete. Request ids grow with time in every
// front, so the first keys are the oldest.
func (b buckets) keepReceipt(request game.RequestID, now receipt) error {
	receipts := b.Bucket(bucketReceipts)
	if err := receipts.Put([]byte(request), now.encode()); err != nil {
		return err
	}
	oldest := receipts.Cursor()
	for range 2 {
		key, value := oldest.First()
		if key == nil {
			return nil
		}
		r, err := decodeReceipt(value)
		if err != nil {
			return err
		}
		if now.at.Sub(r.at) < receiptsKept {
			return nil
		}
		if err := oldest.Delete(); err != nil {
			return err
		}
	}
	return nil
}

func (b buckets) appendDrawn(c game.Change) error {
	pool := []byte(c.Match.Place.Pool())
	drawn, err := decodeDrawn(b.Bucket(bucketDrawn).Get(pool))
	if err != nil {
		return err
	}
	var value []byte
	for _, w := range latestOf(append(drawn, c.Match.Wordle.Hidden()), c.KeepDrawn) {
		value = append(value, w.String()...)
	}
	return b.Bucket(bucketDrawn).Put(pool, value)
}

func latestOf(words []wordle.Word, n int) []wordle.Word {
	return words[max(0, len(words)-n):]
}

// finish appends the result of an ended match to the log and the histories, and adds
// it to the totals of its players and the guild's leaderboard.
func (b buckets) finish(m game.Match) error {
	r := m.Result()
	record, err := game.EncodeResult(r)
	if err != nil {
		return err
	}
	n, err := b.Bucket(bucketResults).NextSequence()
	if err != nil {
		return err
	}
	if err := b.Bucket(bucketResults).Put(number(n), record); err != nil {
		return err
	}
	if err := b.remember(m, n); err != nil {
		return err
	}
	for _, scope := range r.Scopes() {
		for _, p := range r.Parts {
			if err := b.addToTotals(scope, r, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b buckets) addToTotals(s game.Scope, r game.Result, p game.Part) error {
	old, err := loadTotals(b.Bucket(bucketTotals), s, p.Player)
	if err != nil {
		return err
	}
	return b.setTotals(s, old, old.Add(r, p))
}

// setTotals replaces a player's totals and moves the player in the scope's
// leaderboard. There is none for the empty guild, which means everywhere.
func (b buckets) setTotals(s game.Scope, old, now game.Totals) error {
	record, err := game.EncodeTotals(now)
	if err != nil {
		return err
	}
	if err := b.Bucket(bucketTotals).Put(totalsKey(s, now.Player), record); err != nil {
		return err
	}
	if s.Guild == "" || now.Played == old.Played {
		return nil
	}
	list := b.ranksOf(s)
	if old.Played > 0 {
		if err := list.remove(rankKey(old)); err != nil {
			return err
		}
	}
	return list.insert(rankKey(now))
}
