// Package postgres keeps an ordered map in PostgreSQL, or in a database that speaks its protocol: one table of keys and
// values. Any number of processes can share it.
//
// Each operation is one round trip, and each change is one transaction: a single statement, or a pipeline. The client never
// has a turn inside a transaction, so a client that hangs or is disconnected keeps no lock.
package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Options are the settings of [Open].
type Options = ordered.Options

// step is how long a first try, connecting and closing each wait for a silent server.
func step(o Options) time.Duration { return o.Patience / 6 }

// Map is an [ordered.Map] in a PostgreSQL database. Keys have at most 2600 bytes, since they are in an index.
type Map struct {
	Options
	pool *pgxpool.Pool
	log  ordered.Faults

	closed atomic.Bool     // no operation begins any more
	cut    context.Context // ends when Close stops waiting
	cutOff context.CancelFunc

	probe  string      // key of the probe of Commit; one of 32, since a crash leaves the key behind
	probed atomic.Bool // the probe may have been written
}

var _ ordered.Map = (*Map)(nil)

var (
	// ErrURL means that a text is not the URL of a database.
	ErrURL = errors.New("not the URL of a PostgreSQL database, such as postgres://user@host:5432/fivefold")
	// ErrUnreachable means that no server of a URL answers.
	ErrUnreachable = errors.New("no server answers")
)

// explainConnect wraps [ErrUnreachable] around the error of a failed connection, unless a server refused it, for example for a
// wrong password.
func explainConnect(err error) error {
	if codeOf(err) != "" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// Open opens the map in the database at postgres://…, whose tables must exist: see [Migrate]. Parts that are missing in the
// URL come from the options and from the environment variables of PostgreSQL's own programs, such as PGHOST. Errors wrap
// [ErrURL], [ErrUnreachable], [ErrSchema] or [game.ErrNewer], or are the server's. They never show a password.
func Open(ctx context.Context, url string, o Options) (*Map, error) {
	o = o.WithDefaults()
	config, err := parse(url, o)
	if err != nil {
		return nil, err
	}
	return open(ctx, config, o)
}

func open(ctx context.Context, config *pgxpool.Config, o Options) (*Map, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	opening, waited := time.Now(), game.Waited(ctx)
	timed, cancel := context.WithTimeout(ctx, o.Patience-time.Duration(waited.Load()))
	defer cancel()
	conn, err := pool.Acquire(timed)
	if err != nil {
		err = explainConnect(err)
	} else {
		err = checkSchema(timed, conn.Conn(), o.Patience)
		conn.Release()
	}
	waited.Add(int64(time.Since(opening)))
	if err != nil {
		go pool.Close() // Close may wait for a silent server
		return nil, err
	}
	m := &Map{Options: o, pool: pool, log: ordered.NewFaults(o.Log), probe: "probe\x00" + rand.Text()[:1]}
	m.cut, m.cutOff = context.WithCancel(context.Background())
	return m, nil
}

// Close waits for operations in progress, and closes all connections. If the server is silent, it waits only for a moment.
func (m *Map) Close() error {
	defer m.cutOff()
	defer time.AfterFunc(step(m.Options), m.cutOff).Stop()
	if m.probed.Load() {
		if _, err := m.retry(context.Background(), game.Origin{}, m.end(context.Background()), sending(ordered.Change{Set: []ordered.Pair{{Key: m.probe}}})); err != nil {
			m.log.Report(slog.LevelWarn, "could not remove the row of a probe", err)
		}
	}
	m.closed.Store(true)
	released := make(chan struct{})
	go func() {
		defer close(released)
		m.pool.Close()
	}()
	select {
	case <-released:
	case <-m.cut.Done():
	}
	return nil
}

// parse reads a URL and adds missing parts. Its error never shows a password.
func parse(text string, o Options) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, ErrURL // without url.Parse's own error, which quotes the text and so a password
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	c := config.ConnConfig
	if _, inURL := u.User.Password(); !inURL && !u.Query().Has("password") && o.Password != "" {
		c.Password = o.Password
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "fivefold"
	}
	if c.ConnectTimeout == 0 { // for each server of the URL
		c.ConnectTimeout = step(o)
	}
	// This ends idle connections to a machine that is gone; try gives up those in use.
	c.DialFunc = (&net.Dialer{
		Timeout:         c.ConnectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: time.Second, Count: 3},
	}).DialContext
	// Using a lost connection shows that it is lost, and retry takes another one. Asking first would only cost a round trip.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	if c.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
			defer cancel()
			return planOnce(ctx, conn)
		}
	}
	return config, nil
}

// planOnce makes a connection search by the index alone, and plan each statement once. A plan that was cached while the table
// was small would read the whole table later. A pooler may lose these settings, which costs only speed: behind such poolers
// plans are not cached (default_query_exec_mode=exec).
func planOnce(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.PgConn().Exec(ctx, "SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan").ReadAll()
	if code := codeOf(err); code != "" && !isUnavailable(code) {
		return nil // another database of this protocol, with other settings
	}
	return err
}

// Check returns an error that wraps [ErrURL] unless a text is the URL of a database. It does not connect.
func Check(text string) error {
	_, err := parse(text, Options{})
	return err
}

// Name returns only the host and the database of a URL, as a URL.
func Name(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "postgres:…"
	}
	return (&url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}).String()
}
