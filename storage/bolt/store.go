package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Store is a [game.Store], [solve.Store], [preferences.Store] and [game.BoardStore] in one
// bbolt file; the interfaces say what its methods do. Reads see the latest commit and wait
// for nothing.
type Store struct {
	db     *bbolt.DB
	path   string
	group  group
	codecs record.Codecs

	closing    context.Context // ends when Close is called
	stop       context.CancelFunc
	background sync.WaitGroup // of the goroutines that run until then
	checked    atomic.Bool    // whether the background check has ended
	problems   atomic.Int64   // how many it has found so far
	clearing   clearer
	// clearBatch, clearSlice and forgetBatch are the constants of these names, except in tests.
	clearBatch, forgetBatch int
	clearSlice              time.Duration

	damageLogged atomic.Int64 // when damaged logged something, in seconds of Unix time
}

var _ game.Store = (*Store)(nil)

// Close ends all background work, waits for commits in progress, and releases the file.
func (s *Store) Close() error {
	s.stop()
	s.background.Wait()
	s.group.wait()
	var err error
	if keepsNote {
		err = removeNote(s.path)
	}
	return errors.Join(err, s.db.Close())
}

// Stats is the state of the file, for metrics.
type Stats struct {
	Bytes     int64 // length of the file
	PageBytes int
	// FreePages can be used by the next commit. PendingPages become free once reads that
	// are open now have ended.
	FreePages, PendingPages int
	// Checked reports whether the background check of every record has ended, and Problems
	// is how many it has found so far.
	Checked  bool
	Problems int
}

// Stats returns the state of the file after the latest commit. It reads nothing but the
// file's length.
func (s *Store) Stats() (Stats, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return Stats{}, err
	}
	now := s.db.Stats()
	return Stats{
		Bytes: info.Size(), PageBytes: s.db.Info().PageSize, FreePages: now.FreePageN, PendingPages: now.PendingPageN,
		Checked: s.checked.Load(), Problems: int(s.problems.Load()),
	}, nil
}

// read runs f on a snapshot, unless ctx has ended already.
func (s *Store) read(ctx context.Context, f func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := view(s.db, f)
	// f may have seen a transaction whose sync has failed meanwhile.
	if broken := s.group.disk.broken(); broken != nil {
		return broken
	}
	return err
}

func (s *Store) Load(ctx context.Context, slot game.Slot) (m game.Match, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		id := b.Bucket(bucketSlots).Get([]byte(slot.Key()))
		if id == nil {
			return game.ErrNoMatch
		}
		m, err = b.loadMatch(id)
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		err = fmt.Errorf("%w (%w)", game.ErrUnreadable, err)
	}
	return m, err
}

// loadEntry returns a match's entry; its record is valid during the transaction.
func loadEntry(matches bucket, id []byte) (matchEntry, error) {
	b := matches.Get(id)
	if b == nil {
		return matchEntry{}, fmt.Errorf("match %s is missing: %w", id, game.ErrDamaged)
	}
	return decodeMatchEntry(b)
}

func (b buckets) loadMatch(id []byte) (game.Match, error) {
	value := b.Bucket(bucketMatches).Get(id)
	if value == nil {
		return game.Match{}, fmt.Errorf("match %s is missing: %w", id, game.ErrDamaged)
	}
	return decodeMatch(b.codecs, id, value)
}

func (s *Store) Repeated(ctx context.Context, slot game.Slot, request game.RequestID) (m game.Match, version uint64, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		r, err := buckets{tx, s.codecs}.findReceipt(slot, request)
		if err != nil || r.version == 0 {
			return err
		}
		version = r.version
		m, err = buckets{tx, s.codecs}.loadMatch([]byte(r.match))
		return err
	})
	return m, version, err
}

func (s *Store) RecentAnswers(ctx context.Context, list string) (answers []string, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		answers, err = buckets{tx, s.codecs}.recentAnswers(list)
		return err
	})
	if errors.Is(err, game.ErrDamaged) { // at worst, an answer comes again too soon
		s.damaged(err)
		err = nil
	}
	return answers, err
}

func (s *Store) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (state game.State, ok bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		record, _, err := buckets{tx, s.codecs}.puzzle(k, p)
		if record == nil || err != nil {
			return err
		}
		state, err = s.codecs.DecodePuzzle(k, record)
		ok = err == nil
		return err
	})
	return state, ok, err
}

// Secret returns the secret. One that cannot be read is set aside, and another one is
// made: that changes only puzzles which nobody has started, since the others are stored.
func (s *Store) Secret(ctx context.Context) (secret []byte, err error) {
	load := func(tx *bbolt.Tx) (err error) {
		secret, err = buckets{tx, s.codecs}.loadSecret()
		return err
	}
	if err := s.read(ctx, load); !errors.Is(err, game.ErrDamaged) {
		return secret, err
	}
	if err := s.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		if _, err := b.loadSecret(); !errors.Is(err, game.ErrDamaged) {
			return cmp.Or(err, game.ErrConflict) // another request was first
		}
		if err := b.setAside(bucketMeta, keySecret); err != nil {
			return err
		}
		return b.createSecret()
	}); err == nil {
		s.group.disk.log.Error("the secret of daily puzzles could not be read; coming ones are drawn by a new one")
	} else if !errors.Is(err, game.ErrConflict) {
		return nil, err
	}
	err = s.read(ctx, load)
	return secret, err
}

func (b buckets) loadSecret() ([]byte, error) {
	secret, err := b.Bucket(bucketMeta).read(keySecret)
	if err == nil && len(secret) != secretSize {
		err = fmt.Errorf("secret: %w", game.ErrDamaged)
	}
	return bytes.Clone(secret), err
}

func (s *Store) Totals(ctx context.Context, scope game.Scope, player game.PlayerID) (t game.Totals, err error) {
	err = s.readDerived(ctx, statistics, func(b buckets) error {
		t, err = b.loadTotals(scope, player)
		return err
	})
	return t, err
}

func (b buckets) loadTotals(scope game.Scope, player game.PlayerID) (game.Totals, error) {
	data := b.Bucket(bucketTotals).Get(b.totalsKey(scope, player))
	if data == nil {
		return game.Totals{Player: player}, nil
	}
	return record.DecodeTotals(data)
}

func (s *Store) Leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID, top int) (board game.Leaderboard, err error) {
	err = s.readDerived(ctx, statistics, func(b buckets) error {
		list := b.ranksOf(scope)
		for i, key := range list.top(top) {
			if len(key) <= rankKeyPlayer {
				return fmt.Errorf("leaderboard: %w", game.ErrDamaged)
			}
			t, err := b.loadTotals(scope, game.PlayerID(key[rankKeyPlayer:]))
			if err != nil {
				return err
			}
			place := i + 1
			if i > 0 && t.Compare(board.Top[i-1].Totals) == 0 {
				place = board.Top[i-1].Place
			}
			board.Top = append(board.Top, game.Row{Place: place, Totals: t})
		}
		own, err := b.loadTotals(scope, player)
		if err != nil {
			return err
		}
		// Players who compare equal have the same key up to the player, and so the
		// same number of better ones before them.
		better, all, err := list.count(rankKey(own)[:rankKeyPlayer])
		if err != nil {
			return err
		}
		board.Players = all
		if own.Played > 0 {
			board.Own = game.Row{Place: better + 1, Totals: own}
		}
		return nil
	})
	return board, err
}

func (s *Store) Results(ctx context.Context, after uint64, limit int) (results []game.Result, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		c := buckets{tx, s.codecs}.Bucket(bucketResults).Cursor()
		for k, v := c.Seek(number(after + 1)); k != nil && len(results) < limit; k, v = c.Next() {
			n, err := decodeNumber(k)
			if err != nil {
				return err
			}
			r, err := s.codecs.DecodeResult(v)
			if err != nil {
				return fmt.Errorf("number %d: %w", n, err)
			}
			r.Number = n
			results = append(results, r)
		}
		return nil
	})
	return results, err
}
