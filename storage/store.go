// Package storage is the one store of the program: what it keeps and how, written once above an [ordered.Map].
package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
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

// Store keeps everything that the program stores, in an [ordered.Map]. It is a [matches.Store], a [finished.Store],
// a [statistics.Store], a [solve.Store], a [game.BoardStore] and a [work.Store]; the interfaces say what its
// methods do. Every change is planned from one batch of reads and committed on condition that what was
// read has not changed; if it has, the change is planned again.
type Store struct {
	m      ordered.Map
	codecs schema.Codecs
	log    *slog.Logger

	keep    time.Duration // as in Options
	check   bool
	closing context.Context // ends when Close is called
	stop    context.CancelFunc
	begin   sync.Mutex     // held while the saving of a review begins
	saving  sync.WaitGroup // of reviews

	recent   recentReads
	draws    draws
	secret   atomic.Pointer[[]byte] // once it was read
	counted  atomic.Uint64          // results that were given a position in the log
	problems atomic.Int64           // how many the checks of Run have found
	checked  atomic.Bool            // whether the latest one has ended, or none is due
	owner    string                 // names this process in work and probes
}

var (
	_ matches.Store    = (*Store)(nil)
	_ solve.Store      = (*Store)(nil)
	_ finished.Store   = (*Store)(nil)
	_ statistics.Store = (*Store)(nil)
	_ game.BoardStore  = (*Store)(nil)
	_ work.Store       = (*Store)(nil)
)

// Options are the settings of [Open] and [New]. The zero value is ready to use.
type Options struct {
	engine.Options
	// Keep is how long finished matches are kept; 0 means for ever. See [finished.Store.Forget].
	Keep time.Duration
	// Check has [Store.Run] check every record of a file, and mend what follows from others.
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

// New returns a store in a map, which must have been made by this package or be empty; codecs
// are those of every kind of game in it. Of the options it uses Log, Keep and Check. Closing the store
// closes the map.
func New(m ordered.Map, codecs record.Codecs, o Options) *Store {
	s := &Store{m: m, codecs: schema.Codecs{Codecs: codecs}, log: o.Log, keep: o.Keep, check: o.Check, owner: rand.Text()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.closing, s.stop = context.WithCancel(context.Background())
	return s
}

// Close ends the saving of reviews, waits for commits in progress, and releases everything.
func (s *Store) Close() error {
	s.begin.Lock()
	s.stop()
	s.begin.Unlock()
	s.saving.Wait()
	return s.m.Close()
}

// readKey returns what decode makes of the pair of a key.
func readKey[T any](ctx context.Context, s *Store, key string, decode func(ordered.Pair) (T, error)) (v T, err error) {
	there, err := s.m.Get(ctx, key)
	if err != nil {
		return v, err
	}
	return decode(there[0])
}

// change commits what plan makes of what is stored, and plans again whenever something that it has
// read was changed meanwhile. An error of plan ends it.
func (s *Store) change(ctx context.Context, plan func(ctx context.Context, try int) (ordered.Change, error)) error {
	for try := 0; ; try++ {
		c, err := plan(ctx, try)
		if err != nil {
			return err
		}
		if err := s.m.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			return err
		}
		if try > 2 { // many change the same: let them take turns
			if err := work.Sleep(ctx, time.Duration(mathrand.IntN(1<<min(try, 7)))*time.Millisecond); err != nil {
				return err
			}
		}
	}
}

// replace commits what plan makes of the pairs of some keys, on condition that they have not changed meanwhile.
func (s *Store) replace(ctx context.Context, plan func(there []ordered.Pair) (set []ordered.Pair, err error), keys ...string) error {
	return s.change(ctx, func(ctx context.Context, _ int) (ordered.Change, error) {
		there, err := s.m.Get(ctx, keys...)
		if err != nil {
			return ordered.Change{}, err
		}
		set, err := plan(there)
		return ordered.Change{If: there, Set: set}, err
	})
}

// damaged logs that something stored cannot be read. The error must not name a player.
func (s *Store) damaged(err error) {
	s.log.Error("could not read a stored record; please check the store", "error", err)
}

// unlessDamaged is for data that can be missing without harm: an error that wraps
// [game.ErrDamaged] is logged and becomes nil.
func (s *Store) unlessDamaged(err error) error {
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		return nil
	}
	return err
}

// Probe commits a meaningless change, to find out whether changes are accepted. Its error is the one
// that any other change would get.
func (s *Store) Probe(ctx context.Context) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.TopicProbe + s.owner[:1], Value: schema.Nothing}}})
}

// Secret returns the secret, which is read once. One that cannot be read is set aside, and another one is made: that
// changes only puzzles that were never started, since the others are stored.
func (s *Store) Secret(ctx context.Context) (secret []byte, err error) {
	if known := s.secret.Load(); known != nil {
		return *known, nil
	}
	err = s.replace(ctx, func(there []ordered.Pair) (set []ordered.Pair, err error) {
		secret = there[0].Value
		if !there[0].Damaged && len(secret) == schema.SecretBytes {
			return nil, nil
		}
		if secret != nil {
			s.log.Error("could not read the secret of daily puzzles; later ones are drawn with a new one")
			set = append(set, schema.SetAside(there[0]))
		}
		secret = make([]byte, schema.SecretBytes)
		_, _ = rand.Read(secret) // it never fails: see its documentation
		return append(set, ordered.Pair{Key: schema.KeySecret, Value: secret}), nil
	}, schema.KeySecret)
	if err == nil {
		s.secret.Store(&secret)
	}
	return secret, err
}

// CommandGuilds returns the servers where commands were registered and may still be, in the order in
// which they were saved.
func (s *Store) CommandGuilds(ctx context.Context) ([]game.GuildID, error) {
	return readKey(ctx, s, schema.KeyGuilds, schema.DecodeTexts[game.GuildID])
}

// SetCommandGuilds replaces what CommandGuilds returns.
func (s *Store) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.KeyGuilds, Value: schema.EncodeTexts(guilds)}}})
}

// LoadToStart implements [matches.Store]. A list that cannot be read is empty: at worst, an
// answer comes again too soon.
func (s *Store) LoadToStart(ctx context.Context, slot game.Slot, list string) (latest game.Match, answers []string, err error) {
	there, err := s.m.Get(ctx, schema.SlotKey(slot), schema.TopicRecent+list) // which is missing for the list ""
	if err != nil {
		return latest, nil, err
	}
	if answers, err = schema.DecodeTexts[string](there[1]); s.unlessDamaged(err) != nil {
		return latest, nil, err
	}
	answers = s.draws.and(list, answers)
	v, err := s.decodeSlot(there[0])
	switch {
	case errors.Is(err, game.ErrDamaged), v.Ended != "" && slot.Puzzle != "":
		latest, err = s.Load(ctx, slot)
		return latest, answers, err
	case err != nil:
		return latest, nil, err
	case v.Tombstone != "":
		err = game.ErrCleared
	case v.Version == 0:
		err = game.ErrNoMatch
	}
	s.recent.put(there[0], v)
	return v.Match, answers, err
}

// Puzzle implements [matches.Store]. A puzzle that cannot be read counts as missing: the secret
// draws the same one again.
func (s *Store) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error) {
	state, err := readKey(ctx, s, schema.PuzzleKey(k, p), func(p ordered.Pair) (game.State, error) {
		data, err := schema.Value(p)
		if err != nil || data == nil {
			return nil, err
		}
		return s.codecs.DecodePuzzle(k, data)
	})
	return state, state != nil, s.unlessDamaged(err)
}

// Unfinished implements [matches.Store].
func (s *Store) Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error) {
	q := ordered.Prefix(schema.TopicOpen)
	q.Limit = limit
	if after.Match != "" {
		q.From = schema.OpenKey(after) + "\x00"
	}
	var found []game.Unfinished
	for len(found) < limit {
		list, err := ordered.Scan(ctx, s.m, q)
		if err != nil {
			return nil, err
		}
		slots, err := s.m.Get(ctx, game.Each(list, func(p ordered.Pair) string { return schema.TopicSlot + string(p.Value) })...)
		if err != nil {
			return nil, err
		}
		for i, p := range slots {
			v, err := s.decodeSlot(p)
			if err != nil || v.Version == 0 {
				continue
			}
			if u := v.Unfinished(); schema.OpenKey(u) == list[i].Key {
				found = append(found, u)
			}
		}
		if len(list) < limit {
			break
		}
		q.From = list[len(list)-1].Key + "\x00"
	}
	return slices.Clip(found[:min(limit, len(found))]), nil
}

// File returns the file of a store, or nil for a store in a database, which has its own tools.
func (s *Store) File() *bolt.Map {
	file, _ := s.m.(*bolt.Map)
	return file
}
