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
	// ErrChanged means that the source has changed since the copy began, perhaps in an earlier call of
	// Copy that did not finish.
	ErrChanged = errors.New("it has changed since the copy began")
	// ErrDiffers means that the target does not have the same records as the source.
	ErrDiffers = errors.New("the copy is not the same")
)

// CopyOptions are the settings of [Copy]. The zero value is ready to use.
type CopyOptions struct {
	// Password is for databases whose URL has none.
	Password string
	// Progress is called now and then with how many records of a stage are done, of about how many. A
	// stage is a text for the operator, such as "Copying". Nil for no calls.
	Progress func(stage string, done, of int)

	testOnlyBatch  int           // rows in a transaction
	testOnlyCodecs record.Codecs // of other kinds of game
}

// Copied is what [Copy] did.
type Copied struct {
	Records int  // how many were compared, including those that an earlier call copied
	Began   bool // whether both stores could be opened, even if the copy failed later
	Resumed bool // whether it continued an unfinished copy
}

// How many rows and bytes are written in one transaction.
const (
	batchRows  = 4000
	batchBytes = 8 << 20
)

// copySource is a store whose records are copied.
type copySource interface {
	copyRows
	// Fingerprint returns a text that differs after nearly every change of the records.
	Fingerprint(ctx context.Context) (string, error)
	// Count returns about how many rows there are, for progress.
	Count(ctx context.Context) (int, error)
	Close() error
}

// copyTarget takes the records of another store.
type copyTarget interface {
	copyRows
	// Mark returns how far the copy has come; it is zero before the first row.
	Mark(ctx context.Context) (record.Mark, error)
	// Write adds rows of one table, and sets the mark in the same transaction.
	Write(ctx context.Context, rows []record.Row, mark record.Mark) error
	Close() error
}

// copyRows is a store whose rows can be read.
type copyRows interface {
	// Rows calls f with the rows of a table that follow the key after, or with all rows if after is nil,
	// in an order that is always the same. A row is valid until f returns.
	Rows(ctx context.Context, t record.Table, after []byte, f func(record.Row) error) error
}

// finisher makes a target usable when all rows are in it.
type finisher func(ctx context.Context) error

// Copy copies all records of the store at one URL to the store at another, which must be empty, and
// compares them. Nothing may change the source meanwhile: a file is locked, and if a database has
// changed, the error wraps [ErrChanged].
//
// If Copy fails or the process ends, the target cannot be opened as a store. The same call then
// continues where the copy ended, unless the error wraps ErrChanged or [ErrDiffers]. Errors also wrap
// [ErrURL], those of packages bolt and postgres, [record.ErrNotEmpty] if the target is not empty, and
// [game.ErrDamaged] if a record of the source cannot be read; they name that record. None shows a
// password. If ctx ends, the error is ctx's.
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

// copying is one call of Copy.
type copying struct {
	o      CopyOptions
	batch  int // rows in a transaction
	codecs record.Codecs
	total  int  // rows in the source, about
	decode bool // whether rows are decoded to check them: a file is checked when it is opened
}

// stage returns a function that shows the progress of a stage.
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
	// If something differs, the reason may be that the source has changed meanwhile.
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
	if isDatabase(from) && isDatabase(to) { // a file is checked as a whole, with its totals
		if err := c.checkTotals(ctx, target); err != nil {
			return done, fmt.Errorf("%s: %w", Name(from), err)
		}
	}
	return done, finish(ctx)
}

// unfinishedName returns the name of the place that has the records while a copy is unfinished.
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

// copyAll copies the rows after the mark.
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

// digest is the same for two tables with the same rows, whatever their order.
type digest struct {
	rows int
	sum  [4]uint64 // of the SHA-256 of all rows, word by word
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

// compareAll compares the rows of all tables, and returns how many the source has.
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
				return nil // a new file makes its own
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

// totalsAtOnce is about how many totals are counted, in memory, in one pass over the log.
const totalsAtOnce = 300_000

// checkTotals counts all totals again from the archive and the log. Its error wraps game.ErrDamaged if the
// stored ones differ.
func (c *copying) checkTotals(ctx context.Context, s copyRows) error {
	all := 0
	if err := s.Rows(ctx, record.TableTotals, nil, func(record.Row) error { all++; return nil }); err != nil {
		return err
	}
	clearing := map[game.PlayerID]uint64{} // number in the log up to which results no longer count
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
