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
//
// In its community, a match that others may see is in bucketHistory and, for everybody it
// names, in bucketPlayers; one that was played alone and not shared is in bucketOwn
// instead. So what a player sees is the union of two lists, and a page reads adjacent keys
// of them: nothing that others played alone has to be skipped. In the history of everywhere,
// which only the player sees, all are in bucketPlayers.
var (
	bucketHistory = []byte("history")         // community NUL number → entry
	bucketNumbers = []byte("history-numbers") // community NUL → the last number given; match id → its number
	bucketPlayers = []byte("history-players") // player NUL community NUL number → entry, in its community and everywhere
	bucketOwn     = []byte("history-own")     // player NUL community NUL number → entry, in its community; since format 9
)

// entry is what an index of histories holds about a match: where its result is, and
// what filters ask for, so that a match can be skipped without loading it. As bytes it
// is the number of the result, a byte for the status, the codec's byte for the kind, the
// length of the channel in a byte, the channel whose readers see the match, and the answer.
type entry struct {
	log     uint64 // the number of its result
	status  game.Status
	kind    byte
	channel game.ChannelID
	answer  string
}

// statusBytes encode how a match ended.
var statusBytes = map[game.Status]byte{game.Won: 'w', game.Lost: 'l', game.Stopped: 's'}

// entryHead is how long an entry is without its channel and answer.
const entryHead = 8 + 1 + 1 + 1

func (b buckets) entryOf(r game.Result) (entry, error) {
	codec, err := b.codecs.Of(r.Kind)
	return entry{r.Number, r.Status, codec.Byte, r.Channel(), r.Answer}, err
}

func (e entry) encode() []byte {
	b := append(number(e.log), statusBytes[e.status], e.kind, byte(len(e.channel)))
	return append(append(b, e.channel...), e.answer...)
}

// isEntry reports whether an encoded entry is long enough to be one.
func isEntry(b []byte) bool { return len(b) >= entryHead && len(b) >= entryHead+int(b[entryHead-1]) }

// passes reports whether an encoded entry passes the filter, apart from its Without; kind is
// the byte of the filter's kind.
func passes(b []byte, f game.Filter, kind byte) bool {
	return (f.Status == "" || b[8] == statusBytes[f.Status]) &&
		(!f.PlayedOut || b[8] != statusBytes[game.Stopped]) &&
		(f.Kind == "" || b[9] == kind) &&
		(f.Answer == "" || string(b[entryHead+int(b[10]):]) == f.Answer)
}

// leftOut reports whether an encoded entry is of a channel that is left out.
func leftOut(b []byte, without []game.ChannelID) bool {
	channel := b[entryHead : entryHead+int(b[10])]
	return slices.ContainsFunc(without, func(c game.ChannelID) bool { return string(c) == string(channel) })
}

// indexKey is the key of a number in the history of a community or of a player there.
func indexKey(prefix []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(slices.Clip(prefix), n)
}

// communityPrefix is what the keys of a community's history begin with. It is also the key of
// its last number, which no match has as its id: ids hold no NUL.
func communityPrefix(community string) []byte { return append([]byte(community), 0) }

// playerPrefix is what the keys of a player's history in a community begin with; the keys of
// all histories of the player begin with the player and NUL.
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

// rows are what the buckets of histories hold about a match, in this order: the last number in
// its community, its own number there, and its entries.
func rows(f finished, e entry, n, last uint64) []row {
	community := f.Location.Community()
	value := e.encode()
	all := []row{
		{bucketNumbers, communityPrefix(community), number(last)},
		{bucketNumbers, []byte(f.Match), number(n)},
	}
	own := bucketOwn
	if f.Public() {
		own = bucketPlayers
		all = append(all, row{bucketHistory, indexKey(communityPrefix(community), n), value})
	}
	for _, player := range f.named {
		all = append(all,
			row{own, indexKey(playerPrefix(player, community), n), value},
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
		for w := range b.walk(f) {
			if len(entries) >= f.Limit {
				break
			}
			if w.number() == 0 || !isEntry(w.value) {
				return fmt.Errorf("history: %w", game.ErrDamaged)
			}
			if !passes(w.value, f, codec.Byte) || w.public && leftOut(w.value, f.Without) {
				continue
			}
			r, err := b.loadResult(w.value[:8])
			if err != nil {
				return err
			}
			entries = append(entries, game.Entry{Number: w.number(), Result: r})
		}
		if f.From > 0 {
			slices.Reverse(entries)
		}
		return nil
	})
	return entries, err
}

// walk returns the entries that the filter's viewer may see within the bounds of numbers:
// upwards if there is a From, otherwise downwards.
func (b buckets) walk(f game.Filter) func(yield func(w *walker) bool) {
	var lists []*walker
	add := func(bucket, prefix []byte, public bool) {
		lists = append(lists, newWalker(b.Bucket(bucket).Cursor(), prefix, f, public))
	}
	own := f.Viewer != "" && (f.Player == "" || f.Player == f.Viewer)
	switch {
	case f.Community == "":
		if own {
			add(bucketPlayers, playerPrefix(f.Viewer, ""), false)
		}
		own = false
	case f.Player == "":
		add(bucketHistory, communityPrefix(f.Community), true)
	default:
		add(bucketPlayers, playerPrefix(f.Player, f.Community), true)
	}
	if own {
		add(bucketOwn, playerPrefix(f.Viewer, f.Community), false)
	}
	return func(yield func(w *walker) bool) {
		for {
			var next *walker
			for _, w := range lists {
				if w.key != nil && (next == nil || (w.number() < next.number()) == (f.From > 0)) {
					next = w
				}
			}
			if next == nil || !yield(next) {
				return
			}
			next.step()
		}
	}
}

// walker goes through a part of an index.
type walker struct {
	cursor
	prefix, end []byte // it goes through the keys with the prefix that are before the end
	up          bool
	public      bool   // everybody may see what the index has
	key, value  []byte // of the entry where it is; key is nil after the last one
}

// newWalker returns a walker at the first entry within the filter's bounds.
func newWalker(c cursor, prefix []byte, f game.Filter, public bool) *walker {
	before := f.Before
	if before == 0 {
		before = math.MaxUint64
	}
	w := &walker{cursor: c, prefix: prefix, end: indexKey(prefix, before), up: f.From > 0, public: public}
	if w.up {
		w.at(c.Seek(indexKey(prefix, f.From)))
		return w
	}
	if after, _ := c.Seek(w.end); after == nil {
		w.at(c.Last())
	} else {
		w.at(c.Prev())
	}
	return w
}

// step goes to the next entry.
func (w *walker) step() {
	if w.up {
		w.at(w.Next())
	} else {
		w.at(w.Prev())
	}
}

func (w *walker) at(key, value []byte) {
	if !bytes.HasPrefix(key, w.prefix) || bytes.Compare(key, w.end) >= 0 {
		key = nil
	}
	w.key, w.value = key, value
}

// number is that of the entry in its history, or 0 if its key has none.
func (w *walker) number() uint64 {
	if len(w.key) != len(w.prefix)+8 {
		return 0
	}
	return binary.BigEndian.Uint64(w.key[len(w.prefix):])
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
		if f.Number == 0 || b.lost([]byte(match)) {
			return game.ErrNotInHistory
		}
		f.Match, err = b.loadMatch([]byte(match))
		return err
	})
	return f, err
}
