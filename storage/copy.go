package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"

	"fivefold/game"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
	"fivefold/storage/record"
)

// Errors of [Copy].
var (
	// ErrChanged: the source has changed while it was copied, or since a copy of it began that is
	// not finished.
	ErrChanged = errors.New("it has changed since the copy began")
	// ErrDiffers: what has arrived is not what was sent.
	ErrDiffers = errors.New("the copy is not the same")
)

// CopyOptions are what [Copy] can be given. The zero value is ready to use.
type CopyOptions struct {
	// Password is for databases whose URL has none.
	Password string
	// Progress learns how much of a stage is done; nil for nobody.
	Progress func(stage string, done, of int)

	testOnlyBatch  int           // rows in a transaction
	testOnlyCodecs record.Codecs // of other games
}

// Copied is what [Copy] did.
type Copied struct {
	Records int  // that were copied and compared
	Began   bool // whether both stores could be used, also where the copy failed after that
	Resumed bool // whether it went on with a copy that was not finished
}

// A batch is written in one transaction.
const (
	batchRows  = 4000
	batchBytes = 8 << 20
)

// copySource has the records of a store, in an order that is always the same.
type copySource interface {
	copyRows
	// Fingerprint is the same only if nothing has changed.
	Fingerprint(ctx context.Context) (string, error)
	Count(ctx context.Context) (int, error)
	Close() error
}

// copyTarget takes the records of another store.
type copyTarget interface {
	copyRows
	Mark(ctx context.Context) (record.Mark, error)
	// Write adds rows of one table, and sets the mark in the same transaction.
	Write(ctx context.Context, rows []record.Row, mark record.Mark) error
	Close() error
}

type copyRows interface {
	// Rows calls f with the rows of a table behind the one with a key, or with all if that
	// is nil. What f gets is valid until it returns.
	Rows(ctx context.Context, t record.Table, after []byte, f func(record.Row) error) error
}

// finisher makes a target usable when all rows are in it.
type finisher func(ctx context.Context) error

// Copy copies all records of the store at one URL to the one at another, which must be empty, and
// compares them. Nothing may change the source meanwhile: a file is locked, and of a database an
// error that wraps [ErrChanged] says if something did.
//
// If ctx or the process ends before the copy, the target cannot be opened as a store, and the same
// call goes on where it ended. Errors also wrap [record.ErrNotEmpty], [ErrDiffers], and
// game.ErrDamaged for a record of the source that cannot be read, which they name. They never
// have a password.
func Copy(ctx context.Context, from, to string, o CopyOptions) (Copied, error) {
	for _, url := range []string{from, to} {
		if err := Check(url); err != nil {
			return Copied{}, err
		}
	}
	c := &copying{o: o, batch: batchRows, codecs: record.All(), decode: isDatabase(from)}
	if o.testOnlyBatch > 0 {
		c.batch = o.testOnlyBatch
	}
	if o.testOnlyCodecs != nil {
		c.codecs = o.testOnlyCodecs
	}
	if c.o.Progress == nil {
		c.o.Progress = func(string, int, int) {}
	}
	done, err := c.run(ctx, from, to)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return done, err
}

type copying struct {
	o      CopyOptions
	batch  int
	codecs record.Codecs
	total  int  // rows, about
	decode bool // what is copied, since it has not been checked
}

func (c *copying) stage(name string) bolt.Progress {
	return func(done, of int) { c.o.Progress(name, done, of) }
}

func (c *copying) run(ctx context.Context, from, to string) (done Copied, err error) {
	source, err := c.openSource(ctx, from)
	if err != nil {
		return Copied{}, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, finish, err := c.openTarget(ctx, to)
	if err != nil {
		return Copied{}, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	done.Began = true
	was, err := source.Fingerprint(ctx)
	if err != nil {
		return done, err
	}
	mark, err := target.Mark(ctx)
	switch {
	case err != nil:
		return done, fmt.Errorf("%s: %w", Name(to), err)
	case mark.Source != "" && mark.Source != was:
		return done, fmt.Errorf("%s: %w; what there is of it in %s is of no use", Name(from), ErrChanged, unfinishedName(to))
	}
	done.Resumed = mark.Source != ""
	mark.Source = was
	if c.total, err = source.Count(ctx); err != nil {
		return done, err
	}
	if err := c.copyAll(ctx, source, target, mark); err != nil {
		return done, err
	}
	done.Records, err = c.compareAll(ctx, source, target)
	// What differs may have changed in the source meanwhile.
	if err == nil || errors.Is(err, ErrDiffers) {
		is, failed := source.Fingerprint(ctx)
		switch {
		case failed != nil:
			return done, failed
		case is != was:
			return done, fmt.Errorf("%s: %w", Name(from), ErrChanged)
		}
	}
	if err != nil {
		return done, fmt.Errorf("%s: %w", unfinishedName(to), err)
	}
	if isDatabase(from) && isDatabase(to) { // a file is checked as a whole
		if err := c.checkTotals(ctx, target); err != nil {
			return done, fmt.Errorf("%s: %w", Name(from), err)
		}
	}
	return done, finish(ctx)
}

// unfinishedName is where a copy is that is not finished.
func unfinishedName(to string) string {
	if path, err := Path(to); err == nil {
		return bolt.UnfinishedCopy(path)
	}
	return Name(to)
}

func (c *copying) openSource(ctx context.Context, url string) (copySource, error) {
	if !isDatabase(url) {
		path, err := Path(url)
		if err != nil {
			return nil, err
		}
		return bolt.OpenCopySource(ctx, path, c.codecs, c.stage("Checking"))
	}
	s, err := postgres.OpenCopySource(ctx, url, c.codecs, postgres.Options{Password: c.o.Password})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name(url), err)
	}
	return s, nil
}

func (c *copying) openTarget(ctx context.Context, url string) (copyTarget, finisher, error) {
	if !isDatabase(url) {
		path, err := Path(url)
		if err != nil {
			return nil, nil, err
		}
		t, err := bolt.OpenCopyTarget(path, c.codecs)
		if err != nil {
			return nil, nil, err
		}
		return t, func(ctx context.Context) error { return t.Finish(ctx, c.stage("Checking the copy")) }, nil
	}
	t, err := postgres.OpenCopyTarget(ctx, url, c.codecs, postgres.Options{Password: c.o.Password})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", Name(url), err)
	}
	return t, t.Finish, nil
}

// copyAll copies what is behind the mark.
func (c *copying) copyAll(ctx context.Context, source copySource, target copyTarget, mark record.Mark) error {
	for _, table := range record.Tables {
		if mark.Table != "" && table.Before(mark.Table) {
			continue
		}
		var after []byte
		if table == mark.Table {
			after = mark.After
		}
		var rows []record.Row
		size := 0
		write := func() error {
			if err := ctx.Err(); err != nil || len(rows) == 0 {
				return err
			}
			mark.Table, mark.After, mark.Rows = table, rows[len(rows)-1].Key, mark.Rows+len(rows)
			if err := target.Write(ctx, rows, mark); err != nil {
				return err
			}
			rows, size = rows[:0], 0
			c.o.Progress("Copying", min(mark.Rows, c.total), c.total)
			return nil
		}
		err := source.Rows(ctx, table, after, func(r record.Row) error {
			if c.decode {
				if err := c.codecs.Decode(r); err != nil {
					return fmt.Errorf("%q: %w", r.Key, err)
				}
			}
			rows = append(rows, record.Row{Table: table, Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)})
			size += len(r.Key) + len(r.Value)
			if len(rows) < c.batch && size < batchBytes {
				return nil
			}
			return write()
		})
		if err == nil {
			err = write()
		}
		if err != nil {
			return fmt.Errorf("copying %s: %w", table, err)
		}
	}
	return nil
}

// digest is of the rows of a table, in any order.
type digest struct {
	rows int
	sum  [4]uint64 // of the rows' SHA-256
}

func (d *digest) add(r record.Row) {
	data := binary.BigEndian.AppendUint64(nil, uint64(len(r.Key)))
	data = append(append(data, r.Key...), r.Value...)
	sum := sha256.Sum256(data)
	d.rows++
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

// compareAll compares the rows of all tables, and returns how many there are.
func (c *copying) compareAll(ctx context.Context, source copySource, target copyTarget) (rows int, err error) {
	read := 0
	for _, table := range record.Tables {
		var sent, arrived digest
		hasSecret := false
		if err := source.Rows(ctx, table, nil, func(r record.Row) error {
			hasSecret = hasSecret || isSecret(r)
			sent.add(r)
			read++
			if read%256 == 0 {
				c.o.Progress("Comparing", min(read, 2*c.total), 2*c.total)
			}
			return nil
		}); err != nil {
			return 0, err
		}
		if err := target.Rows(ctx, table, nil, func(r record.Row) error {
			if isSecret(r) && !hasSecret {
				return nil // a file has one from the start
			}
			arrived.add(r)
			read++
			if read%256 == 0 {
				c.o.Progress("Comparing", min(read, 2*c.total), 2*c.total)
			}
			return nil
		}); err != nil {
			return 0, err
		}
		if sent != arrived {
			return 0, fmt.Errorf("%s: %d records were sent, and %d arrived or some are others: %w", table, sent.rows, arrived.rows, ErrDiffers)
		}
		rows += sent.rows
	}
	return rows, nil
}

func isSecret(r record.Row) bool {
	return r.Table == record.TableMeta && string(r.Key) == record.MetaSecret
}

// totalsAtOnce is how many totals are counted in one pass over the log.
const totalsAtOnce = 300_000

// checkTotals counts all totals again from the archive and the log.
func (c *copying) checkTotals(ctx context.Context, s copyRows) error {
	all := 0
	if err := s.Rows(ctx, record.TableTotals, nil, func(record.Row) error { all++; return nil }); err != nil {
		return err
	}
	clearing := map[game.PlayerID]uint64{} // up to which result
	if err := s.Rows(ctx, record.TableClearing, nil, func(r record.Row) error {
		clearing[game.PlayerID(r.Key)] = binary.BigEndian.Uint64(r.Value)
		return nil
	}); err != nil {
		return err
	}
	seed := maphash.MakeSeed()
	passes := uint64(all/totalsAtOnce + 1)
	for pass := range passes {
		counted := map[string]game.Totals{}
		own := func(p game.PlayerID) bool { return maphash.String(seed, string(p))%passes == pass }
		read := func(r record.Row, f func(t game.Totals)) error {
			p, _, err := record.ParseTotalsKey(r.Key)
			if err != nil || !own(p) {
				return err
			}
			t, err := record.DecodeTotals(r.Value)
			if err == nil {
				f(t)
			}
			return err
		}
		if err := s.Rows(ctx, record.TableArchive, nil, func(r record.Row) error {
			return read(r, func(t game.Totals) { counted[string(r.Key)] = t })
		}); err != nil {
			return err
		}
		if err := s.Rows(ctx, record.TableResults, nil, func(row record.Row) error {
			r, err := c.codecs.DecodeResult(row.Value[8:])
			if err != nil {
				return err
			}
			log := binary.BigEndian.Uint64(row.Key)
			for _, p := range r.Participants {
				if p.Player == "" || log <= clearing[p.Player] || !own(p.Player) {
					continue
				}
				for _, scope := range r.Scopes() {
					key := string(record.TotalsKey(p.Player, scope))
					counted[key] = counted[key].Add(r, p)
				}
			}
			return nil
		}); err != nil {
			return err
		}
		if err := s.Rows(ctx, record.TableTotals, nil, func(r record.Row) error {
			return read(r, func(t game.Totals) {
				if counted[string(r.Key)] == t {
					delete(counted, string(r.Key))
					return
				}
				counted[string(r.Key)] = t
			})
		}); err != nil {
			return err
		}
		for key := range counted {
			return fmt.Errorf("the totals %q are not those of the log and the archive: %w", key, game.ErrDamaged)
		}
	}
	return nil
}
