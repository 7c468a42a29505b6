package postgres

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/record"
)

var _ game.WorkStore = (*Store)(nil)

// newOwner returns a new name for this process among those that share a database.
func newOwner() string { return cryptorand.Text() }

// TakeWork compares and sets a row, by the clock of the database. If the connection is lost, the first
// try may have taken the work, so the next one also takes work that this process has already.
func (s *Store) TakeWork(ctx context.Context, name string, lease time.Duration) (w game.Work, ok bool, err error) {
	err = s.write(ctx, func(ctx context.Context, t *try) error {
		t.committing = true
		var generation int64
		err := t.QueryRow(ctx, sqlTakeWork, name, s.owner, lease.Seconds(), t.doubt).Scan(&generation)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		w, ok = game.Work{Name: name, Owner: s.owner, Generation: uint64(generation)}, err == nil
		return err
	})
	return w, ok, err
}

const (
	sqlTakeWork = `INSERT INTO work AS w (name, due, owner, lease, generation) VALUES ($1, now(), $2, now() + $3 * interval '1 second', 1)
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease = excluded.lease, generation = w.generation + 1
		WHERE w.due <= now() AND (w.owner IS NULL OR w.lease < now() OR $4 AND w.owner = excluded.owner)
		RETURNING w.generation`
	sqlEndWork = `UPDATE work SET owner = NULL, lease = NULL, due = now() + $4 * interval '1 second'
		WHERE name = $1 AND owner = $2 AND generation = $3`
)

func (s *Store) EndWork(ctx context.Context, w game.Work, wait time.Duration) error {
	return s.set(ctx, sqlEndWork, w.Name, w.Owner, int64(w.Generation), wait.Seconds())
}

const (
	// removeEvery is how often one of the processes removes what is no longer kept.
	removeEvery = 10 * time.Minute
	// removeLease is how long the other processes leave that to it, in case it dies meanwhile.
	removeLease = 10 * time.Minute
)

// keepRemoving removes what is no longer kept, until the store is closed; only one process at a
// time does so. It removes the names of players whose clearing was interrupted, old receipts and,
// unless keep is 0, old matches.
func (s *Store) keepRemoving(keep time.Duration) {
	// The first requests come before it, and processes that start together do not begin together.
	for wait := time.Second + rand.N(time.Second); s.wait(wait); wait = time.Minute {
		w, mine, err := s.TakeWork(s.closing, "removal", removeLease)
		if err == nil && mine {
			err = errors.Join(s.resumeClearings(s.closing), s.removeReceipts(s.closing), s.removeOld(s.closing, keep))
			err = errors.Join(err, s.EndWork(s.closing, w, removeEvery))
		}
		if err != nil && s.closing.Err() == nil {
			s.log.limited(slog.LevelError, "what is no longer kept cannot be removed", err)
		}
	}
}

// wait waits for a duration, and reports whether the store is still open. It returns at once when the
// store is closed.
func (s *Store) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.closing.Done():
		return false
	case <-timer.C:
		return true
	}
}

// removeOld removes the matches that were kept long enough; none if keep is 0.
func (s *Store) removeOld(ctx context.Context, keep time.Duration) error {
	if keep == 0 {
		return nil
	}
	latest, err := s.latestEnd(ctx)
	if err != nil || latest.IsZero() {
		return err
	}
	removed, err := s.Forget(ctx, latest.Add(-keep))
	if removed > 0 {
		s.log.Info("finished games that were kept long enough were removed", "games", removed)
	}
	return err
}

// latestEnd returns the time from which the age of matches is counted: now, or the last request in the
// last match of the log if that was earlier by Discord's clock, so that nothing is removed too early
// while our own clock is wrong. It is zero if the log is empty or its last match was lost.
func (s *Store) latestEnd(ctx context.Context) (at time.Time, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var requests [][]byte
		err := c.QueryRow(ctx, sqlLatestEnd).Scan(&requests)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		at = time.Now()
		if made, ok := record.LastMade(requests); ok && made.Before(at) {
			at = made
		}
		return err
	})
	return at, err
}

const sqlLatestEnd = `SELECT requests FROM matches WHERE id = (SELECT match FROM results ORDER BY log DESC LIMIT 1)`

// rest waits for as long as a transaction took, so that those of players get their turn before the next
// one. It returns at once when ctx ends or the store is closed.
func (s *Store) rest(ctx context.Context, took time.Duration) {
	select {
	case <-ctx.Done():
	case <-s.closing.Done():
	case <-time.After(took):
	}
}
