package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// bucketOpen lists the matches that are being played by when they began: milliseconds of
// Unix time, match id → nothing. A match is put in with its first commit and taken out with
// its last one; those between write nothing here. The list is made again from the slots, also
// in a file that does not have it: it came after format 7.
var bucketOpen = []byte("open")

// openKey is the key of a match in bucketOpen.
func openKey(m game.Match) []byte { return unfinishedKey(m.Unfinished("")) }

func unfinishedKey(u game.Unfinished) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(u.Began.UnixMilli())), u.Match...)
}

// listOpen puts a match into the list of those that are being played with its first
// version, and takes it out with its last.
func (b buckets) listOpen(m game.Match) error {
	playing := m.Status() == game.Playing
	if playing && m.Version > 1 {
		return nil
	}
	return b.deriveNow(openMatches, func() error {
		if playing {
			return b.put(row{bucketOpen, openKey(m), nothing})
		}
		return b.put(row{bucketOpen, openKey(m), nil})
	})
}

// Unfinished leaves out what does not lead to a match that is being played; the
// background check has that mended.
func (s *Store) Unfinished(ctx context.Context, after game.Unfinished, limit int) (list []game.Unfinished, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		c := b.Bucket(bucketOpen).stored.Cursor() // the values are nothing
		key, _ := c.First()
		if after.Match != "" {
			last := unfinishedKey(after)
			if key, _ = c.Seek(last); bytes.Equal(key, last) {
				key, _ = c.Next()
			}
		}
		for ; key != nil && len(list) < limit; key, _ = c.Next() {
			if len(key) <= 8 {
				continue
			}
			if m, last, ok := b.unfinished(key[8:]); ok && bytes.Equal(openKey(m), key) {
				list = append(list, m.Unfinished(last))
			}
		}
		return nil
	})
	if errors.Is(err, game.ErrDamaged) {
		if marked := s.markStale(ctx, openMatches, err); marked != nil {
			return nil, marked
		}
		return nil, game.ErrRebuilding
	}
	return list, err
}

// unfinished returns a match that is being played and its latest request.
func (b buckets) unfinished(id []byte) (m game.Match, last game.RequestID, ok bool) {
	err := guard(func() error {
		e, err := loadEntry(b.Bucket(bucketMatches), id)
		if err != nil {
			return err
		}
		last = e.requests[len(e.requests)-1]
		m, err = b.loadMatch(id)
		return err
	})
	return m, last, err == nil && m.Status() == game.Playing
}

// addOpen lists those of the latest matches of the next slots that are being played.
func (d *deriving) addOpen(b buckets, limit int) (done bool, err error) {
	c := b.Bucket(bucketSlots).stored.Cursor()
	key, sealed := c.First()
	if d.slot != nil {
		if key, sealed = c.Seek(d.slot); bytes.Equal(key, d.slot) {
			key, sealed = c.Next()
		}
	}
	for ; key != nil; key, sealed = c.Next() {
		if limit == 0 {
			return false, nil
		}
		limit--
		if id, ok := unseal(bucketSlots, key, sealed); ok {
			if m, _, ok := b.unfinished(id); ok {
				if err := b.put(row{bucketOpen, openKey(m), nothing}); err != nil {
					return false, err
				}
			}
		}
		d.slot = bytes.Clone(key)
	}
	return true, nil
}

// testOnlyOpenAtOnce is how many slots are looked at when the list is made at the start; that takes
// half a second. Where there are more, it is made in the background.
var testOnlyOpenAtOnce = 10_000

// fillOpen fills the list of a file that did not have it.
func (b buckets) fillOpen() error {
	if done, err := newDeriving(openMatches).step(b, testOnlyOpenAtOnce); err != nil || done {
		return err
	}
	return b.put(row{bucketMeta, []byte(openMatches.name), staleMark})
}

// open compares the list of matches that are being played with the matches.
func (c *checker) open() error {
	return c.each(bucketOpen, func(key, _ []byte) {
		if len(key) <= 8 {
			return // the walk over the records has reported it
		}
		id := key[8:]
		m, ok := c.match(id)
		switch {
		case !ok && c.missing(id):
			c.found(bucketOpen, key, true, "is of match %s, which is missing", id)
		case ok && (m.Status() != game.Playing || !bytes.Equal(openKey(m), key)):
			c.found(bucketOpen, key, true, "is not of match %s, or that is over", id)
		}
	})
}

// listed compares a match that is being played with the list of those.
func (c *checker) listed(m game.Match) {
	key := openKey(m)
	if value, known := c.get(bucketOpen, key); known && value == nil {
		c.found(bucketOpen, key, true, "is missing: match %s is being played", m.ID)
	}
}
