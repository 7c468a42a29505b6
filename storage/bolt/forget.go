package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Forgetting removes results from the beginning of the log. What they count for goes to
// the archive in the same transaction, so that archive + log = totals at every moment;
// totals and leaderboards themselves do not change. Since only the oldest results go,
// adding the rest of the log to the archive gives the right streaks too.

const (
	// forgetBatch is how many matches are removed in one transaction: see clearBatch.
	forgetBatch = 25
	// forgetRest is how long the rest after a transaction is, as a multiple of how long that
	// took.
	forgetRest = 4
	// forgetEvery is how often the store looks for matches to remove.
	forgetEvery = time.Hour
)

// Forget removes old matches batch by batch. It returns game.ErrRebuilding while derived data
// is stale, since that is made again from the results in the log.
func (s *Store) Forget(ctx context.Context, before time.Time) (removed int, err error) {
	for {
		began := time.Now()
		batch := 0
		err := s.commit(ctx, func(tx *bbolt.Tx) (err error) {
			batch, err = buckets{tx, s.codecs}.forgetSome(before, s.forgetBatch)
			return err
		})
		if errors.Is(err, game.ErrConflict) {
			return removed, nil // nothing is left
		}
		if err != nil {
			return removed, err
		}
		removed += batch
		select {
		case <-ctx.Done():
			return removed, ctx.Err()
		case <-s.closing.Done():
			return removed, os.ErrClosed
		case <-time.After(forgetRest * time.Since(began)):
		}
	}
}

func (s *Store) Forgotten(ctx context.Context, community string) (n uint64, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		n, err = buckets{tx, s.codecs}.forgottenIn(community)
		return err
	})
	return n, err
}

// keepFor removes matches when they are older than keep, until the store is closed.
func (s *Store) keepFor(keep time.Duration) {
	for {
		wait := forgetEvery
		latest, err := s.latestEnd()
		if err == nil && !latest.IsZero() {
			var removed int
			removed, err = s.Forget(s.closing, latest.Add(-keep))
			if removed > 0 {
				s.group.disk.log.Info("finished games that were kept long enough were removed", "games", removed)
			}
		}
		switch {
		case s.closing.Err() != nil:
			return
		case errors.Is(err, game.ErrRebuilding):
			wait = time.Minute
		case err != nil && !errors.Is(err, game.ErrNotSaved): // that is logged elsewhere
			s.group.disk.log.Error("old finished games cannot be removed; please check the file", "error", err)
		}
		select {
		case <-s.closing.Done():
			return
		case <-time.After(wait):
		}
	}
}

// latestEnd returns the time from which the age of matches counts: now, or when the last
// request was made in the last match of the log if that was earlier by Discord's clock. If our
// own clock is wrong for a while, nothing must be removed too early. It is zero if the log is
// empty.
func (s *Store) latestEnd() (at time.Time, err error) {
	err = s.read(s.closing, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		key, _ := b.Bucket(bucketResults).stored.Cursor().Last()
		if key == nil {
			return nil
		}
		r, err := b.loadResult(key)
		if err != nil {
			return err
		}
		at = time.Now()
		old, err := b.forgettable(r)
		if made, ok := record.LastMade(old.entry.requests); ok && made.Before(at) {
			at = made
		}
		return err
	})
	return at, err
}

// forgettable is a result with what leads to its match.
type forgettable struct {
	finished
	ended time.Time // by Discord's clock if the last request says that
	// entry and slot are of the match, and zero if that was set aside.
	entry matchEntry
	slot  game.Slot
}

// forgettable returns what is to be removed with a result. The error is game.ErrDamaged for a
// match that cannot be read and was not set aside: nothing else says what leads to it.
func (b buckets) forgettable(r game.Result) (forgettable, error) {
	f := forgettable{finished: finished{Result: r}, ended: r.Ended}
	id := []byte(r.Match)
	if b.lost(id) {
		f.finished = b.finished(r)
		return f, nil
	}
	m, err := b.loadMatch(id)
	if err != nil {
		return f, err
	}
	if f.entry, err = loadEntry(b.Bucket(bucketMatches), id); err != nil {
		return f, err
	}
	f.named, f.slot = m.Named(), m.Slot()
	if at, ok := f.entry.requests[len(f.entry.requests)-1].Made(); ok {
		f.ended = at
	}
	return f, nil
}

// forgetSome removes the next matches that ended before a time, and returns how many. The
// error is game.ErrConflict if there are none.
func (b buckets) forgetSome(before time.Time, most int) (int, error) {
	for _, d := range derivations {
		if b.stale(d) != nil {
			return 0, fmt.Errorf("%s: %w", d.name, game.ErrRebuilding)
		}
	}
	var old []forgettable
	c := b.Bucket(bucketResults).stored.Cursor()
	for key, _ := c.First(); key != nil && len(old) < most; key, _ = c.Next() {
		if len(key) != 8 {
			return 0, fmt.Errorf("results: %w", game.ErrDamaged)
		}
		r, err := b.loadResult(key)
		if err != nil {
			return 0, err
		}
		f, err := b.forgettable(r)
		if err != nil {
			return 0, err
		}
		if !f.ended.Before(before) {
			break
		}
		old = append(old, f)
	}
	if len(old) == 0 {
		return 0, game.ErrConflict
	}
	for _, f := range old {
		if err := b.forget(f); err != nil {
			return 0, err
		}
	}
	last := old[len(old)-1]
	return len(old), b.put(row{bucketForgotten, keyForgotten, forgotten{last.Number, last.Ended}.encode()})
}

// forget removes a result, and all that there is of its match.
func (b buckets) forget(f forgettable) error {
	if err := b.archive(f.finished); err != nil {
		return err
	}
	id := []byte(f.Match)
	community := f.Location.Community()
	if own := b.Bucket(bucketNumbers).Get(id); own != nil { // otherwise its players have cleared it
		n, err := decodeNumber(own)
		if err != nil {
			return err
		}
		if err := b.deriveNow(histories, func() error {
			for _, r := range rows(f.finished, entry{log: f.Number}, n, 0)[1:] {
				if err := b.put(row{r.bucket, r.key, nil}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		last, err := b.forgottenIn(community)
		if err != nil {
			return err
		}
		if err := b.put(row{bucketForgotten, []byte(community), number(max(n, last))}); err != nil {
			return err
		}
	}
	for _, request := range f.entry.requests {
		receipts := b.Bucket(bucketReceipts)
		if r, err := decodeReceipt(receipts.Get([]byte(request))); err != nil || r.match != f.Match {
			continue // most were removed long ago
		}
		if err := receipts.Delete([]byte(request)); err != nil {
			return err
		}
	}
	if slot := []byte(f.slot.Key()); f.entry.requests != nil && bytes.Equal(b.Bucket(bucketSlots).Get(slot), id) {
		if err := b.put(row{bucketSlots, slot, nil}); err != nil {
			return err
		}
	}
	return b.put(row{bucketReviews, id, nil}, row{bucketMatches, id, nil}, row{bucketDamaged, asideKey(bucketMatches, id), nil},
		row{bucketResults, number(f.Number), nil})
}

// archive adds a result that is removed to the archived totals of its players, except
// those for whom it no longer counts.
func (b buckets) archive(f finished) error {
	f, err := b.withoutCleared(f)
	if err != nil {
		return err
	}
	archive := b.Bucket(bucketArchive)
	for _, scope := range f.Scopes() {
		for _, p := range f.Participants {
			if p.Player == "" {
				continue
			}
			key := record.TotalsKey(p.Player, scope)
			var old game.Totals
			if data := archive.Get(key); data != nil {
				if old, err = record.DecodeTotals(data); err != nil {
					return fmt.Errorf("archive: %w", err)
				}
			}
			data, err := record.EncodeTotals(old.Add(f.Result, p))
			if err != nil {
				return err
			}
			if err := archive.Put(key, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// decodeArchived reads a record of the archive.
func decodeArchived(key, value []byte) (game.Scope, game.Totals, error) {
	player, scope, err := record.ParseTotalsKey(key)
	if err != nil {
		return game.Scope{}, game.Totals{}, fmt.Errorf("archive: %w", err)
	}
	t, err := record.DecodeTotals(value)
	if err == nil && t.Player != player {
		err = fmt.Errorf("archive: it is another player's: %w", game.ErrDamaged)
	}
	return scope, t, err
}

// dropArchive removes a player's archived totals, and returns their scopes.
func (b buckets) dropArchive(player game.PlayerID) ([]game.Scope, error) {
	var keys [][]byte
	var scopes []game.Scope
	prefix := append([]byte(player), 0)
	archive := b.Bucket(bucketArchive)
	c := archive.stored.Cursor() // one that cannot be read goes too
	for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Next() {
		kind, guild, _ := strings.Cut(string(key[len(prefix):]), "\x00")
		keys, scopes = append(keys, bytes.Clone(key)), append(scopes, game.Scope{Kind: game.Kind(kind), Guild: game.GuildID(guild)})
	}
	for _, key := range keys {
		if err := archive.Delete(key); err != nil {
			return nil, err
		}
	}
	return scopes, nil
}

// forgotten says how far the log was removed.
type forgotten struct {
	number uint64    // of the last result removed
	ended  time.Time // when its match ended
}

func (f forgotten) encode() []byte {
	return binary.BigEndian.AppendUint64(number(f.number), uint64(f.ended.UnixMilli()))
}

func decodeForgotten(b []byte) (forgotten, error) {
	if len(b) != 16 {
		return forgotten{}, fmt.Errorf("forgotten: %w", game.ErrDamaged)
	}
	return forgotten{binary.BigEndian.Uint64(b), time.UnixMilli(int64(binary.BigEndian.Uint64(b[8:]))).UTC()}, nil
}

// forgotten returns how far the log was removed; zero if nothing was.
func (b buckets) forgotten() (forgotten, error) {
	value := b.Bucket(bucketForgotten).Get(keyForgotten)
	if value == nil {
		return forgotten{}, nil
	}
	return decodeForgotten(value)
}

// forgottenIn returns the number of the match that was removed last from a community's
// history, or 0.
func (b buckets) forgottenIn(community string) (uint64, error) {
	return decodeNumber(b.Bucket(bucketForgotten).Get([]byte(community)))
}
