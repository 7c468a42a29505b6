package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/observe"
	"fivefold/storage/record"
)

// Store is a [game.Store] and a [solve.Store] in a PostgreSQL database; the interfaces say
// what its methods do. Reads see what was committed before they began.
type Store struct {
	pool     *pgxpool.Pool
	release  func() // closes it
	codecs   record.Codecs
	log      *slogLimited
	observer observe.Observer
	behind   behind
	owner    string // of work that this process has taken

	closing    context.Context // ends when Close is called
	stop       context.CancelFunc
	background sync.WaitGroup // what goes on until then
	closed     atomic.Bool
	// clearBatch, forgetBatch, receiptBatch and maxChunk are the constants, except in tests.
	clearBatch, forgetBatch, receiptBatch, maxChunk int
	// patience and attemptTime are too.
	patience, attemptTime time.Duration
}

var (
	_ game.Store       = (*Store)(nil)
	_ game.SlotsLoader = (*Store)(nil)
)

// ErrUnreachable: no server answers.
var ErrUnreachable = errors.New("no server answers")

// ErrURL: a text is not the URL of a database.
var ErrURL = errors.New("not the URL of a PostgreSQL database, such as postgres://user@host:5432/fivefold")

// Open opens the store in a database at postgres://…, whose tables must be there: see
// [Migrate]. What the URL does not say comes from the options and from the environment
// variables of PostgreSQL's own programs, such as PGHOST. Errors wrap [ErrURL], [ErrSchema],
// [ErrUnfinished] and [game.ErrNewer], and never show a password.
func Open(ctx context.Context, url string, codecs record.Codecs, o Options) (*Store, error) {
	o = o.withDefaults()
	config, err := parse(url, o)
	if err != nil {
		return nil, err
	}
	pool, err := o.testOnlyPool, error(nil)
	release := func() {}
	if pool == nil {
		if pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return nil, err
		}
		release = pool.Close
	}
	_, err = schemaVersion(ctx, pool)
	if err == nil {
		err = unfinished(ctx, pool)
	}
	if err != nil {
		release()
		var refused *pgconn.PgError
		if !errors.As(err, &refused) && !errors.Is(err, ErrSchema) && !errors.Is(err, game.ErrNewer) && !errors.Is(err, ErrUnfinished) {
			err = fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		return nil, err
	}
	closing, stop := context.WithCancel(context.Background())
	s := &Store{
		pool: pool, release: release, codecs: codecs, log: &slogLimited{Logger: o.Log}, observer: o.Observer, closing: closing, stop: stop, owner: newOwner(),
		clearBatch: clearBatch, forgetBatch: forgetBatch, receiptBatch: receiptBatch, maxChunk: maxChunk,
		patience: patience, attemptTime: attemptTime,
	}
	if n := o.testOnlySize; n > 0 {
		s.clearBatch, s.forgetBatch, s.receiptBatch, s.maxChunk = n, n, n, n
	}
	if d := o.testOnlyPatience; d > 0 {
		s.patience, s.attemptTime = d, d/2
	}
	s.behind.store = s
	if !o.testOnlyQuiet {
		s.background.Go(func() { s.keepRemoving(o.Keep) })
	}
	return s, nil
}

// Close ends what goes on behind requests, and closes all connections.
func (s *Store) Close() error {
	s.behind.end()
	s.closed.Store(true)
	s.stop()
	s.background.Wait()
	s.release()
	return nil
}

// parse reads a URL and completes it. Its error does not have what may be a password.
func parse(text string, o Options) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, ErrURL // not the text, in which a slip may be next to a password
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	if _, inURL := u.User.Password(); !inURL && !u.Query().Has("password") && o.Password != "" {
		config.ConnConfig.Password = o.Password
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "fivefold"
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTime
	}
	config.ConnConfig.Tracer = o.testOnlyTracer
	return config, nil
}

// connectTime is how long a server of the URL may take until it is connected to, before the next one is
// asked. It is less than attemptTime, so that a server that is gone does not use up a try.
const connectTime = 3 * time.Second

// Check returns an error that wraps [ErrURL] unless a text is the URL of a database.
func Check(text string) error {
	_, err := parse(text, Options{})
	return err
}

// Name returns a database's URL without what may be secret: its host and name only.
func Name(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "postgres:…"
	}
	return (&url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}).String()
}
