package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// The background check compares what Check compares, record by record, while games
// go on. It takes a few milliseconds at a time and rests for longer, so that games do not
// notice it, and each time looks at a snapshot of its own: one long read would keep the
// pages of old commits, and the file would grow. So nothing can be counted over the whole
// file. Instead totals are compared with the player's own matches, and every entry of an
// index with what it leads to. The list of free pages is left out.
const checkSlice = 3 * time.Millisecond // of one snapshot, or one record if that takes longer

// testOnlyCheckRest is how long the check rests, as a multiple of how long the step before took.
var testOnlyCheckRest time.Duration = 9

// checkInBackground checks the whole file, logs what it has found, and has wrong derived data made
// again.
func (s *Store) checkInBackground() {
	began := time.Now()
	c := &backgroundCheck{s: s, wrong: map[string]int{}}
	c.checker = &checker{ctx: s.closing, codecs: s.codecs, report: c.note, batched: c.batches}
	err := c.run()
	if s.closing.Err() != nil {
		return
	}
	s.checked.Store(true)
	took := time.Since(began).Round(time.Millisecond)
	switch {
	case err != nil:
		s.group.disk.log.Error("the file could not be checked", "path", s.path, "error", err)
	case len(c.wrong) == 0:
		s.group.disk.log.Info("the file was checked", "records", c.records, "took", took)
	default:
		var where []string
		for _, bucket := range slices.Sorted(maps.Keys(c.wrong)) {
			where = append(where, fmt.Sprintf("%s %d", bucket, c.wrong[bucket]))
		}
		// No key: it could name a player.
		s.group.disk.log.Error("the file is damaged; please run \"fivefold check\" on a backup of it", "path", s.path,
			"problems", s.problems.Load(), "with_loss", c.lost, "where", strings.Join(where, ", "), "took", took)
	}
}

// backgroundCheck is one check of the file while games go on.
type backgroundCheck struct {
	*checker
	s       *Store
	records int
	wrong   map[string]int // problems by bucket
	lost    int            // how many of them are not of derived data
	stale   []damagedDerivation
}

// note counts a problem, and has derived data made again if the problem is there. While any
// derived data is stale, nothing in it is a problem.
func (c *backgroundCheck) note(f Finding) {
	d, derived := derivationOf([]byte(f.Bucket))
	if f.Derived && !derived && f.Bucket == string(bucketMatches) {
		d, derived = histories, true // a match is not in them
	}
	if f.Derived && c.b.Tx != nil && slices.ContainsFunc(derivations, func(d derivation) bool { return c.b.stale(d) != nil }) {
		return
	}
	c.s.problems.Add(1)
	c.wrong[f.Bucket]++
	switch {
	case !f.Derived:
		c.lost++
	case derived && !slices.ContainsFunc(c.stale, func(s damagedDerivation) bool { return s.name == d.name }):
		c.stale = append(c.stale, damagedDerivation{d, errors.New(f.Bucket + ": " + f.Problem)})
	}
}

// run goes through all steps.
func (c *backgroundCheck) run() error {
	if err := c.s.read(c.ctx, func(tx *bbolt.Tx) error {
		c.b = buckets{tx, c.codecs}
		defer func() { c.b = buckets{} }()
		return c.meta()
	}); err != nil {
		return err
	}
	for _, name := range allBuckets {
		if err := c.batches(name, func(key, sealed []byte) { c.record(name, key, sealed) }); err != nil {
			return err
		}
	}
	for _, step := range []func() error{
		c.matches, c.log, c.slots, c.receipts, c.reviews, c.open, c.entriesBack, c.eachTotals, c.eachRank, c.eachChunk,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// batches calls f with every record of a bucket, in its stored form and in the order of
// the keys, in many snapshots. Where pages are damaged or keys out of order, it reports that
// and leaves out the rest of the bucket.
func (c *backgroundCheck) batches(name []byte, f func(key, sealed []byte)) error {
	var last []byte
	for done := false; !done; {
		began := time.Now()
		err := c.s.read(c.ctx, func(tx *bbolt.Tx) error {
			c.b = buckets{tx, c.codecs}
			cursor := tx.Bucket(name).Cursor()
			key, sealed := cursor.First()
			if last != nil {
				if key, sealed = cursor.Seek(last); bytes.Equal(key, last) {
					key, sealed = cursor.Next()
				}
			}
			for ; key != nil; key, sealed = cursor.Next() {
				if last != nil && bytes.Compare(last, key) >= 0 {
					return fmt.Errorf("keys are out of order: %w", game.ErrDamaged)
				}
				f(key, sealed)
				last = key
				if time.Since(began) > checkSlice {
					last = bytes.Clone(last)
					return nil
				}
			}
			done = true
			return nil
		})
		c.b = buckets{}
		if errors.Is(err, game.ErrDamaged) {
			c.found(name, nil, isDerived(name), "%v", err)
			done, err = true, nil
		}
		for _, d := range c.stale {
			if err == nil {
				err = c.s.markStale(c.ctx, d.derivation, d.err)
			}
		}
		c.stale = nil
		if err != nil {
			return err
		}
		select {
		case <-c.ctx.Done():
			return c.ctx.Err()
		case <-time.After(testOnlyCheckRest * time.Since(began)):
		}
	}
	return nil
}

// record looks at a record by itself.
func (c *backgroundCheck) record(name, key, sealed []byte) {
	c.records++
	if bytes.Equal(name, bucketMeta) && bytes.Equal(key, keyFormat) {
		return
	}
	value, ok := unseal(name, key, sealed)
	if !ok {
		c.found(name, key, isDerived(name), "has a wrong checksum")
	} else if err := guard(func() error { return decodes(c.codecs, newestFormat, name, key, value) }); err != nil {
		c.found(name, key, isDerived(name), "cannot be read: %v", err)
	}
}

// log compares the results with matches, histories and the players of totals.
func (c *backgroundCheck) log() error {
	return c.each(bucketResults, func(key, value []byte) {
		f, ok := c.result(key, value)
		if !ok {
			return
		}
		if f.Number <= c.removed() {
			c.found(bucketResults, key, true, "was removed, but is there again")
		}
		if n := c.entries(f); n > 0 {
			community := communityPrefix(f.Location.Community())
			if last, known := c.get(bucketNumbers, community); known && (len(last) != 8 || binary.BigEndian.Uint64(last) < n) {
				c.found(bucketNumbers, community, true, "is less than %d, which was given", n)
			}
		}
		for _, p := range f.Participants {
			if p.Player == "" || f.Number <= c.cleared(p.Player) {
				continue
			}
			for _, s := range f.Scopes() {
				own := c.b.totalsKey(s, p.Player)
				if totals, known := c.get(bucketTotals, own); known && totals == nil {
					c.found(bucketTotals, own, true, "are missing")
				}
			}
		}
	})
}

// cleared returns the number of the last result in which a player is being made anonymous, or
// 0 if the player is not.
func (c *backgroundCheck) cleared(p game.PlayerID) uint64 {
	value, _ := c.get(bucketClearing, []byte(p))
	upTo, err := decodeNumber(value)
	if err != nil {
		return 0
	}
	return upTo
}

// entriesBack compares every entry of a history with the result that it leads to.
func (c *backgroundCheck) entriesBack() error {
	leads := func(bucket []byte, split func(key []byte) (community []byte, ok bool)) error {
		return c.each(bucket, func(key, value []byte) {
			community, ok := split(key)
			if !ok || !isEntry(value) {
				c.found(bucket, key, true, "is no entry")
				return
			}
			data, known := c.get(bucketResults, value[:8])
			r, err := c.codecs.DecodeResult(data)
			if !known || data != nil && err != nil {
				return
			}
			n := value[:8]
			if len(community) > 0 { // otherwise it is everywhere, where the number is the one in the log
				n, known = c.get(bucketNumbers, []byte(r.Match))
				if !known {
					return
				}
			}
			if data == nil || !bytes.Equal(key[len(key)-8:], n) || len(community) > 0 && string(community) != r.Location.Community() {
				c.found(bucket, key, true, "leads to nothing")
			}
		})
	}
	if err := leads(bucketHistory, func(key []byte) ([]byte, bool) {
		if len(key) < 9 {
			return nil, false
		}
		return bytes.CutSuffix(key[:len(key)-8], []byte{0})
	}); err != nil {
		return err
	}
	for _, index := range [][]byte{bucketPlayers, bucketOwn} {
		if err := leads(index, func(key []byte) ([]byte, bool) {
			if len(key) < 9 {
				return nil, false
			}
			_, community, ok := bytes.Cut(key[:len(key)-9], []byte{0})
			return community, ok
		}); err != nil {
			return err
		}
	}
	return c.each(bucketNumbers, func(key, _ []byte) {
		if !bytes.HasSuffix(key, []byte{0}) && c.missing(key) {
			c.found(bucketNumbers, key, true, "is of a match that is missing")
		}
	})
}

// eachTotals counts the totals of every player and scope again, from the archive and the
// player's own matches. A player with 60 000 of these takes about a second, in one snapshot.
func (c *backgroundCheck) eachTotals() error {
	return c.each(bucketTotals, func(key, value []byte) {
		got, err := record.DecodeTotals(value)
		if err != nil {
			return
		}
		scope, ok := c.b.scopeOf(key, got.Player)
		if !ok {
			c.found(bucketTotals, key, true, "are of no player")
			return
		}
		want, known := c.countTotals(scope, got.Player)
		if !known {
			return
		}
		if got != want {
			c.found(bucketTotals, key, true, "are not those of the log and the archive")
		}
		if scope.Guild == "" || got.Played == 0 {
			return
		}
		rank := append(c.b.scopePrefix(scope), rankKey(got)...)
		if value, known := c.get(bucketRanks, rank); known && value == nil {
			c.found(bucketRanks, rank, true, "is missing")
		}
	})
}

// countTotals counts the totals of a player, unless a record on the way cannot be read.
func (c *backgroundCheck) countTotals(s game.Scope, p game.PlayerID) (t game.Totals, known bool) {
	err := guard(func() error {
		t = game.Totals{Player: p}
		key := record.TotalsKey(p, s)
		if archived := c.b.Bucket(bucketArchive).Get(key); archived != nil {
			var err error
			if _, t, err = decodeArchived(key, archived); err != nil {
				return err
			}
		}
		cleared := c.cleared(p)
		prefix := playerPrefix(p, "")
		cursor := c.b.Bucket(bucketPlayers).Cursor()
		for key, entry := cursor.Seek(prefix); bytes.HasPrefix(key, prefix); key, entry = cursor.Next() {
			if !isEntry(entry) {
				return game.ErrDamaged
			}
			r, err := c.b.loadResult(entry[:8])
			if err != nil {
				return err
			}
			if r.Number <= cleared || !slices.Contains(r.Scopes(), s) {
				continue
			}
			for _, part := range r.Participants {
				if part.Player == p {
					t = t.Add(r, part)
				}
			}
		}
		return nil
	})
	return t, err == nil
}

// scopeOf returns the scope in the key of a player's totals.
func (b buckets) scopeOf(key []byte, p game.PlayerID) (game.Scope, bool) {
	for _, codec := range b.codecs {
		rest, ok := strings.CutPrefix(string(key), b.codecs.Prefix(codec.Kind))
		guild, own := strings.CutSuffix(rest, "\x00"+string(p))
		if ok && own && !strings.Contains(guild, "\x00") {
			return game.Scope{Kind: codec.Kind, Guild: game.GuildID(guild)}, true
		}
	}
	return game.Scope{}, false
}

// eachRank compares every place in a leaderboard with its player's totals.
func (c *backgroundCheck) eachRank() error {
	return c.each(bucketRanks, func(key, _ []byte) {
		for _, codec := range c.codecs {
			rest, ok := bytes.CutPrefix(key, []byte(c.codecs.Prefix(codec.Kind)))
			guild, rank, named := bytes.Cut(rest, []byte{0})
			if !ok || !named || len(guild) == 0 || len(rank) <= rankKeyPlayer {
				continue
			}
			own := c.b.totalsKey(game.Scope{Kind: codec.Kind, Guild: game.GuildID(guild)}, game.PlayerID(rank[rankKeyPlayer:]))
			value, known := c.get(bucketTotals, own)
			if !known {
				return
			}
			if t, err := record.DecodeTotals(value); err == nil && bytes.Equal(rankKey(t), rank) {
				return
			}
		}
		c.found(bucketRanks, key, true, "is of no player's totals")
	})
}

// eachChunk compares the size of every chunk of a leaderboard with its keys.
func (c *backgroundCheck) eachChunk() error {
	return c.each(bucketRankChunks, func(bound, value []byte) {
		if len(value) != 8 {
			return
		}
		size, counted := binary.BigEndian.Uint64(value), uint64(0)
		if err := guard(func() error {
			chunks := c.b.Bucket(bucketRankChunks).stored.Cursor()
			chunks.Seek(bound)
			end, _ := chunks.Next()
			keys := c.b.Bucket(bucketRanks).stored.Cursor()
			for key, _ := keys.Seek(bound); key != nil && (end == nil || bytes.Compare(key, end) < 0) && counted <= size; key, _ = keys.Next() {
				counted++
			}
			return nil
		}); err == nil && counted != size {
			c.found(bucketRankChunks, bound, true, "says %d instead of %d", size, counted)
		}
	})
}
