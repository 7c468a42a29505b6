package bolt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/durable"
	"fivefold/storage/record"
)

// keyCopy is in bucketMeta while records are copied into a file: a record.Mark.
var keyCopy = []byte("copy")

// moved says how the records of a bucket move to another store. Those that need nothing special
// are the same there.
type moved struct {
	bucket []byte
	table  record.Table
	// seek returns the key in the bucket for a key of the table; nil if they are the same.
	seek func(b buckets, key []byte) ([]byte, error)
	// read makes a row of a record; ok is false for a record that does not move. It is nil if records
	// move as they are.
	read func(b buckets, key, value []byte) (r record.Row, ok bool, err error)
	// write makes records of a row; nil if rows become records as they are.
	write func(b buckets, r record.Row) ([]row, error)
}

// movedBuckets are the buckets whose records move. Together with those of derivations they are all
// buckets of a file.
var movedBuckets = []moved{
	{bucket: bucketMeta, table: record.TableMeta}, // see eachMeta and putMeta
	{bucket: bucketDamaged, table: record.TableDamaged},
	{bucket: bucketNumbers, table: record.TableCommunities, seek: seekCommunity, read: readCommunity, write: writeCommunity}, // those of matches move with results
	{bucket: bucketForgotten, table: record.TableForgotten, read: readForgotten},
	{bucket: bucketResults, table: record.TableResults, read: readResult, write: writeResult},
	{bucket: bucketMatches, table: record.TableMatches},
	{bucket: bucketSlots, table: record.TableSlots},
	{bucket: bucketReceipts, table: record.TableReceipts, read: readReceipt},
	{bucket: bucketRecent, table: record.TableRecent},
	{bucket: bucketPuzzles, table: record.TablePuzzles},
	{bucket: bucketArchive, table: record.TableArchive},
	{bucket: bucketClearing, table: record.TableClearing},
	{bucket: bucketReviews, table: record.TableReviews},
	{bucket: bucketSessions, table: record.TableSessions},
	{bucket: bucketLooks, table: record.TableLooks},
	{bucket: bucketServers, table: record.TableServers},
	{bucket: bucketBoards, table: record.TableBoards},
	{bucket: bucketTotals, table: record.TableTotals, seek: seekTotals, read: readTotalsRow, write: writeTotals}, // leaderboards are made of them
}

func movedAs(t record.Table) (moved, error) {
	for _, m := range movedBuckets {
		if m.table == t {
			return m, nil
		}
	}
	return moved{}, fmt.Errorf("no bucket has the table %q", t)
}

func seekCommunity(_ buckets, community []byte) ([]byte, error) {
	return communityPrefix(string(community)), nil
}

func readCommunity(_ buckets, key, last []byte) (record.Row, bool, error) {
	community, ok := bytes.CutSuffix(key, []byte{0})
	return record.Row{Key: community, Value: last}, ok, nil
}

func writeCommunity(_ buckets, r record.Row) ([]row, error) {
	return []row{{bucketNumbers, communityPrefix(string(r.Key)), r.Value}}, nil
}

func readForgotten(_ buckets, key, n []byte) (record.Row, bool, error) {
	return record.Row{Key: key, Value: n}, !bytes.Equal(key, keyForgotten), nil
}

func readResult(b buckets, key, value []byte) (record.Row, bool, error) {
	r, err := b.codecs.DecodeResult(value)
	if err != nil {
		return record.Row{}, false, err
	}
	n, err := decodeNumber(b.Bucket(bucketNumbers).Get([]byte(r.Match)))
	return record.Row{Key: key, Value: append(number(n), value...)}, true, err
}

func writeResult(b buckets, r record.Row) ([]row, error) {
	if len(r.Value) < 8 {
		return nil, game.ErrDamaged
	}
	n, value := r.Value[:8], r.Value[8:]
	all := []row{{bucketResults, r.Key, value}}
	if binary.BigEndian.Uint64(n) == 0 {
		return all, nil
	}
	result, err := b.codecs.DecodeResult(value)
	return append(all, row{bucketNumbers, []byte(result.Match), n}), err
}

func readReceipt(_ buckets, key, value []byte) (record.Row, bool, error) {
	r, err := decodeReceipt(value)
	r.at = made(game.RequestID(key), r)
	return record.Row{Key: key, Value: r.encode()}, true, err
}

func seekTotals(b buckets, key []byte) ([]byte, error) {
	p, scope, err := record.ParseTotalsKey(key)
	return b.totalsKey(scope, p), err
}

func readTotalsRow(b buckets, key, value []byte) (record.Row, bool, error) {
	p, scope, err := b.parseTotalsKey(key)
	return record.Row{Key: record.TotalsKey(p, scope), Value: value}, true, err
}

// parseTotalsKey is the inverse of totalsKey.
func (b buckets) parseTotalsKey(key []byte) (p game.PlayerID, s game.Scope, err error) {
	switch parts := strings.Split(string(key), "\x00"); {
	case len(parts) == 4 && parts[0] == "":
		return game.PlayerID(parts[3]), game.Scope{Kind: game.Kind(parts[1]), Guild: game.GuildID(parts[2])}, nil
	case len(parts) == 2:
		for _, c := range b.codecs {
			if c.Unprefixed {
				return game.PlayerID(parts[1]), game.Scope{Kind: c.Kind, Guild: game.GuildID(parts[0])}, nil
			}
		}
	}
	return "", game.Scope{}, fmt.Errorf("the key of totals names no player: %w", game.ErrDamaged)
}

// writeTotals also puts the player into the leaderboard.
func writeTotals(b buckets, r record.Row) ([]row, error) {
	p, scope, err := record.ParseTotalsKey(r.Key)
	if err != nil {
		return nil, err
	}
	t, err := record.DecodeTotals(r.Value)
	if err == nil && scope.Guild != "" && t.Played > 0 {
		err = b.ranksOf(scope).insert(rankKey(t))
	}
	return []row{{bucketTotals, b.totalsKey(scope, p), r.Value}}, err
}

// eachMeta calls f with the rows of TableMeta.
func (b buckets) eachMeta(f func(record.Row) error) error {
	given := b.Bucket(bucketResults).stored.Sequence()
	all := []record.Row{
		{Key: []byte(record.MetaGuilds), Value: b.Bucket(bucketMeta).Get(keyGuilds)},
		{Key: []byte(record.MetaForgotten), Value: b.Bucket(bucketForgotten).Get(keyForgotten)},
		{Key: []byte(record.MetaGiven), Value: number(given)},
		{Key: []byte(record.MetaSecret), Value: b.Bucket(bucketMeta).Get(keySecret)},
	}
	for _, r := range all {
		if len(r.Value) == 0 || string(r.Key) == record.MetaGiven && given == 0 {
			continue
		}
		r.Table = record.TableMeta
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

func (b buckets) putMeta(r record.Row) error {
	switch string(r.Key) {
	case record.MetaGuilds:
		return b.put(row{bucketMeta, keyGuilds, r.Value})
	case record.MetaForgotten:
		return b.put(row{bucketForgotten, keyForgotten, r.Value})
	case record.MetaSecret:
		return b.put(row{bucketMeta, keySecret, r.Value})
	case record.MetaGiven:
		n, err := decodeNumber(r.Value)
		if err != nil {
			return err
		}
		return b.Bucket(bucketResults).stored.SetSequence(n)
	}
	return fmt.Errorf("nobody knows what %q is", r.Key)
}

// eachRow calls f with the rows of a table that follow the key after, or with all if that is nil, in
// the order of the bucket. What f gets is valid until it returns.
func (b buckets) eachRow(ctx context.Context, t record.Table, after []byte, f func(record.Row) error) error {
	if t == record.TableMeta {
		return b.eachMeta(func(r record.Row) error {
			if after != nil && bytes.Compare(r.Key, after) <= 0 {
				return nil
			}
			return f(r)
		})
	}
	m, err := movedAs(t)
	if err != nil || b.Tx.Bucket(m.bucket) == nil { // one of lateBuckets
		return err
	}
	c := b.Bucket(m.bucket).Cursor()
	var key, value []byte
	if after == nil {
		key, value = c.First()
	} else {
		if m.seek != nil {
			if after, err = m.seek(b, after); err != nil {
				return err
			}
		}
		if key, value = c.Seek(after); bytes.Equal(key, after) {
			key, value = c.Next()
		}
	}
	for n := 0; key != nil; key, value = c.Next() {
		if n++; n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r, ok := record.Row{Key: key, Value: value}, true
		if m.read != nil {
			if r, ok, err = m.read(b, key, value); err != nil {
				return fmt.Errorf("%s %q: %w", m.bucket, key, err)
			}
		}
		if !ok {
			continue
		}
		r.Table = t
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// CopySource is a file whose records are copied to another store. No process can change it
// until it is closed. It is not safe for concurrent use.
type CopySource struct {
	path   string
	db     *bbolt.DB
	tx     *bbolt.Tx
	codecs record.Codecs
	counts Counts
}

// OpenCopySource opens a file and checks it. Errors wrap [ErrLocked] if a process uses it, and
// game.ErrDamaged if anything is wrong in it.
func OpenCopySource(ctx context.Context, path string, codecs record.Codecs, progress Progress) (*CopySource, error) {
	s, err := openCopySource(ctx, path, codecs, progress)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, plain(err))
	}
	return s, nil
}

func openCopySource(ctx context.Context, path string, codecs record.Codecs, progress Progress) (s *CopySource, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s = &CopySource{path: path, codecs: codecs}
	if s.db, err = openFile(path, bbolt.Options{ReadOnly: true}); err != nil {
		return nil, err
	}
	err = guard(func() (err error) {
		if s.tx, err = s.db.Begin(false); err != nil {
			return err
		}
		s.counts, err = checkBefore(ctx, file, s.tx, codecs, progress)
		return err
	})
	if err == nil {
		err = buckets{s.tx, codecs}.whole()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// errUnfinished: not all records have been copied into the file.
var errUnfinished = errors.New("it is a copy that was not finished")

// whole returns errUnfinished while records are copied into the file.
func (b buckets) whole() error {
	if b.Bucket(bucketMeta).has(keyCopy) {
		return errUnfinished
	}
	return nil
}

// Close releases the file.
func (s *CopySource) Close() error {
	if s.tx != nil {
		_ = s.tx.Rollback() // its only error is that it has ended
	}
	return s.db.Close()
}

// Fingerprint changes with every change of the file.
func (s *CopySource) Fingerprint(context.Context) (text string, err error) {
	err = guard(func() error {
		secret := buckets{s.tx, s.codecs}.Bucket(bucketMeta).Get(keySecret)
		text = fmt.Sprintf("file %x transaction %d", sha256.Sum256(secret), s.tx.ID())
		return nil
	})
	return text, err
}

// Count returns about how many rows there are.
func (s *CopySource) Count(context.Context) (n int, err error) {
	for _, m := range movedBuckets {
		n += s.counts.Records[string(m.bucket)]
	}
	return n - s.counts.Records[string(bucketNumbers)], nil
}

// Rows calls f with the rows of a table that follow the key after, or with all if that is nil,
// in an order that is always the same. What f gets is valid until it returns.
func (s *CopySource) Rows(ctx context.Context, t record.Table, after []byte, f func(record.Row) error) error {
	return guard(func() error { return buckets{s.tx, s.codecs}.eachRow(ctx, t, after, f) })
}

// CopyTarget is a new file into which records are copied. It gets its final name only when it
// is whole; until then, see [UnfinishedCopy]. It is not safe for concurrent use.
type CopyTarget struct {
	path string
	w    *rewriting
}

// UnfinishedCopy returns the path that a copy has until it is whole and gets the given path.
func UnfinishedCopy(path string) string { return path + ".unfinished" }

// OpenCopyTarget begins a copy or goes on with an unfinished one. Errors wrap
// [record.ErrNotEmpty] if there is a file at the path, and [ErrLocked] if another process copies
// to it.
func OpenCopyTarget(path string, codecs record.Codecs) (*CopyTarget, error) {
	t, err := openCopyTarget(path, codecs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, plain(err))
	}
	return t, nil
}

func openCopyTarget(path string, codecs record.Codecs) (*CopyTarget, error) {
	if err := absent(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making its folder: %w", plain(err))
	}
	w := &rewriting{path: UnfinishedCopy(path), codecs: codecs}
	var err error
	if w.db, err = openFile(w.path, bbolt.Options{FreelistType: bbolt.FreelistMapType}); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(w.path), err)
	}
	// A file without a mark is new, or the process ended between the last two steps of the
	// copy. It is ours, and the source still has everything in it, so it is begun again.
	err = update(w.db, func(tx *bbolt.Tx) error {
		if meta := tx.Bucket(bucketMeta); meta != nil && meta.Get(keyCopy) != nil {
			return nil
		}
		var names [][]byte
		if err := tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			names = append(names, bytes.Clone(name))
			return nil
		}); err != nil {
			return err
		}
		for _, name := range names {
			if err := tx.DeleteBucket(name); err != nil {
				return err
			}
		}
		if err := createBuckets(tx); err != nil {
			return err
		}
		return buckets{tx, codecs}.setMark(record.Mark{})
	})
	if err != nil {
		return nil, errors.Join(err, w.db.Close())
	}
	return &CopyTarget{path, w}, nil
}

// absent returns an error that wraps record.ErrNotEmpty if there is a file.
func absent(path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("there is a file already: %w", record.ErrNotEmpty)
	case !errors.Is(err, os.ErrNotExist):
		return plain(err)
	}
	return nil
}

func (b buckets) setMark(m record.Mark) error {
	value, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return b.put(row{bucketMeta, keyCopy, value})
}

// Close releases the file, which stays unfinished unless Finish has succeeded.
func (t *CopyTarget) Close() error {
	if t.w.db == nil {
		return nil
	}
	return t.w.db.Close()
}

// Mark returns how far the copy has come; it is zero before the first row.
func (t *CopyTarget) Mark(context.Context) (m record.Mark, err error) {
	err = view(t.w.db, func(tx *bbolt.Tx) error {
		return json.Unmarshal(buckets{tx, t.w.codecs}.Bucket(bucketMeta).Get(keyCopy), &m)
	})
	return m, err
}

// Write adds rows, with the mark after them, in one transaction.
func (t *CopyTarget) Write(_ context.Context, rows []record.Row, mark record.Mark) error {
	return update(t.w.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, t.w.codecs}
		for _, r := range rows {
			if err := b.putRow(r); err != nil {
				return fmt.Errorf("%s %q: %w", r.Table, r.Key, err)
			}
		}
		return b.setMark(mark)
	})
}

func (b buckets) putRow(r record.Row) error {
	if r.Table == record.TableMeta {
		return b.putMeta(r)
	}
	m, err := movedAs(r.Table)
	if err != nil {
		return err
	}
	all := []row{{m.bucket, r.Key, r.Value}}
	if m.write != nil {
		if all, err = m.write(b, r); err != nil {
			return err
		}
	}
	for _, own := range all {
		if own.value == nil {
			own.value = nothing
		}
		b.Bucket(own.bucket).stored.FillPercent = rewriteFill
		if err := b.put(own); err != nil {
			return err
		}
	}
	return nil
}

// Rows is like [CopySource.Rows], for the rows that were written.
func (t *CopyTarget) Rows(ctx context.Context, table record.Table, after []byte, f func(record.Row) error) error {
	return view(t.w.db, func(tx *bbolt.Tx) error { return buckets{tx, t.w.codecs}.eachRow(ctx, table, after, f) })
}

// Finish makes what follows from the records, checks the whole file and gives it its name.
// Afterwards, even after an error, only Close may be called. If ctx or the process ends
// meanwhile, the copy can be opened and finished again.
func (t *CopyTarget) Finish(ctx context.Context, progress Progress) error {
	if err := t.finish(ctx, progress); err != nil {
		return fmt.Errorf("%s: %w", t.path, plain(err))
	}
	return nil
}

func (t *CopyTarget) finish(ctx context.Context, progress Progress) error {
	w := t.w
	if err := update(w.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, w.codecs}
		if b.Bucket(bucketMeta).has(keySecret) {
			return nil
		}
		return b.createSecret()
	}); err != nil {
		return err
	}
	for _, d := range []derivation{histories, openMatches} {
		if err := errors.Join(ctx.Err(), w.derive(d, func(int) {})); err != nil {
			return err
		}
	}
	err := w.finish()
	w.db = nil
	if err != nil {
		return err
	}
	if _, err := checkAfter(ctx, w.path, w.codecs, progress); err != nil {
		return err
	}
	db, err := openFile(w.path, bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = update(db, func(tx *bbolt.Tx) error { return buckets{tx, w.codecs}.put(row{bucketMeta, keyCopy, nil}) })
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return durable.RenameIf(w.path, t.path, func() error { return absent(t.path) })
}
