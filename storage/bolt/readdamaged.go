package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/durable"
	"fivefold/storage/ordered"
)

// Salvaged is a new file with what could be read of another one. It is under a temporary
// name, next to the other one, until [Salvaged.Replace] or [Salvaged.Abandon] ends it; one
// of them must be called.
type Salvaged struct {
	// Map is open, and can be changed before it takes its place.
	Map *Map
	// Gaps are the ranges of keys of which nothing could be read. Whether there was anything
	// in them is not known, except that something is damaged there.
	Gaps []Gap
	// Problem is what was wrong first with the pages of the file; nil if nothing was.
	Problem error

	path string
	old  *bbolt.DB // which keeps others from changing the file
}

// Gap is a range of keys between two that could be read. Before is empty where there is no
// later one, and After where there is no earlier one.
type Gap struct{ After, Before string }

// Salvage reads what can be read of a file, which no process may have open, calls found with
// every pair, and writes those that are not damaged to a new file. Salvage never changes the
// old file.
//
// Where nothing can be read, the error wraps game.ErrDamaged: then only a backup helps.
func Salvage(ctx context.Context, path string, found func(ordered.Pair)) (_ *Salvaged, err error) {
	defer name(path, &err)
	old, file, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	s := &Salvaged{path: path, old: old}
	w, err := rewrite(path)
	if err != nil {
		return nil, errors.Join(err, old.Close())
	}
	t, last := pages{leaves: true}, ""
	gap := func(before string) {
		if t.gap {
			s.Gaps = append(s.Gaps, Gap{last, before})
		}
		t.gap = false
	}
	err = view(old, func(tx *bbolt.Tx) error {
		return t.look(ctx, tx, file, func(key, sealed []byte) error {
			p := pairOf(key, sealed)
			if found(p); p.Damaged {
				return nil
			}
			gap(p.Key)
			last = p.Key
			return w.put(key, sealed)
		})
	})
	gap("")
	s.Problem = t.problem
	if err == nil {
		err = w.finish()
	}
	if err == nil {
		s.Map, err = open(w.path, Options{}.withDefaults())
	}
	if err != nil {
		return nil, errors.Join(err, w.abandon(), old.Close())
	}
	return s, nil
}

// Replace closes the new file and puts it in the old one's place, which is kept; kept is
// its new path. On an error the new file is removed, and the old one is where it was.
func (s *Salvaged) Replace() (kept string, err error) {
	return s.replace(".damaged-" + time.Now().UTC().Format("20060102T150405Z"))
}

// replace is Replace, but keeps the old file only if there is something to add to its name.
func (s *Salvaged) replace(suffix string) (kept string, err error) {
	defer name(s.path, &err)
	if err = s.Map.Close(); runtime.GOOS == "windows" { // which cannot replace an open file
		err = errors.Join(err, s.old.Close())
	}
	if err == nil && suffix != "" {
		kept, err = durable.Keep(s.path, s.path+suffix)
	}
	if err == nil {
		err = durable.Rename(s.Map.path, s.path)
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

// Compact writes a file again without free pages, and returns its length before and
// after, in bytes. No process may have the file open. It refuses a damaged file with
// game.ErrDamaged. The new file takes the old one's place in one step when it is whole and on
// the disk; on any error the file is left as it was. Progress is called now and then with how
// many of the bytes are written; it may be nil.
func Compact(ctx context.Context, path string, progress func(done, of int)) (before, after int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		name(path, &err)
		return 0, 0, err
	}
	n, done, damaged := 0, 0, ""
	s, err := Salvage(ctx, path, func(p ordered.Pair) {
		if p.Damaged {
			damaged = p.Key
		}
		done += len(p.Key) + len(p.Value)
		if n++; n%1024 == 0 && progress != nil {
			progress(min(done, int(info.Size())), int(info.Size()))
		}
	})
	if err != nil {
		return 0, 0, err
	}
	err = s.Problem
	if damaged != "" {
		err = fmt.Errorf("%q has a wrong checksum: %w", damaged, game.ErrDamaged)
	}
	var is Stats
	if err == nil {
		is, err = s.Map.Stats()
	}
	if err != nil {
		name(path, &err)
		return 0, 0, errors.Join(err, s.Abandon())
	}
	_, err = s.replace("")
	return info.Size(), is.Bytes, err
}
