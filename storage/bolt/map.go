package bolt

import (
	"bytes"
	"context"
	"os"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Map is an [ordered.Map] in a bbolt file. Reads are of one moment and wait for nothing.
// Where the file is damaged, the errors wrap game.ErrDamaged.
type Map struct {
	db    *bbolt.DB
	path  string
	group group

	closing context.Context // ends when Close is called
	stop    context.CancelFunc
}

var _ ordered.Map = (*Map)(nil)

// read runs f on a snapshot, unless ctx has ended already.
func (m *Map) read(ctx context.Context, f func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := view(m.db, f)
	// f may have seen a transaction whose sync has failed meanwhile.
	if broken := m.group.disk.broken(); broken != nil {
		return broken
	}
	return err
}

// Read implements [ordered.Map].
func (m *Map) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	answers := make([][]ordered.Pair, len(queries))
	err := m.read(ctx, func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketRecords).Cursor()
		for i, q := range queries {
			if q.IsKey() {
				if p, ok := find(c, q.From); ok {
					answers[i] = []ordered.Pair{p}
				}
				continue
			}
			if err := scan(ctx, c, q, func(k, v []byte) {
				answers[i] = append(answers[i], pairOf(k, v))
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// Count implements [ordered.Map].
func (m *Map) Count(ctx context.Context, q ordered.Query) (n int, err error) {
	q.Limit = 0
	err = m.read(ctx, func(tx *bbolt.Tx) error {
		return scan(ctx, tx.Bucket(bucketRecords).Cursor(), q, func([]byte, []byte) { n++ })
	})
	return n, err
}

// find returns the pair of a key, if there is one.
func find(c *bbolt.Cursor, key string) (p ordered.Pair, ok bool) {
	k, v := c.Seek([]byte(key))
	if k == nil || string(k) != key {
		return p, false
	}
	return pairOf(k, v), true
}

// scan calls f with what a query matches.
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
	for n := 0; k != nil && bytes.Compare(k, from) >= 0 && bytes.Compare(k, to) < 0 && (q.Limit == 0 || n < q.Limit); k, v = next() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f(k, v)
	}
	return nil
}

// apply makes a change, or returns game.ErrConflict before it has written anything.
func apply(tx *bbolt.Tx, c ordered.Change) error {
	b := tx.Bucket(bucketRecords)
	for _, want := range c.If {
		if p, ok := find(b.Cursor(), want.Key); ok != (want.Value != nil) || !bytes.Equal(p.Value, want.Value) {
			return game.ErrConflict
		}
	}
	for _, p := range c.Set {
		var err error
		key := []byte(p.Key)
		switch {
		case p.Value == nil:
			err = b.Delete(key)
		case len(p.Value) > longest:
			err = bolterrors.ErrValueTooLarge
		default:
			err = b.Put(key, seal(key, p.Value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Commit implements [ordered.Map]. A change that sets something, if only a missing key to
// nil, finds out whether the disk takes changes.
func (m *Map) Commit(ctx context.Context, c ordered.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.group.commit(ctx, c)
}

// Later implements [ordered.Map].
func (m *Map) Later(p ordered.Pair) { m.group.later(p) }

// Close ends backups, waits for commits in progress, commits what is left of Later, and
// releases the file.
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

// Stats returns the state of the file after the latest commit. It reads nothing but the
// file's length.
func (m *Map) Stats() (Stats, error) {
	info, err := os.Stat(m.path)
	if err != nil {
		return Stats{}, err
	}
	now := m.db.Stats()
	return Stats{Bytes: info.Size(), FreePages: now.FreePageN, PendingPages: now.PendingPageN}, nil
}
