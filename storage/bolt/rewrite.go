package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/durable"
	"fivefold/storage/ordered"
)

// A repair and a compaction write a new file next to the old one, which it then replaces in one step. Whatever goes wrong
// before that, the old file is as it was.

// newFile makes an empty file in the folder of another one, under an unused name. Nothing in it is on the disk before it
// is synced.
func newFile(beside string) (db *bbolt.DB, file *os.File, err error) {
	f, err := os.CreateTemp(filepath.Dir(beside), filepath.Base(beside)+".new-*")
	if err != nil {
		return nil, nil, plain(err)
	}
	if err = f.Close(); err == nil {
		db, file, err = openFile(f.Name(), bbolt.Options{NoSync: true, NoGrowSync: true})
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.Remove(f.Name()))
	}
	return db, file, nil
}

// Salvaged is a new file with what could be read of a damaged one, under a temporary name next to it. [Salvaged.Replace]
// or [Salvaged.Abandon] must end it.
type Salvaged struct {
	// Map is open, and can be changed before it takes its place.
	Map *Map
	// Problem is what was wrong first with the pages of the file; nil if nothing was.
	Problem error
	// Gap means that nothing could be read between two keys: After, which is empty for the beginning, and Before, which is
	// empty for the end.
	Gap           bool
	After, Before string

	path string
	old  *bbolt.DB // which keeps others from changing the file
}

// salvagedAtOnce is how many records of a salvaged file are committed at once.
const salvagedAtOnce = 2000

// Salvage reads what bbolt can read of a file, which no process may have open, calls found with every pair, and writes
// those that are not damaged to a new file. It reads from the first key on and, where that ends, from the last one back.
// It never changes the old file.
//
// Where nothing can be read, the error wraps game.ErrDamaged: then only a backup helps.
func Salvage(ctx context.Context, path string, found func(ordered.Pair)) (_ *Salvaged, err error) {
	defer name(path, &err)
	old, _, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	s := &Salvaged{path: path, old: old}
	db, file, err := newFile(path)
	if err != nil {
		return nil, errors.Join(err, old.Close())
	}
	s.Map = newMap(db, file, db.Path(), Options{}.withDefaults())
	if err = create(db); err == nil {
		err = view(old, func(tx *bbolt.Tx) error { return s.fill(ctx, tx, found) })
	}
	if err == nil {
		err = db.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, s.Abandon())
	}
	db.NoSync, db.NoGrowSync = false, false
	return s, nil
}

// fill copies the records of a file to the new one.
func (s *Salvaged) fill(ctx context.Context, tx *bbolt.Tx, found func(ordered.Pair)) error {
	if err := checkFormat(tx); err != nil {
		return err
	}
	var batch ordered.Change
	put := func(p ordered.Pair) (err error) {
		if found(p); !p.Damaged {
			batch.Set = append(batch.Set, p)
		}
		if len(batch.Set) == salvagedAtOnce {
			err, batch.Set = s.Map.Commit(ctx, batch), nil
		}
		return err
	}
	s.Problem = checkPages(ctx, tx, func(p ordered.Pair) error {
		if !p.Damaged {
			s.After = p.Key
		}
		return put(p)
	})
	err := s.Problem
	if errors.Is(err, game.ErrDamaged) {
		back := tx.Bucket(bucketRecords).Cursor()
		err = walk(ctx, back.Last, back.Prev, -1, func(p ordered.Pair) error {
			if !p.Damaged {
				if p.Key <= s.After {
					return errMet
				}
				s.Before = p.Key
			}
			return put(p)
		})
		s.Gap = !errors.Is(err, errMet)
	}
	if err != nil && !errors.Is(err, errMet) && !errors.Is(err, game.ErrDamaged) {
		return err
	}
	return s.Map.Commit(ctx, batch)
}

// errMet ends a walk that has come to what was read already.
var errMet = errors.New("read already")

// Replace closes the new file and puts it in the old one's place, which is kept; kept is its new path. On an error the new
// file is removed, and the old one is where it was.
func (s *Salvaged) Replace() (kept string, err error) {
	defer name(s.path, &err)
	if err = s.Map.Close(); err == nil {
		kept, err = durable.Keep(s.path, s.path+".damaged-"+time.Now().UTC().Format("20060102T150405Z"))
	}
	if err == nil {
		err = takePlace(s.Map.path, s.old)
	}
	if err != nil {
		err = errors.Join(err, remove(s.Map.path))
		if _, gone := os.Lstat(s.path); kept != "" && errors.Is(gone, os.ErrNotExist) { // it was renamed, as where there are no links
			err = errors.Join(err, os.Rename(kept, s.path))
		}
	}
	return kept, errors.Join(err, s.old.Close())
}

// Abandon closes and removes the new file.
func (s *Salvaged) Abandon() error {
	return errors.Join(s.Map.Close(), remove(s.Map.path), s.old.Close())
}

// takePlace gives a new file the name of an old one, which stays locked until then, except on Windows: an open file cannot
// be replaced there.
func takePlace(path string, old *bbolt.DB) error {
	to := old.Path()
	if runtime.GOOS == "windows" {
		if err := old.Close(); err != nil {
			return err
		}
	}
	return durable.Rename(path, to)
}

// compactBytes is the size of a transaction of a compacted file: bbolt splits a page only when a transaction ends.
const compactBytes = 4 << 20

// Compact checks a file, which no process may have open, and writes it again without free pages. It returns its length
// before and after, in bytes. It refuses a damaged file with game.ErrDamaged. The new file takes the old one's place in
// one step when it is whole and on the disk; on any error the file is left as it was. Progress is called now and then
// with how many of the bytes were checked; it may be nil.
func Compact(ctx context.Context, path string, progress func(done, of int)) (before, after int64, err error) {
	defer name(path, &err)
	m, err := openReadOnly(path, 0)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, m.db.Close()) }()
	was, err := m.Stats()
	if err != nil {
		return 0, 0, err
	}
	n, done := 0, 0
	err = m.read(ctx, func(tx *bbolt.Tx) error {
		return checkPages(ctx, tx, func(p ordered.Pair) error {
			if p.Damaged {
				return fmt.Errorf("%q has a wrong checksum: %w", p.Key, game.ErrDamaged)
			}
			done += len(p.Key) + len(p.Value)
			if n++; n%1024 == 0 && progress != nil {
				progress(min(done, int(was.Bytes)), int(was.Bytes))
			}
			return nil
		})
	})
	if err != nil {
		return 0, 0, err
	}
	db, _, err := newFile(path)
	if err != nil {
		return 0, 0, err
	}
	written := db.Path()
	err = guard(func() error { return bbolt.Compact(db, m.db, compactBytes) })
	if err == nil {
		err = db.Sync()
	}
	err = errors.Join(err, db.Close())
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(written)
	}
	if err == nil {
		err = takePlace(written, m.db)
	}
	if err != nil {
		return 0, 0, errors.Join(err, remove(written))
	}
	return was.Bytes, info.Size(), nil
}
