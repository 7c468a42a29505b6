package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fivefold/game"
)

// The buckets of histories. The number of a match in its community is given once;
// that in a player's history everywhere (the empty community) is the one in the log.
var (
	bucketHistory = []byte("history")         // community NUL number → entry
	bucketNumbers = []byte("history-numbers") // community NUL → the last number given; match id → its number
	bucketPlayers = []byte("history-players") // player NUL community NUL number → entry; for the own community and everywhere
)

// entry is what an index of histories holds about a match: where its result is, and
// what filters ask for, so that a match can be skipped without loading it. As bytes it
// is the number of the result, a byte for the status, the codec's byte for the kind,
// and the answer.
type entry struct {
	log    uint64 // the number of its result
	status game.Status
	kind   byte
	answer string
}

// statusBytes encode how a match ended.
var statusBytes = map[game.Status]byte{game.Won: 'w', game.Lost: 'l', game.Stopped: 's'}

// entryHead is how long an entry is without its answer.
const entryHead = 8 + 1 + 1

func (b buckets) entryOf(r game.Result) (entry, error) {
	codec, err := b.codecs.Of(r.Kind)
	return entry{r.Number, r.Status, codec.Byte, r.Answer}, err
}

func (e entry) encode() []byte {
	return append(append(number(e.log), statusBytes[e.status], e.kind), e.answer...)
}

// passes reports whether an encoded entry passes the filter; kind is the byte of the
// filter's kind.
func passes(b []byte, f game.Filter, kind byte) bool {
	return (f.Status == "" || b[8] == statusBytes[f.Status]) &&
		(!f.PlayedOut || b[8] != statusBytes[game.Stopped]) &&
		(f.Kind == "" || b[9] == kind) &&
		(f.Answer == "" || string(b[entryHead:]) == f.Answer)
}

// indexKey is the key of a number in the history of a community or of a player there.
func indexKey(prefix []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(slices.Clip(prefix), n)
}

// communityPrefix is where the keys of a community's history begin. It is also the key of
// its last number, which no match has as its id: ids hold no NUL.
func communityPrefix(community string) []byte { return append([]byte(community), 0) }

// playerPrefix is where the keys of a player's history in a community begin; those of
// all of them begin with the player and NUL.
func playerPrefix(p game.PlayerID, community string) []byte {
	return append(append([]byte(p), 0), communityPrefix(community)...)
}

// remember adds a match that has ended to the histories of its community and of
// everybody in it. Its number in the community is n.
func (b buckets) remember(f finished, n uint64) error {
	entry, err := b.entryOf(f.Result)
	if err != nil {
		return err
	}
	last, err := b.lastNumber(f.Location.Community())
	if err != nil {
		return err
	}
	return b.put(rows(f, entry, n, max(n, last))...)
}

// lastNumber returns the number that was given last in a community.
func (b buckets) lastNumber(community string) (uint64, error) {
	last, err := decodeNumber(b.Bucket(bucketNumbers).Get(communityPrefix(community)))
	if err != nil {
		return 0, err
	}
	forgotten, err := b.forgottenIn(community)
	return max(last, forgotten), err
}

// row is a key and its value in a bucket.
type row struct{ bucket, key, value []byte }

// rows are what the buckets of histories hold about a match: its entry, its number in
// its community, and the last number there.
func rows(f finished, e entry, n, last uint64) []row {
	community := f.Location.Community()
	value := e.encode()
	all := []row{
		{bucketNumbers, communityPrefix(community), number(last)},
		{bucketNumbers, []byte(f.Match), number(n)},
		{bucketHistory, indexKey(communityPrefix(community), n), value},
	}
	for _, player := range f.named {
		all = append(all,
			row{bucketPlayers, indexKey(playerPrefix(player, community), n), value},
			row{bucketPlayers, indexKey(playerPrefix(player, ""), e.log), value})
	}
	return all
}

// decodeNumber reads a number; it is 0 if there is none.
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
	err = s.readDerived(ctx, histories, func(b buckets) error {
		codec, err := s.codecs.Of(f.Kind)
		if f.Kind != "" && err != nil {
			return nil // there are no matches of an unknown kind
		}
		index, prefix := b.Bucket(bucketHistory), communityPrefix(f.Community)
		if f.Player != "" {
			index, prefix = b.Bucket(bucketPlayers), playerPrefix(f.Player, f.Community)
		}
		for k, v := range numbered(index.Cursor(), prefix, f) {
			if len(entries) >= f.Limit {
				break
			}
			if len(k) != len(prefix)+8 || len(v) < entryHead {
				return fmt.Errorf("history: %w", game.ErrDamaged)
			}
			if !passes(v, f, codec.Byte) {
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
// bounds: upwards if there is a From, otherwise downwards.
func numbered(c cursor, prefix []byte, f game.Filter) func(yield func(k, v []byte) bool) {
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
	data := b.Bucket(bucketResults).Get(log)
	if data == nil {
		return game.Result{}, fmt.Errorf("result %d is missing: %w", n, game.ErrDamaged)
	}
	r, err := b.codecs.DecodeResult(data)
	if err != nil {
		return game.Result{}, fmt.Errorf("number %d: %w", n, err)
	}
	r.Number = n
	return r, nil
}

func (s *Store) Finished(ctx context.Context, match game.MatchID) (f game.Finished, err error) {
	err = s.readDerived(ctx, histories, func(b buckets) error {
		f.Number, err = decodeNumber(b.Bucket(bucketNumbers).Get([]byte(match)))
		if err != nil {
			return err
		}
		if f.Number == 0 {
			return game.ErrNotInHistory
		}
		f.Match, err = b.loadMatch([]byte(match))
		return err
	})
	return f, err
}
