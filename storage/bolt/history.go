package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/wordle"
)

// The buckets of histories. The number of a match in its pool is given once; that
// in a player's history everywhere (the empty pool) is the one in the log.
var (
	bucketHistory = []byte("history")         // pool NUL number → entry
	bucketNumbers = []byte("history-numbers") // pool NUL → the last number given; match id → its number
	bucketPlayers = []byte("history-players") // player NUL pool NUL number → entry; for the own pool and everywhere
)

// entry is what an index of histories knows of a match: where its result is, and
// what filters ask for, so that passing over a match costs no look at it.
type entry struct {
	log    uint64 // the number of its result
	status game.Status
	hidden wordle.Word // 0 in the poker game
}

// statusLetters are how an entry tells how the match ended.
var statusLetters = map[game.Status]byte{game.Won: 'w', game.Lost: 'l', game.Stopped: 's'}

func (e entry) encode() []byte {
	b := append(number(e.log), statusLetters[e.status])
	if e.hidden == 0 {
		return append(b, noWord...)
	}
	return append(b, e.hidden.String()...)
}

// noWord is what an entry of the poker game has for a word.
const noWord = "\x00\x00\x00\x00\x00"

// entrySize is the length of an entry.
const entrySize = 8 + 1 + wordle.Length

// matches reports whether an encoded entry is one that the filter lets through.
func matches(b []byte, f game.Filter) bool {
	word := string(b[9:])
	return (f.Status == "" || b[8] == statusLetters[f.Status]) &&
		(f.Kind == "" || (f.Kind == game.Wordle) == (word != noWord)) &&
		(f.Hidden == 0 || word == f.Hidden.String())
}

// indexKey is the key of a number in the history of a pool or of a player there.
func indexKey(prefix []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(slices.Clip(prefix), n)
}

// poolPrefix is where the keys of a pool's history begin. It is also the key of
// the pool's last number, which no match has as its id: ids hold no NUL.
func poolPrefix(pool string) []byte { return append([]byte(pool), 0) }

// playerPrefix is where the keys of a player's history in a pool begin; those of
// all of them begin with the player and NUL.
func playerPrefix(p game.PlayerID, pool string) []byte {
	return append(append([]byte(p), 0), poolPrefix(pool)...)
}

// remember adds a match that has ended, with the number of its result, to the
// histories of its pool and of everybody in it.
func (b buckets) remember(m game.Match, log uint64) error {
	last, err := decodeNumber(b.Bucket(bucketNumbers).Get(poolPrefix(m.Location.Community())))
	if err != nil {
		return err
	}
	for _, r := range rows(m, log, last+1) {
		if err := b.Bucket(r.bucket).Put(r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}

// row is a key and its value in a bucket.
type row struct{ bucket, key, value []byte }

// rows are what the buckets of histories hold of a match with these numbers, in
// the log and in its pool.
func rows(m game.Match, log, n uint64) []row {
	pool := m.Location.Community()
	value := entry{log, m.Status(), m.Wordle.Hidden()}.encode()
	all := []row{
		{bucketNumbers, poolPrefix(pool), number(n)},
		{bucketNumbers, []byte(m.ID), number(n)},
		{bucketHistory, indexKey(poolPrefix(pool), n), value},
	}
	for _, player := range m.Named() {
		all = append(all,
			row{bucketPlayers, indexKey(playerPrefix(player, pool), n), value},
			row{bucketPlayers, indexKey(playerPrefix(player, ""), log), value})
	}
	return all
}

// decodeNumber reads a number, 0 where there is none.
func decodeNumber(b []byte) (uint64, error) {
	if b == nil {
		return 0, nil
	}
	if len(b) != 8 {
		return 0, fmt.Errorf("history: %w", game.ErrDamaged)
	}
	return binary.BigEndian.Uint64(b), nil
}

func (s *Store) History(ctx context.Context, f game.Filter) (entries []game.Entry, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx}
		index, prefix := b.Bucket(bucketHistory), poolPrefix(f.Community)
		if f.Player != "" {
			index, prefix = b.Bucket(bucketPlayers), playerPrefix(f.Player, f.Community)
		}
		for k, v := range numbered(index.Cursor(), prefix, f) {
			if len(entries) >= f.Limit {
				break
			}
			if len(k) != len(prefix)+8 || len(v) != entrySize {
				return fmt.Errorf("history: %w", game.ErrDamaged)
			}
			if !matches(v, f) {
				continue
			}
			r, err := b.loadResult(v[:8])
			if err != nil {
				return err
			}
			entries = append(entries, game.Entry{Number: binary.BigEndian.Uint64(k[len(prefix):]), Result: r})
		}
		if f.From > 0 {
			slices.Reverse(entries)
		}
		return nil
	})
	return entries, err
}

// numbered returns the entries with a prefix and a number within the filter's
// bounds: upwards where there is a From, otherwise downwards.
func numbered(c *bbolt.Cursor, prefix []byte, f game.Filter) func(yield func(k, v []byte) bool) {
	before := f.Before
	if before == 0 {
		before = math.MaxUint64
	}
	end := indexKey(prefix, before)
	return func(yield func(k, v []byte) bool) {
		if f.From > 0 {
			for k, v := c.Seek(indexKey(prefix, f.From)); k != nil && bytes.Compare(k, end) < 0 && yield(k, v); k, v = c.Next() {
			}
			return
		}
		var k, v []byte
		if behind, _ := c.Seek(end); behind == nil {
			k, v = c.Last()
		} else {
			k, v = c.Prev()
		}
		for ; bytes.HasPrefix(k, prefix) && yield(k, v); k, v = c.Prev() {
		}
	}
}

// loadResult returns a result of the log by its number.
func (b buckets) loadResult(log []byte) (game.Result, error) {
	n := binary.BigEndian.Uint64(log)
	record := b.Bucket(bucketResults).Get(log)
	if record == nil {
		return game.Result{}, fmt.Errorf("result %d is missing: %w", n, game.ErrDamaged)
	}
	r, err := game.DecodeResult(record)
	if err != nil {
		return game.Result{}, fmt.Errorf("number %d: %w", n, err)
	}
	r.Number = n
	return r, nil
}

func (s *Store) Finished(ctx context.Context, match game.MatchID) (f game.Finished, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		f.Number, err = decodeNumber(tx.Bucket(bucketNumbers).Get([]byte(match)))
		if err != nil {
			return err
		}
		if f.Number == 0 {
			return game.ErrNoGame
		}
		f.Match, err = loadMatch(tx.Bucket(bucketMatches), []byte(match))
		return err
	})
	return f, err
}
