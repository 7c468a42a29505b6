package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"reflect"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Finding is something wrong in a file.
type Finding struct {
	Bucket  string // empty for the file as a whole
	Key     string // of the record; empty for the bucket as a whole
	Problem string
	// Derived reports that nothing is lost: [Repair] makes what is wrong again from other
	// records.
	Derived bool
}

func (f Finding) String() string {
	var b strings.Builder
	if f.Bucket != "" {
		b.WriteString(f.Bucket)
		if f.Key != "" {
			fmt.Fprintf(&b, " %q", f.Key)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Problem)
	if f.Derived {
		b.WriteString(" (nothing is lost)")
	}
	return b.String()
}

// Counts are what a check went through.
type Counts struct {
	Format    int
	Pages     int // in use
	FreePages int
	Records   map[string]int // by bucket
}

// Progress learns how much of a long run is done. A run of several stages counts each from
// 0. A nil one learns nothing.
type Progress func(done, of int)

// nowAndThen is for counts that grow by one; most calls do nothing.
func (p Progress) nowAndThen(done, of int) {
	if p != nil && done%64 == 0 {
		p(min(done, of), of)
	}
}

// Check looks at every page and every record of a file that no process is writing to, and
// compares records that follow from others with those: the log with matches, histories,
// totals and leaderboards, slots with matches, receipts with requests, puzzles with matches.
// It calls report with everything that is wrong. It changes nothing.
//
// A file of an earlier format has no checksums: only its pages and the records' own form
// are looked at.
//
// The error says why the check did not come to its end: the context's, [ErrLocked],
// [ErrForeign], game.ErrNewer, or one of the operating system. Memory is bounded: the
// totals are counted in several passes if there are many players.
func Check(ctx context.Context, path string, codecs record.Codecs, report func(Finding), progress Progress) (Counts, error) {
	counts, err := checkFile(ctx, path, codecs, report, progress)
	if err != nil {
		return counts, fmt.Errorf("%s: %w", path, plain(err))
	}
	return counts, nil
}

func checkFile(ctx context.Context, path string, codecs record.Codecs, report func(Finding), progress Progress) (Counts, error) {
	file, err := os.Open(path)
	if err != nil {
		return Counts{}, err
	}
	defer file.Close()
	db, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return Counts{}, err
	}
	p, roots, problems := readRoots(file)
	for _, problem := range problems {
		report(Finding{Problem: problem})
	}
	c := &checker{ctx: ctx, codecs: codecs, report: report, progress: progress, pages: p}
	if db == nil {
		if len(roots) == 0 {
			report(Finding{Problem: "no root can be found"})
			return Counts{}, nil
		}
		report(Finding{Problem: "it cannot be opened"})
		return c.counts, c.walkPages(roots[0].root)
	}
	err = view(db, func(tx *bbolt.Tx) error { return c.run(tx, roots) })
	if errors.Is(err, game.ErrDamaged) {
		report(Finding{Problem: err.Error()})
		err = nil
	}
	return c.counts, errors.Join(err, db.Close())
}

// Check is [Check] of an open store, as it is now. Commits go on meanwhile, but until it
// returns the file reuses none of its pages and so grows with every commit.
func (s *Store) Check(ctx context.Context, report func(Finding)) (Counts, error) {
	file, err := os.Open(s.db.Path())
	if err != nil {
		return Counts{}, err
	}
	defer file.Close()
	c := &checker{ctx: ctx, codecs: s.codecs, report: report}
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		p, roots, problems := readRoots(file)
		for range 3 { // a commit may just be writing one of them
			if len(problems) == 0 {
				break
			}
			p, roots, problems = readRoots(file)
		}
		for _, problem := range problems {
			report(Finding{Problem: problem})
		}
		c.pages = p
		return c.run(tx, roots)
	})
	if errors.Is(err, game.ErrDamaged) {
		report(Finding{Problem: err.Error()})
		err = nil
	}
	return c.counts, err
}

// checker is one check.
type checker struct {
	ctx    context.Context
	codecs record.Codecs
	report func(Finding)
	// progress learns of the walk over the pages, and then of the records compared.
	progress        Progress
	compared, total int
	pages
	counts Counts
	b      buckets
	seen   int    // records, for looking at the context now and then
	given  uint64 // the number of the log that was given last
	// batched reads records of a bucket, if not all of them are seen in one transaction.
	batched func(bucket []byte, f func(key, sealed []byte)) error
}

func (c *checker) found(bucket, key []byte, derived bool, format string, args ...any) {
	c.report(Finding{string(bucket), string(key), fmt.Sprintf(format, args...), derived})
}

// run checks what a transaction sees.
func (c *checker) run(tx *bbolt.Tx, roots []foundRoot) error {
	var format int
	err := guard(func() (err error) {
		format, err = formatOf(tx)
		return err
	})
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return err
	}
	if damaged := err != nil; damaged {
		c.found(nil, nil, false, "%v", err)
		format = newestFormat // the only one of which every record can be checked
	}
	c.counts.Format = format
	c.b = buckets{tx, c.codecs}
	r := root{page: uint64(tx.Cursor().Bucket().Root()), end: uint64(tx.Size()) / uint64(c.size), tx: uint64(tx.ID())}
	for _, known := range roots {
		if known.tx == r.tx && known.page == r.page {
			r.freelist = known.freelist
		}
	}
	if err := c.walkPages(r); err != nil || format < newestFormat {
		return err
	}
	passes := c.passes()
	for bucket, n := range map[string]int{
		string(bucketMatches): 1, string(bucketResults): 1 + passes, string(bucketNumbers): 1, string(bucketArchive): passes,
		string(bucketOpen): 1, string(bucketRankChunks): 1, string(bucketSlots): 1, string(bucketReceipts): 1, string(bucketReviews): 1,
	} {
		c.total += n * c.counts.Records[bucket]
	}
	for _, step := range []func() error{c.meta, c.matches, c.results, c.totals, c.chunks, c.slots, c.receipts, c.reviews, c.open} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// walkPages goes over all pages and records one by one.
func (c *checker) walkPages(r root) error {
	w := newPageWalk(c.pages, r)
	c.counts.Records = map[string]int{}
	known := map[string]bool{}
	for _, name := range allBuckets {
		known[string(name)] = true
	}
	rootDamaged := false
	w.problem = func(bucket []byte, what error) {
		rootDamaged = rootDamaged || bucket == nil
		c.found(bucket, nil, isDerived(bucket), "%v", what)
	}
	w.found = func(bucket []byte, sequence uint64) error {
		if bytes.Equal(bucket, bucketResults) {
			c.given = sequence
		}
		if !known[string(bucket)] {
			c.found(bucket, nil, false, "is an unknown bucket")
		}
		delete(known, string(bucket))
		return nil
	}
	records := 0
	w.visit = func(bucket, key, value []byte) error {
		c.counts.Records[string(bucket)]++
		if records++; records%64 == 0 && c.progress != nil {
			c.progress(w.seen, int(r.end))
		}
		if c.counts.Format >= checksummed && !bytes.Equal(key, keyFormat) {
			var ok bool
			if value, ok = unseal(bucket, key, value); !ok {
				c.found(bucket, key, isDerived(bucket), "has a wrong checksum")
				return c.ended()
			}
		}
		if err := guard(func() error { return decodes(c.codecs, c.counts.Format, bucket, key, value) }); err != nil {
			c.found(bucket, key, isDerived(bucket), "cannot be read: %v", err)
		}
		return c.ended()
	}
	free, list, err := c.free(r)
	switch {
	case r.freelist == 0: // not known
	case err != nil:
		c.found(nil, nil, true, "%v", err)
	default:
		if err := w.take(r.freelist, list.overflow); err != nil {
			c.found(nil, nil, true, "the list of free pages: %v", err)
		}
	}
	if err := w.run(); err != nil {
		return err
	}
	if c.counts.Format >= checksummed && !rootDamaged {
		if c.counts.Format <= beforeArchive {
			for _, name := range newBuckets {
				delete(known, string(name))
			}
		}
		if c.counts.Format <= beforeOwn {
			delete(known, string(bucketOwn))
		}
		for _, name := range lateBuckets { // missing until the file is opened
			delete(known, string(name))
		}
		for _, name := range allBuckets {
			if known[string(name)] {
				c.found(name, nil, isDerived(name), "the bucket is missing")
			}
		}
	}
	for _, id := range free {
		if w.used.has(id) {
			c.found(nil, nil, false, "page %d is in use and in the list of free pages", id)
			continue
		}
		w.used.add(id)
	}
	c.counts.FreePages = len(free)
	lost := 0
	for id := uint64(0); id < r.end; id++ {
		if !w.used.has(id) {
			lost++
		}
	}
	c.counts.Pages = int(r.end) - len(free) - lost
	if lost > 0 && r.freelist != 0 && err == nil {
		c.found(nil, nil, false, "%d pages are neither in use nor free", lost)
	}
	return nil
}

// ended returns the context's error now and then.
func (c *checker) ended() error {
	if c.seen++; c.seen%64 != 0 {
		return nil
	}
	return c.ctx.Err()
}

// isDerived reports whether everything in a bucket can be made again from other buckets,
// or is only a cache.
func isDerived(bucket []byte) bool {
	if _, ok := derivationOf(bucket); ok {
		return true
	}
	for _, name := range [][]byte{bucketSlots, bucketReviews, bucketPuzzles, bucketNumbers, bucketBoards} {
		if bytes.Equal(bucket, name) {
			return true
		}
	}
	return false
}

// decodes returns nil if a record by itself can be read.
func decodes(codecs record.Codecs, format int, bucket, key, value []byte) error {
	short := func(n int) error {
		if len(value) != n {
			return fmt.Errorf("%d bytes instead of %d", len(value), n)
		}
		return nil
	}
	switch string(bucket) {
	case string(bucketMeta):
		switch string(key) {
		case string(keyFormat):
			return short(8)
		case string(keySecret):
			return short(secretSize)
		case string(keyGuilds):
			_, err := decodeGuilds(value)
			return err
		}
		return nil
	case string(bucketMatches):
		_, err := decodeMatch(codecs, key, value)
		return err
	case string(bucketResults):
		if len(key) != 8 {
			return errors.New("its key is no number")
		}
		_, err := codecs.DecodeResult(value)
		return err
	case string(bucketTotals):
		_, err := record.DecodeTotals(value)
		return err
	case string(bucketSessions):
		s, err := record.DecodeSession(value)
		if err == nil && string(s.Player) != string(key) {
			err = errors.New("it is another player's")
		}
		return err
	case string(bucketLooks):
		_, err := record.DecodeLook(value)
		return err
	case string(bucketBoards):
		_, err := decodeBoardMessage(value)
		return err
	case string(bucketServers):
		_, err := record.DecodeServer(value)
		return err
	case string(bucketReceipts):
		_, err := decodeReceipt(value)
		return err
	case string(bucketRecent):
		if format <= beforeKinds {
			return nil
		}
		_, err := decodeAnswers(value)
		return err
	case string(bucketPuzzles):
		kind, _, ok := strings.Cut(string(key), "\x00")
		if !ok {
			return errors.New("its key names no kind")
		}
		_, err := codecs.DecodePuzzle(game.Kind(kind), value)
		return err
	case string(bucketNumbers), string(bucketRankChunks), string(bucketClearing):
		return short(8)
	case string(bucketArchive):
		_, _, err := decodeArchived(key, value)
		return err
	case string(bucketForgotten):
		if !bytes.Equal(key, keyForgotten) {
			return short(8)
		}
		_, err := decodeForgotten(value)
		return err
	case string(bucketRanks):
		return short(0)
	case string(bucketOpen):
		if len(key) <= 8 {
			return errors.New("its key names no match")
		}
		return short(0)
	case string(bucketHistory), string(bucketPlayers), string(bucketOwn):
		if format > beforeOwn && !isEntry(value) {
			return errors.New("it is too short")
		}
	}
	return nil
}

// decodeMatch reads a match's entry with its record.
func decodeMatch(codecs record.Codecs, id, value []byte) (game.Match, error) {
	e, err := decodeMatchEntry(value)
	if err != nil {
		return game.Match{}, err
	}
	m, err := codecs.DecodeMatch(e.record)
	switch {
	case err != nil:
		return game.Match{}, err
	case string(m.ID) != string(id):
		return game.Match{}, fmt.Errorf("match %s says that it is %s: %w", id, m.ID, game.ErrDamaged)
	case m.Version != e.version():
		return game.Match{}, fmt.Errorf("match %s has %d requests for version %d: %w", id, e.version(), m.Version, game.ErrDamaged)
	}
	return m, nil
}

// each calls f with the records of a bucket that can be read. The walk over the pages has
// reported the others.
func (c *checker) each(name []byte, f func(key, value []byte)) error {
	if c.batched != nil {
		return c.batched(name, func(k, sealed []byte) {
			if v, ok := unseal(name, k, sealed); ok {
				f(k, v)
			}
		})
	}
	if c.b.Tx.Bucket(name) == nil {
		return nil // the walk over the pages has reported that
	}
	var ended error
	err := guard(func() error {
		return c.b.Tx.Bucket(name).ForEach(func(k, sealed []byte) error {
			if ended = c.ended(); ended != nil {
				return ended
			}
			c.compared++
			c.progress.nowAndThen(c.compared, c.total)
			if v, ok := unseal(name, k, sealed); ok {
				f(k, v)
			}
			return nil
		})
	})
	if errors.Is(err, game.ErrDamaged) {
		err = ended
	}
	return err
}

// get returns a value, nil if there is none, and whether that is known. It is not if the
// record cannot be read, which has been reported.
func (c *checker) get(name, key []byte) (value []byte, known bool) {
	if c.b.Tx.Bucket(name) == nil {
		return nil, false
	}
	err := guard(func() error {
		value = c.b.Bucket(name).Get(key)
		return nil
	})
	return value, err == nil
}

// match returns a match, and whether it can be read.
func (c *checker) match(id []byte) (m game.Match, ok bool) {
	value, known := c.get(bucketMatches, id)
	if !known || value == nil {
		return game.Match{}, false
	}
	m, err := decodeMatch(c.codecs, id, value)
	return m, err == nil
}

// missing reports whether a match is neither there nor among those set aside.
func (c *checker) missing(id []byte) bool {
	value, known := c.get(bucketMatches, id)
	aside, _ := c.get(bucketDamaged, asideKey(bucketMatches, id))
	return known && value == nil && aside == nil
}

func (c *checker) meta() error {
	if secret, known := c.get(bucketMeta, keySecret); known && secret == nil {
		c.found(bucketMeta, keySecret, false, "is missing")
	}
	for _, d := range derivations {
		if mark, _ := c.get(bucketMeta, []byte(d.name)); mark != nil {
			c.found(nil, nil, true, "the %s are marked as stale", d.name)
		}
	}
	return nil
}

// matches compares matches with their slots, puzzles and results.
func (c *checker) matches() error {
	return c.each(bucketMatches, func(id, value []byte) {
		m, err := decodeMatch(c.codecs, id, value)
		if err != nil {
			return
		}
		if m.Status() == game.Playing {
			slot := []byte(m.Slot().Key())
			if latest, known := c.get(bucketSlots, slot); known && !bytes.Equal(latest, id) {
				c.found(bucketSlots, slot, true, "does not lead to match %s, which is being played", id)
			} else {
				c.listed(m)
			}
		} else if len(m.Named()) > 0 {
			n, known := c.get(bucketNumbers, id)
			if known && len(n) == 8 {
				index, prefix := bucketHistory, communityPrefix(m.Location.Community())
				if !m.Result().Public() {
					index, prefix = bucketOwn, playerPrefix(m.Named()[0], m.Location.Community())
				}
				n, known = c.get(index, append(prefix, n...))
			}
			if known && n == nil {
				c.found(bucketMatches, id, true, "is finished, but in no history")
			}
		}
		if m.Puzzle == "" {
			return
		}
		key := puzzleKey(m.Kind, m.Puzzle)
		own, err := c.codecs.EncodePuzzle(m.Kind, m.State)
		if puzzle, known := c.get(bucketPuzzles, key); known && (err != nil || !bytes.Equal(puzzle, own)) {
			c.found(bucketPuzzles, key, true, "is not the puzzle of match %s", id)
		}
	})
}

// results compares the log with matches and histories.
func (c *checker) results() error {
	var entries, named, own, numbers int
	last := map[string]uint64{} // by community
	highest := uint64(0)
	removed := c.removed()
	err := c.each(bucketResults, func(key, value []byte) {
		r, ok := c.result(key, value)
		if !ok {
			return
		}
		highest = max(highest, r.Number)
		if r.Number <= removed {
			c.found(bucketResults, key, true, "was removed, but is there again")
		}
		n := c.entries(r)
		if len(r.named) > 0 {
			numbers, named = numbers+1, named+len(r.named)
			if r.Public() {
				entries, named = entries+1, named+len(r.named)
			} else {
				own += len(r.named)
			}
			if community := r.Location.Community(); n > 0 {
				last[community] = max(last[community], n)
			}
		}
	})
	if err != nil {
		return err
	}
	if highest = max(highest, removed); c.given < highest {
		c.found(bucketResults, nil, true, "the number given last is %d, but there was a result %d", c.given, highest)
	}
	for community, n := range last {
		key := communityPrefix(community)
		if stored, known := c.get(bucketNumbers, key); known && (len(stored) != 8 || binary.BigEndian.Uint64(stored) < n) {
			c.found(bucketNumbers, key, true, "is less than %d, which was given", n)
		}
	}
	if err := c.each(bucketNumbers, func(key, _ []byte) {
		if bytes.HasSuffix(key, []byte{0}) {
			numbers++
		}
	}); err != nil {
		return err
	}
	c.count(bucketHistory, entries)
	c.count(bucketPlayers, named)
	c.count(bucketOwn, own)
	c.count(bucketNumbers, numbers)
	return nil
}

// result reads a result of the log, and compares it with its match.
func (c *checker) result(key, value []byte) (f finished, ok bool) {
	r, err := c.codecs.DecodeResult(value)
	if err != nil || len(key) != 8 {
		return finished{}, false
	}
	r.Number = binary.BigEndian.Uint64(key)
	id := []byte(r.Match)
	m, ok := c.match(id)
	if !ok {
		if c.missing(id) {
			c.found(bucketMatches, id, false, "is missing, but has a result")
		}
		return c.b.finished(r), true
	}
	want := m.Result()
	want.Number = r.Number
	if m.Status() == game.Playing || !reflect.DeepEqual(r, want) {
		c.found(bucketResults, key, true, "is not the result of match %s", id)
	}
	return finished{r, m.Named()}, true
}

// entries compares a result with the histories, and returns its number in the community,
// 0 if that is not known.
func (c *checker) entries(f finished) uint64 {
	id := []byte(f.Match)
	stored, known := c.get(bucketNumbers, id)
	if !known || len(f.named) == 0 {
		return 0
	}
	if len(stored) != 8 {
		c.found(bucketNumbers, id, true, "is missing")
		return 0
	}
	n := binary.BigEndian.Uint64(stored)
	e, err := c.b.entryOf(f.Result)
	if err != nil {
		return n
	}
	for _, row := range rows(f, e, n, 0)[2:] {
		if value, known := c.get(row.bucket, row.key); known && !bytes.Equal(value, row.value) {
			c.found(row.bucket, row.key, true, "is not the entry of match %s", id)
		}
	}
	return n
}

// removed returns the number of the last result that was removed from the log, 0 if it is
// not known.
func (c *checker) removed() uint64 {
	value, _ := c.get(bucketForgotten, keyForgotten)
	f, err := decodeForgotten(value)
	if err != nil {
		return 0
	}
	return f.number
}

// count reports records of a bucket that nothing leads to.
func (c *checker) count(bucket []byte, want int) {
	if got := c.counts.Records[string(bucket)]; got > want {
		c.found(bucket, nil, true, "has %d records too many", got-want)
	}
}

// totalsAtOnce is how many totals are counted in one pass over the log.
const totalsAtOnce = 300_000

// passes returns how many passes over the log counting all totals takes.
func (c *checker) passes() int { return c.counts.Records[string(bucketTotals)]/totalsAtOnce + 1 }

// scopedPlayer is whose totals are counted.
type scopedPlayer struct {
	game.Scope
	game.PlayerID
}

// totals counts all totals again from the archive and the log.
func (c *checker) totals() error {
	seed := maphash.MakeSeed()
	passes := uint64(c.passes())
	clearing := map[game.PlayerID]uint64{} // up to which result
	if err := c.each(bucketClearing, func(player, upTo []byte) {
		if len(upTo) == 8 {
			clearing[game.PlayerID(player)] = binary.BigEndian.Uint64(upTo)
		}
	}); err != nil {
		return err
	}
	var all, ranked int
	for pass := range passes {
		counted := map[scopedPlayer]game.Totals{}
		own := func(p game.PlayerID) bool { return maphash.String(seed, string(p))%passes == pass }
		if err := c.each(bucketArchive, func(key, value []byte) {
			if scope, t, err := decodeArchived(key, value); err == nil && own(t.Player) {
				counted[scopedPlayer{scope, t.Player}] = t
			}
		}); err != nil {
			return err
		}
		if err := c.each(bucketResults, func(key, value []byte) {
			r, err := c.codecs.DecodeResult(value)
			if err != nil || len(key) != 8 {
				return
			}
			n := binary.BigEndian.Uint64(key)
			for _, p := range r.Participants {
				if p.Player == "" || n <= clearing[p.Player] || !own(p.Player) {
					continue
				}
				for _, s := range r.Scopes() {
					key := scopedPlayer{s, p.Player}
					counted[key] = counted[key].Add(r, p)
				}
			}
		}); err != nil {
			return err
		}
		all += len(counted)
		for s, want := range counted {
			if err := c.ended(); err != nil {
				return err
			}
			key := c.b.totalsKey(s.Scope, s.PlayerID)
			data, known := c.get(bucketTotals, key)
			if known {
				if got, err := record.DecodeTotals(data); err != nil || got != want {
					c.found(bucketTotals, key, true, "are not those of the log and the archive")
				}
			}
			if s.Guild == "" || want.Played == 0 {
				continue
			}
			ranked++
			rank := append(c.b.scopePrefix(s.Scope), rankKey(want)...)
			if value, known := c.get(bucketRanks, rank); known && value == nil {
				c.found(bucketRanks, rank, true, "is missing")
			}
		}
	}
	c.count(bucketTotals, all)
	c.count(bucketRanks, ranked)
	return nil
}

// chunks compares the sizes of the leaderboards' chunks with their keys.
func (c *checker) chunks() error {
	keys := c.b.Tx.Bucket(bucketRanks).Cursor()
	var key []byte
	next := func(f func() ([]byte, []byte)) bool {
		return guard(func() error { key, _ = f(); return nil }) == nil
	}
	if !next(keys.First) {
		return nil
	}
	var bound []byte
	var size, counted uint64
	readable := true
	end := func(until []byte) { // of the chunk that began at bound
		for readable && key != nil && (until == nil || bytes.Compare(key, until) < 0) {
			counted++
			readable = next(keys.Next)
		}
		if readable && counted != size {
			c.found(bucketRankChunks, bound, true, "says %d instead of %d", size, counted)
		}
		counted = 0
	}
	err := c.each(bucketRankChunks, func(k, v []byte) {
		if len(v) != 8 {
			return
		}
		end(k)
		bound, size = bytes.Clone(k), binary.BigEndian.Uint64(v)
	})
	end(nil)
	return err
}

func (c *checker) slots() error {
	return c.each(bucketSlots, func(key, id []byte) {
		m, ok := c.match(id)
		switch {
		case !ok && c.missing(id):
			c.found(bucketSlots, key, true, "leads to match %s, which is missing", id)
		case ok && m.Slot().Key() != string(key) && m.Starter != "":
			c.found(bucketSlots, key, true, "leads to match %s, which is another slot's", id)
		}
	})
}

func (c *checker) receipts() error {
	return c.each(bucketReceipts, func(key, value []byte) {
		r, err := decodeReceipt(value)
		if err != nil || r.version == 0 {
			return
		}
		entry, known := c.get(bucketMatches, []byte(r.match))
		if !known || entry == nil {
			return
		}
		e, err := decodeMatchEntry(entry)
		if err == nil && (r.version > e.version() || string(e.requests[r.version-1]) != string(key)) {
			c.found(bucketReceipts, key, true, "is not a request of match %s", r.match)
		}
	})
}

func (c *checker) reviews() error {
	return c.each(bucketReviews, func(id, value []byte) {
		m, ok := c.match(id)
		if !ok {
			if c.missing(id) {
				c.found(bucketReviews, id, true, "is of a match that is missing")
			}
			return
		}
		if _, err := c.codecs.DecodeReview(m.Kind, value); err != nil {
			c.found(bucketReviews, id, true, "cannot be read: %v", err)
		}
	})
}
