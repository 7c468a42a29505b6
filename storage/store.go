package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Store keeps everything that the program stores, in an [ordered.Map]. It is a [game.Store], a
// [solve.Store], a [game.BoardStore] and a [game.WorkStore]; the interfaces say what its methods
// do. Every change is planned from one batch of reads and committed on condition that what was
// read has not changed; if it has, the change is planned again.
type Store struct {
	m      ordered.Map
	codecs record.Codecs
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
	problems atomic.Int64           // how many the checks of Run have found
	checked  atomic.Bool            // whether the latest one has ended, or none is due
	owner    string                 // names this process in work and probes
}

var (
	_ game.Store      = (*Store)(nil)
	_ solve.Store     = (*Store)(nil)
	_ game.RaceStore  = (*Store)(nil)
	_ game.BoardStore = (*Store)(nil)
	_ game.WorkStore  = (*Store)(nil)
)

// New returns a store in a map, which must have been made by this package or be empty; codecs
// are those of every kind of game in it. Of the options it uses Log, Keep and Check. Closing the store
// closes the map.
func New(m ordered.Map, codecs record.Codecs, o Options) *Store {
	s := &Store{m: m, codecs: codecs, log: o.Log, keep: o.Keep, check: o.Check, owner: rand.Text()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.closing, s.stop = context.WithCancel(context.Background())
	return s
}

// Run does what no request asks for, until ctx ends: it finishes clearings that were cut off, removes old
// receipts and, with Options.Keep, old games and, with Options.Check, checks every record once a week.
// Nothing else does. It returns once all of that has ended.
func (s *Store) Run(ctx context.Context) {
	var work sync.WaitGroup
	if s.check {
		work.Go(func() {
			game.Keep(ctx, s.log, "could not check the store", 0, checkLease, func() error { return s.checkIfDue(ctx) })
		})
	}
	game.Keep(ctx, s.log, "could not finish clearing a history, or remove what is old", 0, tidyEvery, func() error { return s.tidy(ctx) })
	work.Wait()
}

// tidyEvery is how often clearings that were cut off, and what is old, are looked for.
const tidyEvery = time.Minute

// tidy finishes clearings, and removes receipts and games that were kept for long enough. Their age counts from now, or
// from the latest result if that is earlier: if our own clock is wrong for a while, nothing must be removed too early.
func (s *Store) tidy(ctx context.Context) error {
	err := s.resumeClearings(ctx)
	latest := ordered.Prefix(topicResult)
	latest.Limit, latest.Backward = 1, true
	last, failed := s.scan(ctx, latest)
	if err = errors.Join(err, failed); len(last) == 0 {
		return err
	}
	at := timeOf(numberIn(last[0].Key))
	if now := time.Now(); now.Before(at) {
		at = now
	}
	err = errors.Join(err, s.sweep(ctx, at.Add(-receiptsKept)), s.sweepCleared(ctx, at))
	if s.keep > 0 {
		gone, failed := s.Forget(ctx, at.Add(-s.keep))
		if err = errors.Join(err, failed); gone > 0 {
			s.log.Info("removed finished games that were kept long enough", "games", gone)
		}
	}
	return err
}

// Close ends the saving of reviews, waits for commits in progress, and releases everything.
func (s *Store) Close() error {
	s.begin.Lock()
	s.stop()
	s.begin.Unlock()
	s.saving.Wait()
	return s.m.Close()
}

// scan returns the pairs of one query.
func (s *Store) scan(ctx context.Context, q ordered.Query) ([]ordered.Pair, error) {
	answers, err := s.m.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
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
			if err := game.Sleep(ctx, time.Duration(mathrand.IntN(1<<min(try, 7)))*time.Millisecond); err != nil {
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

// inBatches commits what plan makes of what is stored, batch by batch, until one is smaller than atOnce, and returns how
// many were done in all. So that others' commits come between them, it rests after each, for a multiple of how long that took.
func (s *Store) inBatches(ctx context.Context, atOnce, rest int, plan func(context.Context) (c ordered.Change, n int, err error)) (done int, err error) {
	for {
		began, n := time.Now(), 0
		err := s.change(ctx, func(ctx context.Context, _ int) (c ordered.Change, err error) {
			if c, n, err = plan(ctx); err == nil && len(c.Set) == 0 {
				err = game.ErrConflict
			}
			return c, err
		})
		if errors.Is(err, game.ErrConflict) { // nothing is left
			return done, nil
		}
		if err != nil {
			return done, err
		}
		if done += n; n < atOnce {
			return done, nil
		}
		if err := game.Sleep(ctx, time.Duration(rest)*time.Since(began)); err != nil {
			return done, err
		}
	}
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

// setAside is the pair that keeps what could not be read, when something else takes its place.
func setAside(p ordered.Pair) ordered.Pair {
	return ordered.Pair{Key: topicAside + p.Key, Value: p.Value}
}

// Probe commits a meaningless change, to find out whether changes are accepted. Its error is the one
// that any other change would get.
func (s *Store) Probe(ctx context.Context) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: topicProbe + s.owner[:1], Value: nothing}}})
}

// secretBytes is how long the secret of daily puzzles is.
const secretBytes = 32

// Secret returns the secret, which is read once. One that cannot be read is set aside, and another one is made: that
// changes only puzzles that were never started, since the others are stored.
func (s *Store) Secret(ctx context.Context) (secret []byte, err error) {
	if known := s.secret.Load(); known != nil {
		return *known, nil
	}
	err = s.replace(ctx, func(there []ordered.Pair) (set []ordered.Pair, err error) {
		secret = there[0].Value
		if !there[0].Damaged && len(secret) == secretBytes {
			return nil, nil
		}
		if secret != nil {
			s.log.Error("could not read the secret of daily puzzles; later ones are drawn with a new one")
			set = append(set, setAside(there[0]))
		}
		secret = make([]byte, secretBytes)
		_, _ = rand.Read(secret) // it never fails: see its documentation
		return append(set, ordered.Pair{Key: keySecret, Value: secret}), nil
	}, keySecret)
	if err == nil {
		s.secret.Store(&secret)
	}
	return secret, err
}

// CommandGuilds returns the servers where commands were registered and may still be, in the order in
// which they were saved.
func (s *Store) CommandGuilds(ctx context.Context) ([]game.GuildID, error) {
	return readKey(ctx, s, keyGuilds, decodeTexts[game.GuildID])
}

// SetCommandGuilds replaces what CommandGuilds returns.
func (s *Store) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	return s.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: keyGuilds, Value: encodeTexts(guilds)}}})
}

// encodeTexts returns texts, each with NUL after it.
func encodeTexts[T ~string](texts []T) []byte {
	b := []byte{}
	for _, t := range texts {
		b = append(append(b, t...), 0)
	}
	return b
}

func decodeTexts[T ~string](p ordered.Pair) (texts []T, err error) {
	b, err := value(p)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	text, ok := strings.CutSuffix(string(b), "\x00")
	if !ok {
		return nil, fmt.Errorf("%s: %w", topicOf(p.Key), game.ErrDamaged)
	}
	for t := range strings.SplitSeq(text, "\x00") {
		texts = append(texts, T(t))
	}
	return texts, nil
}

// recentReads remembers what this process last read or wrote of slots, so that a
// commit that follows need not read them again, and a match that has not changed is decoded once. What it has may be
// out of date: a commit on condition of it then conflicts, and all is read.
type recentReads struct {
	mu    sync.Mutex // protects pairs
	pairs map[string]remembered
}

// remembered is a pair and, of a slot, what it means.
type remembered struct {
	ordered.Pair
	slotValue
}

const readsKept = 1024

func (r *recentReads) put(p ordered.Pair, v slotValue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pairs == nil || len(r.pairs) >= readsKept {
		r.pairs = map[string]remembered{}
	}
	r.pairs[p.Key] = remembered{p, v}
}

func (r *recentReads) get(key string) (p remembered, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok = r.pairs[key]
	return p, ok
}

// take is get, and forgets what it returns.
func (r *recentReads) take(key string) (p remembered, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok = r.pairs[key]
	delete(r.pairs, key)
	return p, ok
}

// latestOf returns the last n of a list.
func latestOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// draws remembers the answers that this process has just drawn, by list. A list is stored by [ordered.Map.Later], so
// that starts in a busy server do not wait for one another; for a moment the stored one lacks them.
type draws struct {
	mu    sync.Mutex // protects lists
	lists map[string][]draw
}

type draw struct {
	answer string
	at     time.Time
}

const drawsWithin = 5 * time.Second // longer than Later takes

// and returns a list with the answers that were just drawn at its end.
func (d *draws) and(list string, answers []string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	answers = slices.Clone(answers)
	for _, drawn := range d.lists[list] {
		if time.Since(drawn.at) <= drawsWithin {
			answers = append(slices.DeleteFunc(answers, func(a string) bool { return a == drawn.answer }), drawn.answer)
		}
	}
	return answers
}

// drew adds an answer to a list.
func (s *Store) drew(list game.RecentList, answer string) {
	d := &s.draws
	d.mu.Lock()
	if d.lists == nil || len(d.lists) >= readsKept {
		d.lists = map[string][]draw{}
	}
	now := time.Now()
	recent := slices.DeleteFunc(d.lists[list.Name], func(d draw) bool { return now.Sub(d.at) > drawsWithin })
	d.lists[list.Name] = latestOf(append(recent, draw{answer, now}), list.Keep)
	d.mu.Unlock()
	s.m.Later(ordered.Pair{Key: topicRecent + list.Name, Value: encodeTexts(latestOf(d.and(list.Name, list.Latest), list.Keep))})
}

// LoadToStart implements [game.MatchStore]. A list that cannot be read is empty: at worst, an
// answer comes again too soon.
func (s *Store) LoadToStart(ctx context.Context, slot game.Slot, list string) (latest game.Match, answers []string, err error) {
	there, err := s.m.Get(ctx, slotKey(slot), topicRecent+list) // which is missing for the list ""
	if err != nil {
		return latest, nil, err
	}
	if answers, err = decodeTexts[string](there[1]); s.unlessDamaged(err) != nil {
		return latest, nil, err
	}
	answers = s.draws.and(list, answers)
	v, err := s.decodeSlot(there[0])
	switch {
	case errors.Is(err, game.ErrDamaged), v.ended != "" && slot.Puzzle != "":
		latest, err = s.Load(ctx, slot)
		return latest, answers, err
	case err != nil:
		return latest, nil, err
	case v.cleared != "":
		err = game.ErrCleared
	case v.Version == 0:
		err = game.ErrNoMatch
	}
	s.recent.put(there[0], v)
	return v.Match, answers, err
}

// Puzzle implements [game.MatchStore]. A puzzle that cannot be read counts as missing: the secret
// draws the same one again.
func (s *Store) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error) {
	state, err := readKey(ctx, s, puzzleKey(k, p), func(p ordered.Pair) (game.State, error) {
		data, err := value(p)
		if err != nil || data == nil {
			return nil, err
		}
		return s.codecs.DecodePuzzle(k, data)
	})
	return state, state != nil, s.unlessDamaged(err)
}

// Unfinished implements [game.MatchStore].
func (s *Store) Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error) {
	q := ordered.Prefix(topicOpen)
	q.Limit = limit
	if after.Match != "" {
		q.From = openKey(after) + "\x00"
	}
	var found []game.Unfinished
	for len(found) < limit {
		list, err := s.scan(ctx, q)
		if err != nil {
			return nil, err
		}
		slots, err := s.m.Get(ctx, game.Each(list, func(p ordered.Pair) string { return topicSlot + string(p.Value) })...)
		if err != nil {
			return nil, err
		}
		for i, p := range slots {
			v, err := s.decodeSlot(p)
			if err != nil || v.Version == 0 {
				continue
			}
			if u := v.Unfinished(v.requests[len(v.requests)-1]); openKey(u) == list[i].Key {
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
