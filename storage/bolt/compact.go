package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Compact writes a file again without free pages, and returns its length before and
// after, in bytes. No process may have the file open. It refuses a file in which a check
// finds anything wrong, with game.ErrDamaged, and one of an earlier format. The new file
// takes the old one's place in one step when it is whole, checked and on the disk; on any
// error the file is left as it was.
func Compact(ctx context.Context, path string, codecs record.Codecs, progress Progress) (before, after int64, err error) {
	if before, after, err = compact(ctx, path, codecs, progress); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", path, plain(err))
	}
	return before, after, nil
}

func compact(ctx context.Context, path string, codecs record.Codecs, progress Progress) (before, after int64, err error) {
	old, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer old.Close()
	db, _, err := openMapped(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var w *rewriting
	err = view(db, func(tx *bbolt.Tx) error {
		counts, err := checkBefore(ctx, old, tx, codecs, progress)
		if err != nil {
			return err
		}
		records := 0
		for _, n := range counts.Records {
			records += n
		}
		if w, err = rewrite(path, codecs); err != nil {
			return err
		}
		if err := w.copyAll(ctx, tx, records, progress); err != nil {
			return errors.Join(err, w.abandon())
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	if err := w.finish(); err != nil {
		return 0, 0, errors.Join(err, os.Remove(w.path))
	}
	if _, err := checkAfter(ctx, w.path, codecs, progress); err != nil {
		return 0, 0, errors.Join(err, os.Remove(w.path))
	}
	was, err := os.Stat(path)
	if err != nil {
		return 0, 0, errors.Join(err, os.Remove(w.path))
	}
	is, err := os.Stat(w.path)
	if err != nil {
		return 0, 0, errors.Join(err, os.Remove(w.path))
	}
	return was.Size(), is.Size(), replace(path, "", old, db)
}

// checkBefore returns what there is in an open file, or an error if anything is wrong in it.
func checkBefore(ctx context.Context, file *os.File, tx *bbolt.Tx, codecs record.Codecs, progress Progress) (Counts, error) {
	var first error
	p, roots, problems := readRoots(file)
	for _, problem := range problems {
		first = errors.New(problem)
	}
	c := &checker{ctx: ctx, codecs: codecs, pages: p, progress: progress, report: func(f Finding) {
		if first == nil {
			first = errors.New(f.String())
		}
	}}
	switch err := c.run(tx, roots); {
	case err != nil:
		return Counts{}, err
	case first != nil:
		return Counts{}, fmt.Errorf("%v: %w", first, game.ErrDamaged)
	case c.counts.Format < newestFormat:
		return Counts{}, fmt.Errorf("its format is %d; start the bot once, to bring it up to date", c.counts.Format)
	}
	return c.counts, nil
}

// checkAfter checks a new file, in which nothing must be wrong.
func checkAfter(ctx context.Context, path string, codecs record.Codecs, progress Progress) (Counts, error) {
	var first *Finding
	counts, err := Check(ctx, path, codecs, func(f Finding) {
		if first == nil {
			first = &f
		}
	}, progress)
	if err == nil && first != nil {
		err = fmt.Errorf("something is wrong in the new file: %v: %w", *first, game.ErrDamaged)
	}
	return counts, err
}

// copyAll copies all records as they are stored.
func (w *rewriting) copyAll(ctx context.Context, old *bbolt.Tx, records int, progress Progress) error {
	copied := 0
	for _, name := range allBuckets {
		from := old.Bucket(name)
		if from == nil {
			continue // one of lateBuckets
		}
		n := 0
		err := from.ForEach(func(key, sealed []byte) error {
			if n++; n%1000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			copied++
			progress.nowAndThen(copied, records)
			if string(name) == string(bucketMeta) && string(key) == string(keyFormat) {
				return nil // it has no checksum, and is there
			}
			return w.put(row{name, key, mustUnseal(name, key, sealed)})
		})
		if err == nil {
			err = w.step(func(b buckets) error { return b.Bucket(name).stored.SetSequence(from.Sequence()) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if old.Bucket(bucketOpen) == nil {
		return w.derive(openMatches, func(int) {})
	}
	return nil
}
