package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
)

// Transactions are READ COMMITTED. Each depends only on a version that an UPDATE compares, on a unique
// key, or on a row that was locked before it was read, so it needs no snapshot. That also works at the
// stricter levels that some databases have instead.

// beginIn begins a transaction of several statements. If the process hangs or is disconnected meanwhile, the
// server ends the transaction after two seconds, since others wait for what it has locked. Both are set
// for the transaction: poolers do not pass on settings of a connection.
func beginIn(b *pgx.Batch) {
	b.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	b.Queue("SET LOCAL idle_in_transaction_session_timeout = 2000")
}

// Error codes of PostgreSQL: postgresql.org/docs/current/errcodes-appendix.html
const (
	codeUnique         = "23505"
	codeNoTable        = "42P01"
	codeDuplicateTable = "42P07"
	codeReadOnly       = "25006" // the server is a replica now, or still
	codeDiskFull       = "53100"
	codeTooMany        = "53300"
	codeCancelled      = "57014" // a limit of the server, such as statement_timeout
)

// isConflict reports whether a transaction that failed with a code may succeed if it is tried again
// at once: after a serialization failure, a deadlock, an earlier failure in the transaction, or
// a lock that was not available.
func isConflict(code string) bool {
	switch code {
	case "40001", "40P01", "25P02", "55P03":
		return true
	}
	return false
}

// isUnavailable reports whether a code means that the server takes no connections or no changes
// at the moment.
func isUnavailable(code string) bool {
	// 08: connection exceptions. 57P: shutting down or starting. 53: no connections, memory
	// or disk left. 40003: it is not known whether the statement was completed.
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P") || strings.HasPrefix(code, "53") ||
		code == codeReadOnly || code == codeCancelled || code == "40003"
}

// errAgain has a transaction tried again, because what it depends on has changed since it was read.
var errAgain = errors.New("changed meanwhile")

const (
	// patience is how long a request waits for a database that cannot be reached.
	patience = 12 * time.Second
	// closeTime is how long Close waits for a database that cannot be reached.
	closeTime = 2 * time.Second
	// attemptTime is how long one try may take: then its connection hangs, and is given up.
	attemptTime = 4 * time.Second
	// mostConflicts is how often a transaction is tried again because of conflicts with others.
	mostConflicts = 100
)

// try is one try of a transaction.
type try struct {
	*pgxpool.Conn
	// doubt means that an earlier try may have been committed: its connection was lost at that moment.
	doubt bool
	// committing is set by the transaction before it sends a statement that may commit. It is taken
	// back if the server has refused that.
	committing bool
	// lost means that the connection is gone, or that the server is not available.
	lost bool
}

// write runs f, which makes a change, until f has committed or refused it. F begins its own transaction,
// if it needs one. If doubt is set, f must find out whether an earlier try has made the change, unless
// it can be made twice.
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

// read runs f, which changes nothing, on a connection, and again if the connection is lost: f must
// overwrite what an earlier run has left.
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
	began, waited := time.Now(), game.Waited(ctx)
	defer func() { waited.Add(int64(time.Since(began))) }()
	end := began.Add(s.patience - time.Duration(waited.Load()))
	doubt := false
	conflicts := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		t := &try{doubt: doubt}
		err := s.attempt(ctx, end, t, f)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		switch {
		case s.closed.Load() || s.cut.Err() != nil:
			return os.ErrClosed
		case t.lost:
			doubt = doubt || t.committing
			s.log.limited(slog.LevelWarn, "the database cannot be reached, or does not take changes", err)
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
		case <-s.cut.Done():
			timer.Stop()
			return os.ErrClosed
		}
	}
}

// attempt is one try on a connection of its own, which does not take longer than until end.
func (s *Store) attempt(ctx context.Context, end time.Time, t *try, f func(ctx context.Context, t *try) error) error {
	ctx, cancel := context.WithTimeout(ctx, min(s.attemptTime, time.Until(end)))
	defer cancel()
	defer context.AfterFunc(s.cut, cancel)()
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
		if failed.Code == codeReadOnly || failed.Code == codeDiskFull {
			t.committing = false // this try has changed nothing
		}
		// The next try connects again, perhaps to another server: this one is shutting down or a replica.
		err = errors.Join(err, c.Close(ctx))
	case c.PgConn().TxStatus() != 'I':
		if _, rollback := c.Exec(ctx, "ROLLBACK"); rollback != nil {
			err = errors.Join(err, rollback) // Release closes a connection that is still in a transaction
		}
	}
	return err
}

// isRepeatable reports whether a transaction that failed is to be tried again at once.
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

// limitedLog is a log with a method for errors that may come many times a second.
type limitedLog struct {
	*slog.Logger
	mu   sync.Mutex // protects last
	last map[string]time.Time
}

// limited logs an error unless it has logged one of the same text, of which there are few, within the
// last minute.
func (l *limitedLog) limited(level slog.Level, text string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.last[text]) < time.Minute {
		return
	}
	if l.last == nil {
		l.last = map[string]time.Time{}
	}
	l.last[text] = time.Now()
	l.Log(context.Background(), level, text, "error", err)
}
