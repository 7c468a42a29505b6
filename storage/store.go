// Package storage is the program's one store. It defines the records and their changes above an [ordered.Map], for every
// engine.
package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/game/work"
	"fivefold/solver/solve"
	"fivefold/storage/bolt"
	"fivefold/storage/engine"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
	"fivefold/storage/transfer"
)

// Store keeps all that the program stores in an [ordered.Map]. It is a [matches.Store], a [finished.Store], a
// [statistics.Store], a [solve.Store], a [game.BoardStore], a [league.Store] and a [work.Store]; the interfaces say what its methods do.
//
// A change that depends on stored records reads them, and is committed on condition that they are still the same. After a
// conflict the change is planned again; only Commit leaves that to its caller.
type Store struct {
	m      ordered.Map
	codecs schema.Codecs
	log    *slog.Logger

	keep       time.Duration // as in Options
	check      bool
	closing    context.Context // ends when Close is called
	stop       context.CancelFunc
	background sync.WaitGroup
	mu         sync.Mutex              // protects soon; held so that nothing begins in the background after Close
	soon       map[string]ordered.Pair // values that flush will store

	cache     slotCache
	secret    atomic.Pointer[[]byte] // nil until it was read
	positions atomic.Uint64          // how many positions of the log this process gave out
	problems  atomic.Int64           // how many problems the checks of Run have found
	checked   atomic.Bool            // whether the latest check has ended, or none is due
	owner     string                 // names this process in work and probes
}

var (
	_ matches.Store    = (*Store)(nil)
	_ solve.Store      = (*Store)(nil)
	_ finished.Store   = (*Store)(nil)
	_ statistics.Store = (*Store)(nil)
	_ game.BoardStore  = (*Store)(nil)
	_ work.Store       = (*Store)(nil)
	_ league.Store     = (*Store)(nil)
)

// Options are the settings of [Open] and [New]. The zero value is ready to use.
type Options struct {
	engine.Options
	// Keep is how long finished matches are kept; 0 means for ever. See [finished.Store.Forget].
	Keep time.Duration
	// Check makes [Store.Run] check every record of a file, and mend those that follow from others.
	Check bool
}

// Open opens the store at bolt:PATH, creating it if it does not exist, or the one at postgres://…, whose table must
// exist: see [engine.Migrate]. Its errors are those of [engine.Open] and [transfer.ErrUnfinished].
func Open(ctx context.Context, url string, codecs record.Codecs, o Options) (*Store, error) {
	m, err := engine.Open(ctx, url, o.Options)
	if err != nil {
		return nil, err
	}
	if err := transfer.CheckWhole(ctx, m); err != nil {
		return nil, fmt.Errorf("%s: %w", engine.Name(url), errors.Join(err, m.Close()))
	}
	o.Check = o.Check && !engine.IsDatabase(url)
	return New(m, codecs, o), nil
}

// New returns a store in a map, which must be empty or written by this package. The codecs are those of every kind of game in
// it. New uses the options Log, Keep and Check. Closing the store closes the map.
func New(m ordered.Map, codecs record.Codecs, o Options) *Store {
	s := &Store{m: m, codecs: schema.Codecs{Codecs: codecs}, log: o.Log, keep: o.Keep, check: o.Check, owner: rand.Text()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.closing, s.stop = context.WithCancel(context.Background())
	return s
}

// Close cuts off the saving of reviews, stores the values of storeSoon, waits for commits in progress, and releases everything.
func (s *Store) Close() error {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	s.background.Wait()
	return s.m.Close()
}

const (
	// soon is how long storeSoon gathers values before they are stored together.
	soon = 200 * time.Millisecond
	// soonTime is how long storing them may take.
	soonTime = 2 * time.Second
)

// storeSoon stores a value in the background. The value may be lost.
func (s *Store) storeSoon(p ordered.Pair) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.soon == nil && s.closing.Err() == nil {
		s.soon = map[string]ordered.Pair{}
		s.background.Go(s.flush)
	}
	if s.soon != nil {
		s.soon[p.Key] = p
	}
}

// flush stores the values of storeSoon until none waits.
func (s *Store) flush() {
	for {
		_ = work.Sleep(s.closing, soon) // a store that is being closed stores them now
		s.mu.Lock()
		all := slices.Collect(maps.Values(s.soon))
		if s.soon = map[string]ordered.Pair{}; len(all) == 0 {
			s.soon = nil
		}
		s.mu.Unlock()
		if len(all) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), soonTime)
		if err := s.m.Commit(ctx, ordered.Change{Set: all}); err != nil && !errors.Is(err, game.ErrNotSaved) {
			s.log.Warn("could not store values in the background", "error", err)
		}
		cancel()
	}
}

// readKey reads and decodes the pair of a key.
func readKey[T any](ctx context.Context, s *Store, key string, decode func(ordered.Pair) (T, error)) (v T, err error) {
	there, err := s.m.Get(ctx, key)
	if err != nil {
		return v, err
	}
	return decode(there[0])
}

// damaged logs that a record is unreadable. The error must not name a player.
func (s *Store) damaged(err error) {
	s.log.Error("could not read a stored record; please check the store", "error", err)
}

// unlessDamaged logs an error that wraps [game.ErrDamaged] and returns nil for it, and returns any other error. It is for data
// whose loss does no harm.
func (s *Store) unlessDamaged(err error) error {
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		return nil
	}
	return err
}

// Probe commits a meaningless change, and returns the error that any other change would get.
func (s *Store) Probe(ctx context.Context) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicProbe + s.owner[:1], Value: schema.Nothing}}})
}

// File returns the file of a store, or nil for a store in a database, which has its own tools.
func (s *Store) File() *bolt.Map {
	file, _ := s.m.(*bolt.Map)
	return file
}
