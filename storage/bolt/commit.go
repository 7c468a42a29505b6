package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/wordle"
)

// receiptsKept is how long the file knows which requests were made: as
// [game.Change] promises.
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
		b := bucketsOf(tx)
		if err := b.follows(c); err != nil {
			return err
		}
		return b.write(c, record)
	})
}

// follows returns game.ErrConflict unless the change follows what is stored.
// It writes nothing.
func (b buckets) follows(c game.Change) error {
	if b.receipts.Get([]byte(c.Request)) != nil {
		return game.ErrConflict
	}
	id := []byte(c.Match.ID)
	latest := b.channels.Get([]byte(c.Match.Place.Channel))
	if c.Match.Version > 1 {
		if !bytes.Equal(latest, id) {
			return game.ErrConflict
		}
		stored, err := loadMatch(b.matches, id)
		if err == nil && stored.Version+1 != c.Match.Version {
			return game.ErrConflict
		}
		return err
	}
	if b.matches.Get(id) != nil {
		return game.ErrConflict
	}
	if latest != nil {
		stored, err := loadMatch(b.matches, latest)
		if err != nil {
			return err
		}
		if stored.Status() == game.Playing {
			return game.ErrConflict
		}
	}
	drawn, err := decodeDrawn(b.drawn.Get([]byte(c.Match.Place.Pool())))
	if err != nil {
		return err
	}
	if slices.Contains(latestOf(drawn, c.KeepDrawn), c.Match.Wordle.Hidden()) {
		return game.ErrConflict
	}
	return nil
}

func (b buckets) write(c game.Change, record []byte) error {
	id := []byte(c.Match.ID)
	errs := []error{
		b.matches.Put(id, record),
		b.receipts.Put([]byte(c.Request), receipt{c.Match.Version, c.Match.ID}.encode()),
		b.receiptAges.Put(receiptAgeKey(c.At, c.Request), nothing),
		b.forgetReceipts(c.At.Add(-receiptsKept)),
	}
	if c.Match.Version == 1 {
		errs = append(errs,
			b.channels.Put([]byte(c.Match.Place.Channel), id),
			b.appendDrawn(c))
	}
	if c.Match.Status() != game.Playing {
		errs = append(errs, b.finish(c.Match.Result()))
	}
	return errors.Join(errs...)
}

// forgetReceipts drops some receipts from before the limit: a few more than a
// commit adds, so that they cannot pile up, and no commit has much to do.
func (b buckets) forgetReceipts(limit time.Time) error {
	c := b.receiptAges.Cursor()
	for range 3 {
		key, _ := c.First()
		if len(key) <= 8 || binary.BigEndian.Uint64(key) >= uint64(limit.UnixMilli()) {
			return nil
		}
		if err := b.receipts.Delete(key[8:]); err != nil {
			return err
		}
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}

func (b buckets) appendDrawn(c game.Change) error {
	pool := []byte(c.Match.Place.Pool())
	drawn, err := decodeDrawn(b.drawn.Get(pool))
	if err != nil {
		return err
	}
	var value []byte
	for _, w := range latestOf(append(drawn, c.Match.Wordle.Hidden()), c.KeepDrawn) {
		value = append(value, w.String()...)
	}
	return b.drawn.Put(pool, value)
}

func latestOf(words []wordle.Word, n int) []wordle.Word {
	return words[max(0, len(words)-n):]
}

// finish appends a result to the log and counts it in everybody's totals and in
// the guild's order.
func (b buckets) finish(r game.Result) error {
	record, err := game.EncodeResult(r)
	if err != nil {
		return err
	}
	n, err := b.results.NextSequence()
	if err != nil {
		return err
	}
	if err := b.results.Put(number(n), record); err != nil {
		return err
	}
	for _, guild := range r.Scopes() {
		for _, p := range r.Parts {
			if err := b.count(guild, r, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b buckets) count(guild game.GuildID, r game.Result, p game.Part) error {
	old, err := loadTotals(b.totals, guild, p.Player)
	if err != nil {
		return err
	}
	return b.setTotals(guild, old, old.Add(r, p))
}

// setTotals replaces a player's totals and moves the player in the guild's
// order. Everywhere (the empty guild) has no order.
func (b buckets) setTotals(guild game.GuildID, old, now game.Totals) error {
	record, err := game.EncodeTotals(now)
	if err != nil {
		return err
	}
	if err := b.totals.Put(totalsKey(guild, now.Player), record); err != nil {
		return err
	}
	if guild == "" || now.Played == old.Played {
		return nil
	}
	list := b.ranksOf(guild)
	if old.Played > 0 {
		if err := list.remove(rankKey(old)); err != nil {
			return err
		}
	}
	return list.insert(rankKey(now))
}
