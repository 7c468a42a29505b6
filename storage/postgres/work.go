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
)

var _ game.WorkStore = (*Store)(nil)

// newOwner names a process among those that use a database.
func newOwner() string { return cryptorand.Text() }

// TakeWork compares and sets a row, by the clock of the database. If the connection is lost, the work
// may have been taken by then; so a second try takes what this process has.
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
	// removeEvery is how often what is no longer kept is removed, by one of the processes.
	removeEvery = 10 * time.Minute
	// removeLease is for how long the others leave it to that process.
	removeLease = 10 * time.Minute
)

// keepRemoving removes what is no longer kept, in turns with other processes, until the store
// is closed: old receipts, the names of players whose clearing has not come to its end and, if
// there is a time for which they are kept, old matches.
func (s *Store) keepRemoving(keep time.Duration) {
	// It begins after the first requests, and not in all processes that start together at once.
	for wait := time.Second + rand.N(time.Second); s.wait(wait); wait = time.Minute {
		w, mine, err := s.TakeWork(s.closing, "removal", removeLease)
		if err == nil && mine {
			err = errors.Join(s.resumeClearings(s.closing), s.removeReceipts(s.closing), s.removeOld(s.closing, keep))
			err = errors.Join(err, s.EndWork(s.closing, w, removeEvery))
		}
		if err != nil && s.closing.Err() == nil {
			s.log.now(slog.LevelError, "what is no longer kept cannot be removed", err)
		}
	}
}

// wait waits, and reports whether the store is still open.
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

// removeOld removes matches that were kept long enough.
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

// latestEnd returns the time from which the age of matches counts: now, or when the last
// match of the log ended if that was earlier by Discord's clock. If our own clock is wrong
// for a while, nothing must be removed too early. It is zero if the log is empty.
func (s *Store) latestEnd(ctx context.Context) (at time.Time, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var last []byte
		err := c.QueryRow(ctx, sqlLatestEnd).Scan(&last)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		at = time.Now()
		if ended, ok := game.RequestID(last).Made(); ok && ended.Before(at) {
			at = ended
		}
		return err
	})
	return at, err
}

const sqlLatestEnd = `SELECT requests[version] FROM matches WHERE id = (SELECT match FROM results ORDER BY log DESC LIMIT 1)`

// rest waits as long as a transaction took, so that those of players go on between two.
func (s *Store) rest(ctx context.Context, took time.Duration) {
	select {
	case <-ctx.Done():
	case <-s.closing.Done():
	case <-time.After(took):
	}
}
