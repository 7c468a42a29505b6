package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// Derived data never stands in the way of a game. Where a commit or a read finds it
// damaged, it is marked as stale in the file, which is logged once; from then on commits
// leave it out, reads of it return game.ErrRebuilding, and it is made again in the background,
// some results at a time. The log of results is what counts.

// damagedDerivation is why a change could not be applied: derived data is damaged.
type damagedDerivation struct {
	derivation
	err error
}

func (d *damagedDerivation) Error() string { return fmt.Sprintf("%s: %v", d.name, d.err) }
func (d *damagedDerivation) Unwrap() error { return d.err }

// The values of the mark of stale data.
var (
	staleMark    = []byte("stale")
	buildingMark = []byte("being made")
)

// stale returns the mark of derived data, nil if it is as it should be.
func (b buckets) stale(d derivation) []byte {
	mark, err := b.Bucket(bucketMeta).read([]byte(d.name))
	if err != nil {
		return staleMark
	}
	return mark
}

// deriveNow runs f, which changes derived data, unless that is stale.
func (b buckets) deriveNow(d derivation, f func() error) error {
	if mark := b.stale(d); mark != nil && !(d.live && bytes.Equal(mark, buildingMark)) {
		return nil
	}
	err := guard(f)
	if errors.Is(err, game.ErrDamaged) {
		err = &damagedDerivation{d, err}
	}
	return err
}

// commit commits a change. Where derived data is damaged, it is marked as stale and the
// change is made without it.
func (s *Store) commit(ctx context.Context, apply func(*bbolt.Tx) error) error {
	for {
		err := s.group.commit(ctx, apply)
		var damaged *damagedDerivation
		if !errors.As(err, &damaged) {
			return err
		}
		if err := s.markStale(ctx, damaged.derivation, damaged.err); err != nil {
			return err
		}
	}
}

// markStale marks derived data as stale and has it made again.
func (s *Store) markStale(ctx context.Context, d derivation, why error) error {
	err := s.group.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if b.stale(d) != nil {
			return game.ErrConflict
		}
		return b.put(row{bucketMeta, []byte(d.name), staleMark})
	})
	if errors.Is(err, game.ErrConflict) {
		return nil // another change was first
	}
	if err != nil {
		return err
	}
	s.group.disk.log.Error("derived data is damaged; games go on, and it is made again from the log of results", "what", d.name, "error", why)
	s.background.Go(func() { s.rebuild(d) })
	return nil
}

// readDerived runs f on a snapshot, unless the derived data that it reads is stale. If f finds
// a wrong checksum in it, it is made again.
func (s *Store) readDerived(ctx context.Context, d derivation, f func(buckets) error) error {
	err := s.read(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if b.stale(d) != nil {
			return fmt.Errorf("%s: %w", d.name, game.ErrRebuilding)
		}
		return f(b)
	})
	var record *unreadable
	if errors.As(err, &record) {
		if of, ok := derivationOf(record.bucket); ok && of.name == d.name {
			if marked := s.markStale(ctx, d, err); marked != nil {
				return marked
			}
			return fmt.Errorf("%w: %w", game.ErrRebuilding, err)
		}
	}
	return err
}

// Rebuilding in the background takes a few milliseconds at a time, and rests as long.
const rebuildResults = 50 // in one transaction

// stale returns what is stale when the file is opened. What becomes stale later has its rebuild
// from markStale: two at once would count results twice.
func (s *Store) stale() (found []derivation, err error) {
	err = s.read(s.closing, func(tx *bbolt.Tx) error {
		for _, d := range derivations {
			if (buckets{tx, s.codecs}).stale(d) != nil {
				found = append(found, d)
			}
		}
		return nil
	})
	return found, err
}

// testOnlyRebuildAgain is how long a rebuild waits after the disk has taken no changes.
var testOnlyRebuildAgain = time.Minute

// rebuild makes derived data again; while the disk takes no changes, it begins again from time
// to time. Where it fails, since the log is damaged too or a page cannot even be removed, the
// data stays stale.
func (s *Store) rebuild(d derivation) {
	for {
		began := time.Now()
		results, err := s.rebuildOnce(d)
		switch {
		case err == nil:
			s.resumeClearings()
			s.group.disk.log.Info("derived data was made again", "what", d.name, "results", results, "took", time.Since(began).Round(time.Millisecond))
			return
		case s.closing.Err() != nil, errors.Is(err, ErrSync): // it goes on when the file is opened again
			return
		case !errors.Is(err, game.ErrNotSaved): // that is logged elsewhere
			s.group.disk.log.Error("derived data cannot be made again; please stop the bot and repair the file", "what", d.name, "error", err)
			return
		}
		select {
		case <-s.closing.Done():
			return
		case <-time.After(testOnlyRebuildAgain):
		}
	}
}

// rebuildOnce makes derived data again, and returns the number of the last result in it.
func (s *Store) rebuildOnce(d derivation) (results uint64, err error) {
	job := newDeriving(d)
	err = s.group.commit(s.closing, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if err := job.empty(b); err != nil {
			return err
		}
		return b.put(row{bucketMeta, []byte(d.name), buildingMark})
	})
	for done := false; err == nil && !done; {
		step := time.Now()
		var next deriving
		err = s.group.commit(s.closing, func(tx *bbolt.Tx) (err error) {
			b := buckets{tx, s.codecs}
			next = *job // from the start: if another change fails, this one is tried again without it
			next.last = maps.Clone(job.last)
			if done, err = next.step(b, rebuildResults); err != nil || !done {
				return err
			}
			return b.put(row{bucketMeta, []byte(d.name), nil})
		})
		if err != nil {
			break
		}
		*job = next
		if !done {
			select {
			case <-s.closing.Done():
				return job.after, s.closing.Err()
			case <-time.After(time.Since(step)):
			}
		}
	}
	return job.after, err
}

// resumeClearings goes on with clearings that were interrupted by the end of the program, or
// that waited for histories.
func (s *Store) resumeClearings() {
	players, err := s.clearingPlayers()
	if err != nil && s.closing.Err() == nil {
		s.damaged(err)
	}
	for _, player := range players {
		s.clearInBackground(player)
	}
}

// damaged logs that a record cannot be read, once a minute at most.
func (s *Store) damaged(err error) {
	now := time.Now().Unix()
	if last := s.damageLogged.Load(); now-last >= 60 && s.damageLogged.CompareAndSwap(last, now) {
		s.group.disk.log.Error("a record cannot be read; please check the file", "error", err)
	}
}
