package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
)

// Error codes of PostgreSQL: postgresql.org/docs/current/errcodes-appendix.html
const (
	codeZero           = "22012" // division by zero
	codeUnique         = "23505"
	codeReadOnly       = "25006" // the server is a replica now, or still
	codeNoTable        = "42P01"
	codeDuplicateTable = "42P07"
	codeDuplicateType  = "42710" // the type of a table's rows
	codeDiskFull       = "53100"
	codeLocked         = "55P03"
	codeCancelled      = "57014" // a limit of the server, such as statement_timeout
)

// codeOf returns the code of a server's error, or "".
func codeOf(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}

// isRepeatable reports whether a failed transaction may succeed at once if it is repeated: after a serialization failure, a
// deadlock, an earlier failure in the transaction, or a lock that was not available.
func isRepeatable(code string) bool {
	return code == "40001" || code == "40P01" || code == "25P02" || code == codeLocked
}

// isUnavailable reports whether a code means that the server takes no connections or changes at the moment.
func isUnavailable(code string) bool {
	// 08: connection exceptions. 57P: shutting down or starting. 53: no connections, memory
	// or disk left. 40003: it is not known whether the statement was completed.
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P") || strings.HasPrefix(code, "53") ||
		code == codeReadOnly || code == codeCancelled || code == "40003"
}

// errAway means that an operation ran out of time.
var errAway = errors.New("the database cannot be reached, or does not take changes")

// end returns the time at which an operation that begins now gives up. The operations of one request share Options.Patience.
func (m *Map) end(ctx context.Context) time.Time {
	return time.Now().Add(m.Patience - time.Duration(game.Waited(ctx).Load()))
}

// retry runs f, one transaction, until it has succeeded or the server refuses it. After end the error wraps errAway; once the
// request has expired, it is [game.ErrExpired]. doubt means that a try lost its connection and may have been committed.
func (m *Map) retry(ctx context.Context, by game.Origin, end time.Time, f func(context.Context, *pgx.Conn) error) (doubt bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	began, waited := time.Now(), game.Waited(ctx)
	defer func() { waited.Add(int64(time.Since(began))) }()
	limit := step(m.Options)
	for wait := time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		if m.closed.Load() {
			return doubt, os.ErrClosed
		}
		lost, unsure, err := m.try(ctx, by, end, limit, f)
		doubt = doubt || unsure
		switch {
		case err == nil:
			return doubt, nil
		case ctx.Err() != nil:
			return doubt, fmt.Errorf("%w: %w", ctx.Err(), err)
		case m.cut.Err() != nil:
			return doubt, os.ErrClosed
		case lost:
			m.log.Report(slog.LevelWarn, "could not reach the database, or change anything there", err)
			limit *= 2 // a server that is slow, and not gone, needs longer
		case isRepeatable(codeOf(err)):
			wait = min(wait, 64*time.Millisecond)
		default:
			return doubt, err
		}
		if late := by.CheckExpiry(); late != nil {
			return doubt, late
		}
		rest := wait/2 + rand.N(wait)
		if time.Now().Add(rest).After(end) {
			return doubt, fmt.Errorf("%w: %w", errAway, err)
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return doubt, ctx.Err()
		case <-m.cut.Done():
			return doubt, os.ErrClosed
		}
	}
}

// try runs f once, for limit at most after it has a connection. lost means that the connection is gone or the server
// unavailable; unsure means that a change may have been committed nevertheless.
func (m *Map) try(ctx context.Context, by game.Origin, end time.Time, limit time.Duration, f func(context.Context, *pgx.Conn) error) (lost, unsure bool, err error) {
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	defer context.AfterFunc(m.cut, cancel)()
	inTime, cancelInTime := by.Within(ctx)
	defer cancelInTime()
	c, err := m.pool.Acquire(inTime)
	if err != nil {
		return true, false, err
	}
	timed, cancelTimed := context.WithTimeout(ctx, limit)
	defer cancelTimed()
	err = f(timed, c.Conn())
	code := codeOf(err)
	lost = c.Conn().IsClosed() || isUnavailable(code)
	if !lost {
		c.Release()
		return false, false, err
	}
	// The next try connects again, perhaps to another server: this one is shutting down, silent or a replica.
	leave(c, step(m.Options))
	if timed.Err() != nil && ctx.Err() == nil { // limit has passed, and the caller still waits
		// All connections to a silent server are dead. Operations in progress leave theirs themselves.
		for _, idle := range m.pool.AcquireAllIdle(ctx) {
			leave(idle, step(m.Options))
		}
	}
	return true, err != nil && !pgconn.SafeToRetry(err) && code != codeReadOnly && code != codeDiskFull, err
}

// leave takes a connection out of the pool at once, and closes it in the background. The pool itself would wait fifteen seconds
// for a silent server.
func leave(c *pgxpool.Conn, within time.Duration) {
	conn := c.Hijack()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		_ = conn.Close(ctx) // it is given up anyway
	}()
}
