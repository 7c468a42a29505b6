package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
)

// Transactions are READ COMMITTED: what they depend on is a version that an UPDATE compares, a
// unique key, or a row that was locked before it was read, so nothing has to be compared with
// a snapshot at the end. Those hold in stricter levels too, which some databases have instead.

// beginIn begins a transaction of several statements. If its process stops, or is not connected any more,
// the server ends it after two seconds, since others wait for what it has locked. Neither is a setting
// of the connection, which poolers do not pass on.
func beginIn(b *pgx.Batch) {
	b.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	b.Queue("SET LOCAL idle_in_transaction_session_timeout = 2000")
}

// Error codes of PostgreSQL: postgresql.org/docs/current/errcodes-appendix.html
const (
	codeUnique         = "23505"
	codeNoTable        = "42P01"
	codeDuplicateTable = "42P07"
	codeReadOnly       = "25006" // a replica that was or is to be the primary
	codeCancelled      = "57014" // for a limit of the server's
)

// isConflict reports whether a transaction that failed with a code may succeed when it is tried
// again at once: a serialization failure, a deadlock, a transaction that had failed before, or
// a lock that was not available.
func isConflict(code string) bool {
	switch code {
	case "40001", "40P01", "25P02", "55P03":
		return true
	}
	return false
}

// isUnavailable reports whether a code means that the server does not take connections or
// changes at the moment.
func isUnavailable(code string) bool {
	// 08: connection exceptions. 57P: shutting down or starting. 53: no connections, memory
	// or disk left. 40003: whether it was completed is not known.
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P") || strings.HasPrefix(code, "53") ||
		code == codeReadOnly || code == codeCancelled || code == "40003"
}

// errAgain: what a transaction depends on has changed since it was read; it is tried again.
var errAgain = errors.New("changed meanwhile")

const (
	// patience is how long a request waits for a database that cannot be reached.
	patience = 12 * time.Second
	// attemptTime is how long one try may take, so that a connection that hangs is given up.
	attemptTime = 4 * time.Second
	// mostConflicts is how often a transaction is tried again because of others.
	mostConflicts = 100
)

// try is one try of a transaction.
type try struct {
	*pgxpool.Conn
	// doubt: an earlier try may have been committed, for its connection was lost meanwhile.
	doubt bool
	// committing is set before what may commit is sent.
	committing bool
	// lost: the connection is gone, or the server is not available.
	lost bool
}

// write runs f until it has committed or refused its change. F runs in no transaction. Its
// change must be one that a second try recognizes: see [try.doubt].
func (s *Store) write(ctx context.Context, f func(ctx context.Context, t *try) error) error {
	began := time.Now()
	err := s.retry(ctx, f)
	switch {
	case err == nil:
		s.observer.Committed(1, time.Since(began))
	case errors.Is(err, game.ErrNotSaved):
		s.observer.NotSaved(err)
	}
	return err
}

// read runs f, which changes nothing, on a connection. It is repeated if that is lost.
func (s *Store) read(ctx context.Context, f func(ctx context.Context, c *pgxpool.Conn) error) error {
	err := s.retry(ctx, func(ctx context.Context, t *try) error { return f(ctx, t.Conn) })
	if errors.Is(err, game.ErrNotSaved) {
		return fmt.Errorf("the database cannot be reached: %w", context.DeadlineExceeded)
	}
	return err
}

func (s *Store) retry(ctx context.Context, f func(ctx context.Context, t *try) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.closed.Load() {
		return os.ErrClosed
	}
	end := time.Now().Add(s.patience)
	doubt := false
	conflicts := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		t := &try{doubt: doubt}
		err := s.attempt(ctx, t, f)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		switch {
		case s.closed.Load():
			return os.ErrClosed
		case t.lost:
			doubt = doubt || t.committing
			s.log.now(slog.LevelWarn, "the database cannot be reached, or does not take changes", err)
		case isRepeatable(err):
			if conflicts++; conflicts > mostConflicts {
				return fmt.Errorf("%w: %w", game.ErrConflict, err)
			}
			wait = min(wait, 64*time.Millisecond)
		default:
			return err
		}
		rest := wait/2 + rand.N(wait)
		if t.lost && time.Now().Add(rest).After(end) {
			if doubt {
				return fmt.Errorf("nobody knows whether it was saved: %w: %w", context.DeadlineExceeded, err)
			}
			return fmt.Errorf("%w: %w", game.ErrNotSaved, err)
		}
		timer := time.NewTimer(rest)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// attempt is one try on a connection of its own.
func (s *Store) attempt(ctx context.Context, t *try, f func(ctx context.Context, t *try) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.attemptTime)
	defer cancel()
	var err error
	if t.Conn, err = s.pool.Acquire(ctx); err != nil {
		t.lost = true
		return err
	}
	defer t.Release()
	if err = f(ctx, t); err == nil {
		return nil
	}
	var failed *pgconn.PgError
	switch c := t.Conn.Conn(); {
	case c.IsClosed():
		t.lost = true
	case errors.As(err, &failed) && isUnavailable(failed.Code):
		t.lost = true
		// A server that is shutting down, or has become a replica, is not asked again.
		err = errors.Join(err, c.Close(ctx))
	case c.PgConn().TxStatus() != 'I':
		if _, rollback := c.Exec(ctx, "ROLLBACK"); rollback != nil {
			err = errors.Join(err, rollback) // the pool closes a connection in this state
		}
	}
	return err
}

// isRepeatable reports whether a transaction is to be tried again at once.
func isRepeatable(err error) bool {
	var failed *pgconn.PgError
	return errors.Is(err, errAgain) || errors.As(err, &failed) && (failed.Code == codeUnique || isConflict(failed.Code))
}

// send runs statements in one round trip, as one transaction if they have no BEGIN. The first
// error ends it.
func (t *try) send(ctx context.Context, b *pgx.Batch) error {
	return t.Conn.SendBatch(ctx, b).Close()
}

// commit runs statements and COMMIT in one round trip.
func (t *try) commit(ctx context.Context, b *pgx.Batch) error {
	b.Queue("COMMIT")
	t.committing = true
	return t.send(ctx, b)
}

// slogLimited logs trouble once a minute at most.
type slogLimited struct {
	*slog.Logger
	last atomic.Int64 // when now has logged, in seconds of Unix time
}

func (l *slogLimited) now(level slog.Level, text string, err error) {
	now, last := time.Now().Unix(), l.last.Load()
	if now-last >= 60 && l.last.CompareAndSwap(last, now) {
		l.Log(context.Background(), level, text, "error", err)
	}
}
