package bolt

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Repaired is what [Repair] did.
type Repaired struct {
	// Changed is false if nothing was wrong and the format is the newest. Then nothing else is
	// set.
	Changed bool
	Counts  Counts // of the repaired file
	Old     string // where the damaged file is now
	// Aside is the path of a file with the records that could not be read, a JSON object on
	// each line: the bucket, the key and the bytes in base64, and why. It is empty if there are
	// none. SetAside is how many there are.
	Aside    string
	SetAside int
}

// Repair makes a whole file from what can be read of a damaged one, which no process may
// have open. Everything that follows from the log of results and the matches is made
// again, and so are missing results, slots and puzzles, from their matches. Where pages
// cannot be read, records are looked for on all pages of the file. It calls report with
// everything that was wrong or is lost.
//
// The damaged file stays next to the new one, which takes its place in one step when it
// is whole, checked and on the disk. On any error the file is left as it was.
func Repair(ctx context.Context, path string, codecs record.Codecs, report func(Finding), progress Progress) (Repaired, error) {
	r, err := repair(ctx, path, codecs, report, progress)
	if err != nil {
		return Repaired{}, fmt.Errorf("%s: %w", path, plain(err))
	}
	return r, nil
}

func repair(ctx context.Context, path string, codecs record.Codecs, report func(Finding), progress Progress) (done Repaired, err error) {
	file, err := os.Open(path)
	if err != nil {
		return Repaired{}, err
	}
	defer file.Close()
	db, err := openForRepair(path)
	old := []io.Closer{file}
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, db.Close()) }()
		old = append(old, db)
	case !errors.Is(err, game.ErrDamaged):
		return Repaired{}, err
	}
	s, roots, problems, err := newSalvage(file)
	if err != nil {
		return Repaired{}, err
	}
	records := 0
	if db != nil && len(problems) == 0 {
		wrong := 0
		c := &checker{ctx: ctx, codecs: codecs, pages: s.pages, report: func(Finding) { wrong++ }, progress: progress}
		err := view(db, func(tx *bbolt.Tx) error { return c.run(tx, roots) })
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			return Repaired{}, err
		}
		if err == nil && wrong == 0 && c.counts.Format == newestFormat {
			return Repaired{}, nil
		}
		for _, n := range c.counts.Records {
			records += n
		}
	}
	for _, problem := range problems {
		report(Finding{Problem: problem})
	}
	format, err := salvagedFormat(s, roots)
	if err != nil {
		return Repaired{}, err
	}
	w, err := rewrite(path, codecs)
	if err != nil {
		return Repaired{}, err
	}
	j := &repairing{rewriting: w, ctx: ctx, format: format, report: report, progress: progress, records: records, orphans: map[string]bool{}}
	if err := j.run(s, roots); err != nil {
		return Repaired{}, errors.Join(err, w.abandon())
	}
	if err := w.finish(); err != nil {
		return Repaired{}, errors.Join(err, os.Remove(w.path))
	}
	done, err = j.swap(path, old)
	if err != nil {
		return Repaired{}, errors.Join(err, remove(w.path))
	}
	return done, nil
}

// openForRepair opens a damaged file for the lock, and for the check. If it is opened for
// writing, bbolt can panic and leave it open; where an open file cannot be replaced, it is
// therefore opened for reading.
func openForRepair(path string) (*bbolt.DB, error) {
	if !lockedUntilReplaced {
		return openFile(path, bbolt.Options{ReadOnly: true})
	}
	db, _, err := openMapped(path)
	return db, err
}

// salvagedFormat finds the format of a file. One with checksums but without a readable format
// number is taken for one of the newest.
func salvagedFormat(s *salvage, roots []foundRoot) (int, error) {
	var number, sealed uint64
	checksums, records := 0, 0
	s.problem = func([]byte, error) {}
	s.record = func(bucket, key, value []byte, _ bool) error {
		records++
		v, ok := unseal(bucket, key, value)
		if ok {
			checksums++
		}
		switch {
		case !bytes.Equal(bucket, bucketMeta) || len(v) != 8 && len(value) != 8:
		case bytes.Equal(key, keyFormat) && len(value) == 8:
			number = binary.BigEndian.Uint64(value)
		case bytes.Equal(key, keyFormatSealed) && ok:
			sealed = binary.BigEndian.Uint64(v)
		}
		return nil
	}
	if err := s.run(roots); err != nil {
		return 0, err
	}
	switch {
	case sealed > newestFormat, checksums == 0 && number > newestFormat:
		return 0, fmt.Errorf("its format is newer than %d: %w", newestFormat, game.ErrNewer)
	case checksums > 0 && sealed >= checksummed:
		return int(sealed), nil
	case checksums > 0:
		return newestFormat, nil
	case number > 0 && number < newestFormat:
		return int(number), nil
	case records > 0 && number == 0:
		return 0, ErrForeign
	}
	return 0, fmt.Errorf("nothing of Fivefold can be found in it: %w", game.ErrDamaged)
}

// repairing is one repair.
type repairing struct {
	*rewriting
	ctx    context.Context
	format int // of the damaged file
	report func(Finding)
	// progress learns how many of the records are copied and, for derived data, how many
	// results were gone through.
	progress Progress
	records  int // 0 if that is not known
	results  int
	removed  forgotten       // how far the log was removed
	orphans  map[string]bool // bucket NUL key of those taken from pages that nothing leads to
	aside    []asideRecord
	mends    int
	seen     int
}

// asideRecord is a line of the file of records that were set aside.
type asideRecord struct {
	Bucket string `json:"bucket"`
	Key    string `json:"key"`   // base64
	Bytes  string `json:"bytes"` // base64
	Why    string `json:"why"`
}

func (j *repairing) found(bucket, key []byte, derived bool, format string, args ...any) {
	j.report(Finding{string(bucket), string(key), fmt.Sprintf(format, args...), derived})
}

func (j *repairing) run(s *salvage, roots []foundRoot) error {
	s.problem = func(bucket []byte, what error) { j.found(bucket, nil, isDerived(bucket), "%v", what) }
	s.record = j.record
	if err := s.run(roots); err != nil {
		return err
	}
	for _, step := range []func() error{
		j.secret, func() error { return j.step(buckets.moveSoloSlots) }, j.removedResults, j.lostResults, j.badLinks, j.matches,
		func() error { return j.step(func(b buckets) error { return b.setGiven(s.given) }) },
		func() error { return j.derive(histories, j.derived) },
		func() error { return j.derive(statistics, j.derived) },
		func() error { return j.derive(openMatches, func(int) {}) },
	} {
		if err := errors.Join(j.ctx.Err(), step()); err != nil {
			return err
		}
	}
	return nil
}

// derived shows how many results were added to derived data.
func (j *repairing) derived(results int) {
	if j.progress != nil {
		j.progress(min(results, j.results), j.results)
	}
}

// record takes a record of the damaged file.
func (j *repairing) record(bucket, key, value []byte, orphan bool) error {
	if j.seen++; j.seen%64 == 0 && j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	if j.records > 0 {
		j.progress.nowAndThen(j.seen, j.records)
	}
	if bytes.Equal(bucket, bucketResults) {
		j.results++
	}
	if bytes.Equal(bucket, bucketMeta) && !bytes.Equal(key, keySecret) && !bytes.Equal(key, keyGuilds) {
		return nil
	}
	if d, ok := derivationOf(bucket); ok && (d.name == statistics.name || !bytes.Equal(bucket, bucketHistory) && !bytes.Equal(bucket, bucketOwn)) {
		return nil // it is made again; entries of histories are kept, as they say where lost results were
	}
	stored := value
	if j.format >= checksummed {
		var ok bool
		if value, ok = unseal(bucket, key, stored); !ok {
			if own := bucketOf(key, stored); own != nil { // the bucket's header is wrong
				return j.record(own, key, stored, true)
			}
			k, v, mended := j.mend(bucket, key, stored)
			if !mended {
				j.setAside(bucket, key, stored, "it has a wrong checksum")
				return nil
			}
			j.found(bucket, k, true, "had one wrong byte, which is corrected")
			key, value, orphan = k, v, true // there may be a good one with this key
		}
	}
	if err := guard(func() error { return decodes(j.codecs, j.format, bucket, key, value) }); err != nil {
		j.setAside(bucket, key, stored, err.Error())
		return nil
	}
	if orphan && !j.wanted(bucket, key, value) {
		return nil
	}
	if j.format < checksummed {
		m := migrating{rewriting: j.rewriting, format: j.format}
		err := m.record(bucket, key, value)
		if errors.Is(err, game.ErrDamaged) {
			j.setAside(bucket, key, stored, err.Error())
			return nil
		}
		return err
	}
	return j.put(row{bucket, bytes.Clone(key), bytes.Clone(value)})
}

// maxMends is how many records mend tries to correct at most: if more are damaged, that is no
// matter of single bytes.
const maxMends = 1000

// mend looks for one byte of a record whose change makes its checksum right. There is
// one only where that byte was changed, and hardly ever by chance: a record has some
// 100 000 such changes, and a checksum 4 billion values. If two are found, none is taken.
func (j *repairing) mend(bucket, key, stored []byte) (mendedKey, value []byte, ok bool) {
	const longest = 8 << 10
	if j.mends++; j.mends > maxMends || len(key)+len(stored) > longest {
		return nil, nil, false
	}
	data := append(bytes.Clone(key), stored...)
	for i, was := range data {
		for change := 1; change < 256; change++ {
			data[i] = was ^ byte(change)
			k, sealed := data[:len(key)], data[len(key):]
			v, right := unseal(bucket, k, sealed)
			if !right || decodes(j.codecs, j.format, bucket, k, v) != nil {
				continue
			}
			if ok {
				return nil, nil, false
			}
			mendedKey, value, ok = bytes.Clone(k), bytes.Clone(v), true
		}
		data[i] = was
	}
	return mendedKey, value, ok
}

// setAside keeps a record that cannot be read, unless it can be made again.
func (j *repairing) setAside(bucket, key, stored []byte, why string) {
	j.found(bucket, key, isDerived(bucket), "%s", why)
	if isDerived(bucket) {
		return
	}
	encode := base64.StdEncoding.EncodeToString
	j.aside = append(j.aside, asideRecord{string(bucket), encode(key), encode(stored), why})
}

// wanted reports whether an orphan is better than what there is under its key: nothing,
// or an older orphan.
func (j *repairing) wanted(bucket, key, value []byte) bool {
	var there []byte
	if err := j.step(func(b buckets) error { there = b.Bucket(bucket).Get(key); return nil }); err != nil {
		return false
	}
	name := string(asideKey(bucket, key))
	if there != nil && (!j.orphans[name] || j.version(bucket, there) >= j.version(bucket, value)) {
		return false
	}
	j.orphans[name] = true
	return true
}

// version returns the version of a match or a session.
func (j *repairing) version(bucket, value []byte) uint64 {
	switch string(bucket) {
	case string(bucketMatches):
		e, _ := decodeMatchEntry(value) // it can be read, or would not be here
		return e.version()
	case string(bucketSessions):
		s, _ := record.DecodeSession(value)
		return s.Version
	}
	return 0
}

// secret makes a new secret where it is lost.
func (j *repairing) secret() error {
	return j.step(func(b buckets) error {
		if b.Bucket(bucketMeta).has(keySecret) {
			return nil
		}
		if j.format > beforeKinds {
			j.found(bucketMeta, keySecret, false, "is lost; daily puzzles that nobody has started are drawn by a new one")
		}
		return b.createSecret()
	})
}

// removedResults removes, with their matches, results that had been removed from the log
// before: they are in the archive, and came back with pages that nothing leads to.
func (j *repairing) removedResults() error {
	if err := j.step(func(b buckets) (err error) {
		j.removed, err = b.forgotten()
		return err
	}); err != nil {
		return err
	}
	return j.eachRecord(bucketResults, func(b buckets, key, value []byte) error {
		r, err := j.codecs.DecodeResult(value)
		if err != nil || binary.BigEndian.Uint64(key) > j.removed.number {
			return err
		}
		j.found(bucketResults, key, true, "was removed before, with its match")
		return b.put(row{bucketResults, key, nil}, row{bucketMatches, []byte(r.Match), nil}, row{bucketNumbers, []byte(r.Match), nil})
	})
}

// bucketOfResults exists only during a repair: match id → the number of its result.
var bucketOfResults = []byte("of-results")

// lostResults adds the results of finished matches that have none, under their numbers
// where these are known. Where a match is lost, its result remains.
func (j *repairing) lostResults() error {
	if err := j.step(func(b buckets) error { _, err := b.CreateBucket(bucketOfResults); return err }); err != nil {
		return err
	}
	if err := j.eachRecord(bucketResults, func(b buckets, key, value []byte) error {
		r, err := j.codecs.DecodeResult(value)
		if err != nil {
			return err
		}
		if !b.Bucket(bucketMatches).has([]byte(r.Match)) {
			j.found(bucketMatches, []byte(r.Match), false, "is lost; its result remains")
			if err := b.put(row{bucketDamaged, asideKey(bucketMatches, []byte(r.Match)), nothing}); err != nil {
				return err
			}
		}
		return b.put(row{bucketOfResults, []byte(r.Match), key})
	}); err != nil {
		return err
	}
	if err := j.eachRecord(bucketMatches, func(b buckets, id, value []byte) error {
		m, err := decodeMatch(j.codecs, id, value)
		if err != nil || m.Status() == game.Playing {
			return err
		}
		want := m.Result()
		n := b.Bucket(bucketOfResults).Get(id)
		switch {
		case n != nil:
			return j.sameResult(b, n, want)
		case len(m.Named()) == 0:
			return nil // its players have cleared it: it counts for nobody, and no list has it
		case j.orphans[string(asideKey(bucketMatches, id))] && !m.Ended().After(j.removed.ended):
			j.found(bucketMatches, id, true, "was removed before, with its result")
			return b.put(row{bucketMatches, id, nil}, row{bucketNumbers, id, nil})
		}
		if n = b.numberOf(m); n == nil {
			next, err := b.nextNumber()
			if err != nil {
				return err
			}
			n = number(next)
			j.found(bucketResults, n, false, "was missing: the result of match %s, now the last one; streaks may be different", id)
		} else {
			j.found(bucketResults, n, true, "was missing: the result of match %s", id)
		}
		return b.putResult(n, want)
	}); err != nil {
		return err
	}
	return j.step(func(b buckets) error { return b.DeleteBucket(bucketOfResults) })
}

// sameResult corrects a result that differs from that of its match.
func (j *repairing) sameResult(b buckets, n []byte, want game.Result) error {
	data, err := record.EncodeResult(want)
	if err != nil {
		return err
	}
	stored, err := b.loadResult(n)
	if err != nil {
		return err
	}
	stored.Number = 0
	again, err := record.EncodeResult(stored)
	if err != nil || bytes.Equal(data, again) {
		return err
	}
	j.found(bucketResults, n, true, "was not the result of match %s", want.Match)
	return b.put(row{bucketResults, n, data})
}

// setGiven sets the number of the log that was given last.
func (b buckets) setGiven(n uint64) error {
	results := b.Bucket(bucketResults)
	key, _ := results.stored.Cursor().Last()
	last, err := decodeNumber(key)
	if err != nil {
		return err
	}
	forgotten, err := b.forgotten()
	if err != nil {
		return err
	}
	return results.stored.SetSequence(max(n, last, forgotten.number))
}

func (b buckets) putResult(n []byte, r game.Result) error {
	data, err := record.EncodeResult(r)
	if err != nil {
		return err
	}
	return b.put(row{bucketResults, n, data})
}

// numberOf returns the number that the lost result of a match had according to its entry in a
// history, or nil.
func (b buckets) numberOf(m game.Match) []byte {
	n, err := b.Bucket(bucketNumbers).read([]byte(m.ID))
	if err != nil || len(n) != 8 {
		return nil
	}
	community := m.Location.Community()
	find := func(index, prefix []byte) []byte {
		entry, err := b.Bucket(index).read(append(prefix, n...))
		if err != nil || len(entry) < 8 || b.Bucket(bucketResults).has(entry[:8]) {
			return nil
		}
		return bytes.Clone(entry[:8])
	}
	number := find(bucketHistory, communityPrefix(community))
	for _, player := range m.Named() {
		if number == nil {
			number = find(bucketOwn, playerPrefix(player, community))
		}
	}
	return number
}

// badLinks removes what leads to nothing: slots and reviews of matches that are lost, and
// receipts that are not those of their match.
func (j *repairing) badLinks() error {
	for _, c := range []struct {
		bucket []byte
		good   func(b buckets, key, value []byte) bool
	}{
		{bucketSlots, func(b buckets, key, id []byte) bool {
			m, err := b.loadMatch(id)
			return err == nil && (m.Slot().Key() == string(key) || m.Starter == "")
		}},
		{bucketReviews, func(b buckets, id, value []byte) bool {
			m, err := b.loadMatch(id)
			if err == nil {
				_, err = b.codecs.DecodeReview(m.Kind, value)
			}
			return err == nil
		}},
		{bucketReceipts, func(b buckets, request, value []byte) bool {
			r, err := decodeReceipt(value)
			if err != nil || r.version == 0 {
				return err == nil
			}
			e, err := loadEntry(b.Bucket(bucketMatches), []byte(r.match))
			return err != nil || r.version <= e.version() && string(e.requests[r.version-1]) == string(request)
		}},
	} {
		if err := j.eachRecord(c.bucket, func(b buckets, key, value []byte) error {
			if c.good(b, key, value) {
				return nil
			}
			j.found(c.bucket, key, true, "led to nothing")
			return b.put(row{c.bucket, key, nil})
		}); err != nil {
			return err
		}
	}
	return nil
}

// matches puts every match that is being played, or was played last, in its slot, and makes
// lost puzzles that matches share again.
func (j *repairing) matches() error {
	restored := map[string]bool{} // keys of slots
	return j.eachRecord(bucketMatches, func(b buckets, id, value []byte) error {
		m, err := decodeMatch(j.codecs, id, value)
		if err != nil {
			return err
		}
		if m.Puzzle != "" && !b.Bucket(bucketPuzzles).has(puzzleKey(m.Kind, m.Puzzle)) {
			puzzle, err := j.codecs.EncodePuzzle(m.Kind, m.State)
			if err != nil {
				return err
			}
			j.found(bucketPuzzles, puzzleKey(m.Kind, m.Puzzle), true, "was missing")
			if err := b.put(row{bucketPuzzles, puzzleKey(m.Kind, m.Puzzle), puzzle}); err != nil {
				return err
			}
		}
		if m.Mode.Personal() && m.Starter == "" {
			return nil // its player has cleared it
		}
		slot := []byte(m.Slot().Key())
		if latest := b.Bucket(bucketSlots).Get(slot); latest != nil {
			if !restored[string(slot)] && m.Status() != game.Playing || bytes.Equal(latest, id) {
				return nil
			}
			other, err := b.loadMatch(latest)
			if err != nil || !m.Started.After(other.Started) {
				return err
			}
		} else {
			j.found(bucketSlots, slot, true, "was missing")
		}
		restored[string(slot)] = true
		return b.put(row{bucketSlots, slot, id})
	})
}

// swap checks the new file and puts it in the place of the damaged one.
func (j *repairing) swap(path string, old []io.Closer) (Repaired, error) {
	counts, err := checkAfter(j.ctx, j.path, j.codecs, j.progress)
	if err != nil {
		return Repaired{}, err
	}
	now := time.Now().UTC().Format("20060102T150405Z")
	done := Repaired{Changed: true, Counts: counts, Old: freeName(path + ".damaged-" + now), SetAside: len(j.aside)}
	if len(j.aside) > 0 {
		done.Aside = freeName(path + ".aside-" + now + ".jsonl")
		if err := j.writeAside(done.Aside); err != nil {
			return Repaired{}, fmt.Errorf("the file of records set aside: %w", plain(err))
		}
	}
	if err := replace(path, done.Old, old...); err != nil {
		if done.Aside != "" {
			err = errors.Join(err, os.Remove(done.Aside))
		}
		return Repaired{}, err
	}
	return done, nil
}

func (j *repairing) writeAside(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(f)
	for _, r := range j.aside {
		if err == nil {
			err = lines.Encode(r)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
