package bolt

import (
	"cmp"
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

// A repair and a compaction write a new file next to the old one. The new file then replaces the old one in one step. Whatever
// goes wrong before that, the old file is as it was.

// newFile makes an empty store next to a file, under an unused name. The caller must sync it: its commits do not.
func newFile(beside string) (*Map, error) {
	f, err := os.CreateTemp(filepath.Dir(beside), filepath.Base(beside)+".new-*")
	if err != nil {
		return nil, plain(err)
	}
	if err = f.Close(); err == nil {
		var db *bbolt.DB
		var file *os.File
		if db, file, err = openFile(f.Name(), bbolt.Options{NoSync: true, NoGrowSync: true}); err == nil {
			if err = create(db); err == nil {
				return newMap(db, file, f.Name(), Options{}.WithDefaults()), nil
			}
			err = errors.Join(err, db.Close())
		}
	}
	return nil, errors.Join(err, os.Remove(f.Name()))
}

// Salvaged is a new file with what could be read of a damaged one, under a temporary name next to it. [Salvaged.Replace]
// or [Salvaged.Abandon] must end it.
type Salvaged struct {
	// Map is open, and can be changed before it takes its place.
	Map *Map
	// Problem is the first thing that was wrong with the pages of the file, or nil.
	Problem error
	// Gap means that nothing between the keys After and Before could be read. An empty After is the beginning, an empty Before
	// the end.
	Gap           bool
	After, Before string

	path string
	old  *bbolt.DB // kept open, so that others can't change the file
}

// salvagedAtOnce is how many records of a salvaged file are committed at once.
const salvagedAtOnce = 2000

// Salvage reads a file as far as bbolt can, calls found with every pair, and writes those that are not damaged to a new file.
// No process may have the file open. Salvage reads from the first key on and, if it cannot go on, from the last one back. It
// never changes the old file.
//
// If nothing can be read, the error wraps game.ErrDamaged: then only a backup helps.
func Salvage(ctx context.Context, path string, found func(ordered.Pair)) (_ *Salvaged, err error) {
	defer name(path, &err)
	old, _, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	m, err := newFile(path)
	if err != nil {
		return nil, errors.Join(err, old.Close())
	}
	s := &Salvaged{path: path, old: old, Map: m}
	err = view(old, func(tx *bbolt.Tx) error { return s.fill(ctx, tx, found) })
	if err == nil {
		err = m.db.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, s.Abandon())
	}
	m.db.NoSync, m.db.NoGrowSync = false, false
	return s, nil
}

// fill copies the records of a file to the new one.
func (s *Salvaged) fill(ctx context.Context, tx *bbolt.Tx, found func(ordered.Pair)) error {
	if err := checkFormat(tx); err != nil {
		return err
	}
	var batch []ordered.Pair
	flush := func(tx *bbolt.Tx) error {
		records := tx.Bucket(bucketRecords)
		records.FillPercent = 0.9 // as in bbolt's own compaction: most keys come in their order
		for _, p := range batch {
			if err := records.Put([]byte(p.Key), seal([]byte(p.Key), p.Value)); err != nil {
				return err
			}
		}
		batch = nil
		return nil
	}
	put := func(p ordered.Pair) error {
		if found(p); !p.Damaged {
			batch = append(batch, p)
		}
		if len(batch) < salvagedAtOnce {
			return nil
		}
		return update(s.Map.db, flush)
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
	return update(s.Map.db, flush)
}

// errMet ends a walk that has come to what was read already.
var errMet = errors.New("read already")

// Replace closes the new file and puts it in the old one's place. If keep is set, the old file stays at the path kept. On an
// error the new file is removed, and the old one is where it was.
func (s *Salvaged) Replace(keep bool) (kept string, err error) {
	defer name(s.path, &err)
	if err = s.Map.Close(); err == nil && keep {
		kept, err = durable.Keep(s.path, s.path+".damaged-"+time.Now().UTC().Format("20060102T150405Z"))
	}
	if err == nil && runtime.GOOS == "windows" { // an open file cannot be replaced there; elsewhere the old file stays locked until it is replaced
		err = s.old.Close()
	}
	if err == nil {
		err = durable.Rename(s.Map.path, s.path)
	}
	if err != nil {
		err = errors.Join(err, remove(s.Map.path))
		if _, gone := os.Lstat(s.path); kept != "" && errors.Is(gone, os.ErrNotExist) { // Keep had no links, and renamed it
			err = errors.Join(err, os.Rename(kept, s.path))
		}
	}
	return kept, errors.Join(err, s.old.Close())
}

// Abandon closes and removes the new file.
func (s *Salvaged) Abandon() error {
	return errors.Join(s.Map.Close(), remove(s.Map.path), s.old.Close())
}

// Compact checks a file and writes it again without free pages. It returns the file's length before and after, in bytes. No
// process may have the file open. A damaged file is refused with game.ErrDamaged. The new file takes the old one's place in one
// step when it is whole and on the disk; on any error the file is left as it was. Progress is called now and then with the
// number of bytes read; it may be nil.
func Compact(ctx context.Context, path string, progress func(done, of int)) (before, after int64, err error) {
	if err := Inspect(path); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	before = info.Size()
	n, done, damaged := 0, int64(0), error(nil)
	s, err := Salvage(ctx, path, func(p ordered.Pair) {
		if p.Damaged && damaged == nil {
			damaged = fmt.Errorf("%q has a wrong checksum: %w", p.Key, game.ErrDamaged)
		}
		done += int64(len(p.Key) + len(p.Value))
		if n++; n%1024 == 0 && progress != nil {
			progress(int(min(done, before)), int(before))
		}
	})
	if err != nil {
		return 0, 0, err
	}
	if err = cmp.Or(damaged, s.Problem); err != nil {
		return 0, 0, errors.Join(fmt.Errorf("%s: %w", path, err), s.Abandon())
	}
	now, err := s.Map.Stats()
	if err != nil {
		return 0, 0, errors.Join(err, s.Abandon())
	}
	_, err = s.Replace(false)
	return before, now.Bytes, err
}

// remove removes a file if it is there.
func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
