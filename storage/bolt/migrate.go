package bolt

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// newestFormat is the format that this release writes. Every format before it can be
// migrated, for ever: a file may be of any age.
const newestFormat = 9

// beforeKinds is the last format without the kind in the keys of slots and in the
// entries of histories.
const beforeKinds = 4

// checksummed is the first format with a checksum in every value. Files of this and later
// formats are brought up to date in place.
const checksummed = 6

// beforeArchive is the last format without the buckets of newBuckets.
const beforeArchive = 6

// beforeCredit is the last format whose leaderboards are ordered by wins.
const beforeCredit = 7

// beforeOwn is the last format in which everybody's history had the matches that were
// played alone, and a player had one slot for them in all communities.
const beforeOwn = 8

// secretSize is how long the secret of a file is, in bytes.
const secretSize = 32

// allBuckets are the buckets of a file.
var allBuckets = [][]byte{
	bucketMeta, bucketMatches, bucketSlots, bucketReceipts, bucketRecent, bucketResults, bucketTotals, bucketSessions,
	bucketRanks, bucketRankChunks, bucketPuzzles, bucketHistory, bucketNumbers, bucketPlayers, bucketReviews, bucketDamaged, bucketClearing,
	bucketArchive, bucketForgotten, bucketOwn, bucketLooks, bucketBoards, bucketOpen, bucketServers,
}

// lateBuckets came without a new format: an earlier release leaves them alone. If it has changed
// matches meanwhile, the background check has bucketOpen mended.
var lateBuckets = [][]byte{bucketLooks, bucketBoards, bucketOpen, bucketServers}

// addLateBuckets makes the late buckets that the file does not have.
func addLateBuckets(db *bbolt.DB, codecs record.Codecs) error {
	var missing [][]byte
	if err := view(db, func(tx *bbolt.Tx) error {
		for _, name := range lateBuckets {
			if tx.Bucket(name) == nil {
				missing = append(missing, name)
			}
		}
		return nil
	}); err != nil || len(missing) == 0 {
		return err
	}
	return update(db, func(tx *bbolt.Tx) error {
		for _, name := range missing {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
			if bytes.Equal(name, bucketOpen) {
				if err := (buckets{tx, codecs}).fillOpen(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// newBuckets came with the format after beforeArchive.
var newBuckets = [][]byte{bucketArchive, bucketForgotten}

// isOurs reports whether a name is that of one of our buckets.
func isOurs(name []byte) bool {
	return slices.ContainsFunc(allBuckets, func(own []byte) bool { return bytes.Equal(own, name) })
}

// createBuckets makes the buckets of a new file, and gives it the newest format.
func createBuckets(tx *bbolt.Tx) error {
	for _, name := range allBuckets {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return setFormat(tx)
}

// setFormat gives a file the newest format.
func setFormat(tx *bbolt.Tx) error {
	b := buckets{Tx: tx}
	if err := b.put(row{bucketMeta, keyFormatSealed, number(newestFormat)}); err != nil {
		return err
	}
	return tx.Bucket(bucketMeta).Put(keyFormat, number(newestFormat))
}

// migrateInPlace brings a file with checksums to the newest format. That is one small
// transaction in the file itself: a copy of a large file would take minutes. Derived data
// that has changed is marked as stale, so that it is made again in the background.
func migrateInPlace(db *bbolt.DB, format int, log *slog.Logger) error {
	err := update(db, func(tx *bbolt.Tx) error {
		b := buckets{tx, record.All()}
		if format <= beforeArchive {
			for _, name := range newBuckets {
				if _, err := tx.CreateBucket(name); err != nil {
					return err
				}
			}
		}
		if format <= beforeCredit {
			if err := b.put(row{bucketMeta, []byte(statistics.name), staleMark}); err != nil {
				return err
			}
		}
		if format <= beforeOwn {
			if _, err := tx.CreateBucket(bucketOwn); err != nil {
				return err
			}
			if err := b.moveSoloSlots(); err != nil {
				return err
			}
			if err := b.put(row{bucketMeta, []byte(histories.name), staleMark}); err != nil {
				return err
			}
		}
		return setFormat(tx)
	})
	if err == nil {
		log.Info("the file is up to date; what follows from its results is being made again", "from", format, "format", newestFormat)
	}
	return err
}

// moveSoloSlots turns every slot for solo matches in all communities into the slot for the
// community of its match. A slot whose match cannot be read is set aside.
func (b buckets) moveSoloSlots() error {
	var old [][]byte
	c := b.Bucket(bucketSlots).stored.Cursor()
	for key, _ := c.First(); key != nil; key, _ = c.Next() {
		if parts := bytes.Split(key, []byte{0}); len(parts) == 4 && len(parts[0]) == 0 && len(parts[3]) == 0 {
			old = append(old, bytes.Clone(key))
		}
	}
	for _, key := range old {
		id, err := b.Bucket(bucketSlots).read(key)
		var m game.Match
		if err == nil {
			m, err = b.readMatch(id)
		}
		if errors.Is(err, game.ErrDamaged) {
			err = b.setAside(bucketSlots, key)
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		parts := bytes.Split(key, []byte{0})
		slot := game.SoloSlot(game.Kind(parts[2]), game.PlayerID(parts[1]), m.Location)
		if err := b.put(row{bucketSlots, []byte(slot.Key()), bytes.Clone(id)}, row{bucketSlots, key, nil}); err != nil {
			return err
		}
	}
	return nil
}

// createSecret makes the secret with which daily puzzles are drawn.
func (b buckets) createSecret() error {
	secret := make([]byte, secretSize)
	rand.Read(secret) // never fails
	return b.put(row{bucketMeta, keySecret, secret})
}

// create makes a new file.
func create(db *bbolt.DB) error {
	return update(db, func(tx *bbolt.Tx) error {
		if err := createBuckets(tx); err != nil {
			return err
		}
		return buckets{tx, nil}.createSecret()
	})
}

// formatOf returns the format of a file, 0 for an empty one. A format above the newest
// known is game.ErrNewer.
func formatOf(tx *bbolt.Tx) (int, error) {
	meta := tx.Bucket(bucketMeta)
	ours := tx.Bucket(bucketMatches) != nil && tx.Bucket(bucketRankChunks) != nil
	if meta == nil {
		name, _ := tx.Cursor().First()
		switch {
		case ours:
			return 0, fmt.Errorf("the bucket of its format number is missing: %w", game.ErrDamaged)
		case name != nil:
			return 0, ErrForeign
		}
		return 0, nil
	}
	b := meta.Get(keyFormat)
	switch {
	case b == nil && !ours:
		return 0, ErrForeign
	case len(b) != 8:
		return 0, fmt.Errorf("no format number: %w", game.ErrDamaged)
	}
	n := binary.BigEndian.Uint64(b)
	sealed, err := bucket{meta, bucketMeta}.read(keyFormatSealed)
	switch {
	case err != nil || sealed != nil && !bytes.Equal(sealed, b) || sealed == nil && n >= checksummed && n <= newestFormat:
		// A migration would add checksums to values that have them already.
		return 0, fmt.Errorf("its format number is wrong: %w", game.ErrDamaged)
	case n > newestFormat:
		return 0, fmt.Errorf("its format is %d, this release knows up to %d: %w", n, newestFormat, game.ErrNewer)
	}
	return int(n), nil
}

func formatOfFile(db *bbolt.DB) (format int, err error) {
	err = view(db, func(tx *bbolt.Tx) error {
		format, err = formatOf(tx)
		return err
	})
	return format, err
}

// migrate brings a file of an earlier release to the newest format. From a format without
// checksums it writes a new file in transactions of bounded size, and puts that in the old
// one's place when it is whole; the old one stays next to it. Until then the old file is left
// as it is, so a migration that was interrupted begins again.
func migrate(path string, log *slog.Logger) error {
	old, _, err := openMapped(path) // for the lock
	if err != nil {
		return err
	}
	format, err := formatOfFile(old)
	switch { // another process may have been first
	case err != nil || format == newestFormat:
	case format >= checksummed:
		err = migrateInPlace(old, format, log)
	default:
		err = migrateFile(old, path, format, log)
	}
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		err = fmt.Errorf("bringing it from format %d to %d: %w", format, newestFormat, err)
	}
	return errors.Join(err, old.Close())
}

func migrateFile(old *bbolt.DB, path string, format int, log *slog.Logger) error {
	log.Info("the file is from an earlier release and is being brought up to date", "format", format, "to", newestFormat)
	began := time.Now()
	w, err := rewrite(path, record.All())
	if err != nil {
		return err
	}
	m := migrating{rewriting: w, format: format, log: log}
	if err := view(old, m.run); err != nil {
		return errors.Join(err, w.abandon())
	}
	if err := w.finish(); err != nil {
		return errors.Join(err, os.Remove(w.path))
	}
	if err := checkMigrated(w.path, w.codecs, log); err != nil {
		return errors.Join(err, os.Remove(w.path))
	}
	keep := freeName(fmt.Sprintf("%s.format-%d", path, format))
	if err := replace(path, keep, old); err != nil {
		return err
	}
	log.Info("the file is up to date", "records", m.records, "took", time.Since(began).Round(time.Millisecond), "old_file", keep)
	return nil
}

// checkMigrated looks for what was wrong in the old file, which had no checksums. Derived
// data that is wrong is marked as stale; anything else is game.ErrDamaged.
func checkMigrated(path string, codecs record.Codecs, log *slog.Logger) error {
	var first *Finding
	damaged, stale := 0, map[string]bool{}
	if _, err := Check(context.Background(), path, codecs, func(f Finding) {
		if d, ok := derivationOf([]byte(f.Bucket)); ok {
			stale[d.name] = true
			return
		}
		if damaged++; first == nil {
			first = &f
		}
	}, nil); err != nil {
		return err
	}
	if first != nil {
		return fmt.Errorf("%d problems, the first is %v: %w", damaged, *first, game.ErrDamaged)
	}
	if len(stale) == 0 {
		return nil
	}
	db, err := openFile(path, bbolt.Options{})
	if err != nil {
		return err
	}
	err = update(db, func(tx *bbolt.Tx) error {
		for name := range stale {
			log.Warn("the old file did not agree with its own log; what is derived from that is made again", "stale", name)
			if err := (buckets{tx, codecs}).put(row{bucketMeta, []byte(name), staleMark}); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close())
}

// migrating copies an old file into a new one, record by record.
type migrating struct {
	*rewriting
	format  int
	log     *slog.Logger
	records int
	said    time.Time // when progress was logged
}

func (m *migrating) run(old *bbolt.Tx) error {
	total := 0
	for _, name := range allBuckets {
		if b := old.Bucket(name); b != nil {
			total += b.Stats().KeyN
		}
	}
	m.said = time.Now()
	for _, name := range allBuckets {
		from := old.Bucket(name)
		if from == nil {
			continue // it came with a later format
		}
		err := from.ForEach(func(key, value []byte) error {
			m.records++
			m.progress(total)
			return m.record(name, key, value)
		})
		if err == nil {
			err = m.step(func(b buckets) error { return b.Bucket(name).stored.SetSequence(from.Sequence()) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if m.format <= beforeKinds {
		if err := m.step(buckets.createSecret); err != nil {
			return err
		}
	}
	if err := m.step(buckets.moveSoloSlots); err != nil {
		return err
	}
	if err := m.derive(histories, func(results int) { m.progress(total) }); err != nil {
		return err
	}
	if err := m.derive(statistics, func(results int) { m.progress(total) }); err != nil {
		return err
	}
	return m.derive(openMatches, func(int) {})
}

// progressEvery is how often progress is logged.
const progressEvery = 5 * time.Second

func (m *migrating) progress(total int) {
	if m.records%100 == 0 && time.Since(m.said) > progressEvery {
		m.said = time.Now()
		m.log.Info("bringing the file up to date", "records", m.records, "of", total)
	}
}

// record copies a record, in today's form. The error is game.ErrDamaged for one that cannot be
// read: a checksum must not make it look good.
func (m *migrating) record(name, key, value []byte) error {
	r := row{name, key, value}
	switch string(name) {
	case string(bucketMeta):
		if string(key) == string(keyFormat) {
			return nil
		}
	case string(bucketMatches):
		return m.match(r)
	case string(bucketResults):
		if _, err := m.codecs.DecodeResult(value); err != nil {
			return err
		}
	case string(bucketTotals):
		if _, err := record.DecodeTotals(value); err != nil {
			return err
		}
	case string(bucketSlots):
		if m.format <= beforeKinds {
			r.key = []byte(slotOfFormat4(string(key)).Key())
		}
	case string(bucketRecent):
		if m.format <= beforeKinds {
			var err error
			if r, err = recentOfFormat4(string(key), value); err != nil {
				return err
			}
		}
	case string(bucketRanks), string(bucketRankChunks):
		return nil // they are derived again
	case string(bucketHistory), string(bucketPlayers):
		return nil // they are derived again
	}
	return m.put(r)
}

// match copies a match and, if puzzles had no bucket yet, the puzzle that it shares with others.
func (m *migrating) match(r row) error {
	e, err := decodeMatchEntry(r.value)
	if err != nil {
		return err
	}
	match, err := m.codecs.DecodeMatch(e.record)
	if err != nil {
		return err
	}
	if err := m.put(r); err != nil || m.format > beforeKinds || match.Puzzle == "" {
		return err
	}
	puzzle, err := m.codecs.EncodePuzzle(match.Kind, match.State)
	if err != nil {
		return err
	}
	return m.put(row{bucketPuzzles, puzzleKey(match.Kind, match.Puzzle), puzzle})
}

// slotOfFormat4 reads a key: a channel, with or without NUL and the kind after it; or NUL,
// the kind, NUL, the player and, for a daily puzzle, NUL and its number.
func slotOfFormat4(key string) game.Slot {
	own, ok := strings.CutPrefix(key, "\x00")
	if !ok {
		channel, kind, named := strings.Cut(key, "\x00")
		if !named {
			kind = string(game.Wordle)
		}
		return game.ChannelSlot(game.Kind(kind), game.ChannelID(channel))
	}
	parts := strings.Split(own, "\x00")
	s := game.Slot{Kind: game.Kind(parts[0])}
	if len(parts) > 1 {
		s.Player = game.PlayerID(parts[1])
	}
	if len(parts) > 2 {
		number, _ := strconv.Atoi(parts[2]) // 0, which is no puzzle, if it cannot be read
		s.Puzzle = game.DailyPuzzle(number)
	}
	return s
}

// recentOfFormat4 reads a list of answers of format 4, which had words only, one right
// after the other, and did not name the kind.
func recentOfFormat4(list string, words []byte) (row, error) {
	const length = 5 // of a word
	if len(words)%length != 0 {
		return row{}, fmt.Errorf("recent answers: %w", game.ErrDamaged)
	}
	var answers []string
	for word := range slices.Chunk(words, length) {
		answers = append(answers, string(word))
	}
	return row{bucketRecent, []byte(string(game.Wordle) + " " + list), encodeAnswers(answers)}, nil
}
