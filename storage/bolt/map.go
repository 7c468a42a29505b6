// Package bolt is the engine of package ordered in one bbolt file.
//
// A commit is on the disk before it is acknowledged. Commits that arrive while the disk is busy share the next transaction (see
// group.go). One process owns the file. Every value is stored with a checksum, so that a changed value is noticed (see
// layout.go).
package bolt

import (
	"bytes"
	"cmp"
	"context"
	"os"

	"go.etcd.io/bbolt"

	"fivefold/storage/ordered"
)

// Map is an [ordered.Map] in a bbolt file. A read sees one moment of the file, and waits for nothing. If the file is damaged,
// errors wrap game.ErrDamaged.
type Map struct {
	db    *bbolt.DB
	path  string
	group group

	closing context.Context // ends when Close is called
	stop    context.CancelFunc
}

var _ ordered.Map = (*Map)(nil)

// read runs f on a snapshot, unless ctx has ended.
func (m *Map) read(ctx context.Context, f func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := view(m.db, f)
	return cmp.Or(m.group.disk.broken(), err) // f may have seen a transaction whose sync has failed meanwhile
}

// Get implements [ordered.Map].
func (m *Map) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	pairs := make([]ordered.Pair, len(keys))
	err := m.read(ctx, func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketRecords).Cursor()
		for i, key := range keys {
			pairs[i] = find(c, key)
		}
		return nil
	})
	return pairs, err
}

// Read implements [ordered.Map].
func (m *Map) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	answers := make([][]ordered.Pair, len(queries))
	err := m.read(ctx, func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketRecords).Cursor()
		for i, q := range queries {
			if err := scan(ctx, c, q, func(k, v []byte) {
				answers[i] = append(answers[i], pairOf(k, v))
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return answers, err
}

// Count implements [ordered.Map].
func (m *Map) Count(ctx context.Context, queries ...ordered.Query) ([]int, error) {
	counts := make([]int, len(queries))
	err := m.read(ctx, func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketRecords).Cursor()
		for i, q := range queries {
			if err := scan(ctx, c, ordered.Query{From: q.From, To: q.To}, func([]byte, []byte) { counts[i]++ }); err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// find returns the pair of a key. The value of a missing key is nil.
func find(c *bbolt.Cursor, key string) ordered.Pair {
	k, sealed := c.Seek([]byte(key))
	if k == nil || string(k) != key {
		return ordered.Pair{Key: key}
	}
	return pairOf(k, sealed)
}

// scan calls f with each pair that a query matches.
func scan(ctx context.Context, c *bbolt.Cursor, q ordered.Query, f func(k, v []byte)) error {
	from, to := []byte(q.From), []byte(q.To)
	next := c.Next
	var k, v []byte
	if q.Backward {
		next = c.Prev
		if k, _ = c.Seek(to); k == nil {
			k, v = c.Last()
		} else {
			k, v = c.Prev()
		}
	} else {
		k, v = c.Seek(from)
	}
	for n := 0; k != nil && bytes.Compare(k, from) >= 0 && bytes.Compare(k, to) < 0 && (q.Limit == 0 || n < q.Skip+q.Limit); k, v = next() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n > q.Skip {
			f(k, v)
		}
	}
	return nil
}

// Close ends backups, waits for commits in progress, and releases the file.
func (m *Map) Close() error {
	m.stop()
	m.group.close()
	return m.db.Close()
}

// Stats is the state of the file, for metrics.
type Stats struct {
	Bytes int64 // length of the file
	// FreePages can be used by the next commit. PendingPages become free once reads that
	// are open now have ended.
	FreePages, PendingPages int
}

// Stats returns the state of the file after the latest commit. It reads only the file's length.
func (m *Map) Stats() (Stats, error) {
	info, err := os.Stat(m.path)
	if err != nil {
		return Stats{}, err
	}
	now := m.db.Stats()
	return Stats{Bytes: info.Size(), FreePages: now.FreePageN, PendingPages: now.PendingPageN}, nil
}
