package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/game/slowtest"
	"fivefold/storage/observe"
	"fivefold/storage/record"
)

// Store is a [game.Store], [solve.Store], [preferences.Store], [game.BoardStore] and
// [game.WorkStore] in a PostgreSQL database; the interfaces say what its methods do. It is safe
// for concurrent use. Reads see all that was committed before they began, by any process.
type Store struct {
	pool     *pgxpool.Pool
	release  func() // closes the pool
	codecs   record.Codecs
	log      *limitedLog
	observer observe.Observer
	behind   writeBehind
	owner    string // names this process where it has taken work

	closing    context.Context // ends when Close is called
	stop       context.CancelFunc
	cut        context.Context // ends when Close has waited for closeTime
	cutOff     context.CancelFunc
	background sync.WaitGroup // goroutines that Close waits for
	closed     atomic.Bool
	starting   sync.Mutex // held while a goroutine is added to background, or closed is set
	// These are the constants of the same names, except in tests.
	clearBatch, forgetBatch, receiptBatch, maxChunk int
	patience, attemptTime, closeTime                time.Duration
}

var (
	_ game.Store       = (*Store)(nil)
	_ game.SlotsLoader = (*Store)(nil)
)

// ErrUnreachable means that no server of a URL answers.
var ErrUnreachable = errors.New("no server answers")

// explainConnect returns the error of a connection that could not be made: [ErrUnreachable] unless a
// server refused it, as for a wrong password.
func explainConnect(err error) error {
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// ErrURL means that a text is not the URL of a database.
var ErrURL = errors.New("not the URL of a PostgreSQL database, such as postgres://user@host:5432/fivefold")

// Open opens the store in the database at postgres://…, whose tables must exist: see
// [Migrate]. What the URL leaves out comes from the options and from the environment
// variables of PostgreSQL's own programs, such as PGHOST. Errors wrap [ErrURL], [ErrUnreachable],
// [ErrSchema], [ErrUnfinished] or [game.ErrNewer], or are the server's; none shows a password.
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
	opening, waited := time.Now(), game.Waited(ctx)
	timed, cancel := context.WithTimeout(ctx, o.patience()-time.Duration(waited.Load()))
	defer cancel()
	err = checkSchema(timed, pool)
	if err == nil {
		err = unfinished(timed, pool)
	}
	waited.Add(int64(time.Since(opening)))
	if err != nil {
		if timed.Err() != nil {
			go release() // which waits for a server that is silent
		} else {
			release()
		}
		if !errors.Is(err, ErrSchema) && !errors.Is(err, game.ErrNewer) && !errors.Is(err, ErrUnfinished) {
			err = explainConnect(err)
		}
		return nil, err
	}
	closing, stop := context.WithCancel(context.Background())
	cut, cutOff := context.WithCancel(context.Background())
	s := &Store{
		pool: pool, release: release, codecs: codecs, log: &limitedLog{Logger: o.Log}, observer: o.Observer, closing: closing, stop: stop, cut: cut, cutOff: cutOff, owner: newOwner(),
		clearBatch: clearBatch, forgetBatch: forgetBatch, receiptBatch: receiptBatch, maxChunk: maxChunk,
		patience: o.patience(), attemptTime: slowtest.Limit(attemptTime), closeTime: slowtest.Limit(closeTime),
	}
	if n := o.testOnlySize; n > 0 {
		s.clearBatch, s.forgetBatch, s.receiptBatch, s.maxChunk = n, n, n, n
	}
	if d := o.testOnlyPatience; d > 0 {
		s.attemptTime, s.closeTime = d/2, d
	}
	if d := o.testOnlyClosing; d > 0 {
		s.closeTime = d
	}
	s.behind.store = s
	if !o.testOnlyQuiet {
		s.background.Go(func() { s.keepRemoving(o.Keep) })
	}
	return s, nil
}

// Close saves what still waits to be saved, ends all work in the background, and closes all
// connections. It waits for requests that are under way, but only for a moment if the server is silent.
func (s *Store) Close() error {
	defer s.cutOff()
	defer time.AfterFunc(s.closeTime, s.cutOff).Stop()
	s.behind.end()
	s.starting.Lock()
	s.closed.Store(true)
	s.starting.Unlock()
	s.stop()
	s.background.Wait()
	released := make(chan struct{})
	go func() {
		defer close(released)
		s.release()
	}()
	select {
	case <-released:
	case <-s.cut.Done():
	}
	return nil
}

// inBackground runs a function in a goroutine that Close waits for. The error is os.ErrClosed if the
// store is closed.
func (s *Store) inBackground(f func()) error {
	s.starting.Lock()
	defer s.starting.Unlock()
	if s.closed.Load() {
		return os.ErrClosed
	}
	s.background.Go(f)
	return nil
}

// parse reads a URL and adds what it leaves out. Its error never shows what may be a password.
func parse(text string, o Options) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, ErrURL // without url.Parse's own error, which quotes the text and so a password
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

// connectTime is how long connecting to one server of the URL may take before the next server is tried.
// It is less than attemptTime, so that a server that is gone does not use up a whole attempt.
const connectTime = 3 * time.Second

// Check returns an error that wraps [ErrURL] unless a text is the URL of a database. It connects to
// nothing.
func Check(text string) error {
	_, err := parse(text, Options{})
	return err
}

// Name returns a database's URL with its host and name only, without user, password and parameters.
func Name(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "postgres:…"
	}
	return (&url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}).String()
}
