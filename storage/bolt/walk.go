package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// walk goes over the keys of a bucket, in several transactions, and checks that they are
// in order.
type walk struct {
	bucket []byte
	last   []byte // the last key seen, nil at the start
	keys   int    // seen
	done   bool
}

// step goes over the next n keys at most. An error wraps game.ErrDamaged.
func (w *walk) step(tx *bbolt.Tx, n int) error {
	c := tx.Bucket(w.bucket).Cursor()
	var k []byte
	if w.last == nil {
		k, _ = c.First()
	} else if k, _ = c.Seek(w.last); bytes.Equal(k, w.last) {
		k, _ = c.Next()
	}
	last := w.last
	for ; k != nil && n > 0; k, _ = c.Next() {
		if last != nil && bytes.Compare(last, k) >= 0 {
			return fmt.Errorf("keys of %s are out of order: %w", w.bucket, game.ErrDamaged)
		}
		last = k
		w.keys++
		n--
	}
	w.last, w.done = bytes.Clone(last), k == nil
	return nil
}

// The walk behind the start takes a few milliseconds at a time and rests for longer, so
// that games do not notice it. No read stays open meanwhile, which would keep the pages
// of old commits.
const (
	walkKeys = 5_000 // in one transaction
	walkRest = 9     // times as long as the step before
)

// checkBehind walks over the whole file and logs what it has found.
func (s *Store) checkBehind() {
	began := time.Now()
	keys, err := s.walkAll()
	if s.closing.Err() != nil {
		return
	}
	s.checked.Store(&err)
	if err != nil {
		s.group.disk.log.Error("the file is damaged", "path", s.path, "error", err)
		return
	}
	s.group.disk.log.Info("the file was checked", "keys", keys, "took", time.Since(began).Round(time.Millisecond))
}

func (s *Store) walkAll() (keys int, err error) {
	var walks []*walk
	err = s.read(s.closing, func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			walks = append(walks, &walk{bucket: bytes.Clone(name)})
			return nil
		})
	})
	for _, w := range walks {
		for err == nil && !w.done {
			began := time.Now()
			err = s.read(s.closing, func(tx *bbolt.Tx) error { return w.step(tx, walkKeys) })
			if errors.Is(err, game.ErrDamaged) {
				err = fmt.Errorf("bucket %s after %d keys: %w", w.bucket, w.keys, err)
				if d, derived := derivationOf(w.bucket); derived {
					w.done, err = true, s.markStale(s.closing, d, err)
				}
			}
			select {
			case <-s.closing.Done():
			case <-time.After(walkRest * time.Since(began)):
			}
		}
		keys += w.keys
	}
	return keys, err
}
