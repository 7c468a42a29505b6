package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Salvaged is a new file with what could be read of a damaged one. It is under a temporary
// name, next to the damaged one, until [Salvaged.Replace] or [Salvaged.Abandon] ends it; one
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
	old  *bbolt.DB
}

// Gap is a range of keys between two that could be read. Before is empty where there is no
// later one, and After where there is no earlier one.
type Gap struct{ After, Before string }

// Salvage reads what bbolt can read of a file, which no process may have open, calls found with
// every pair, and writes those that are not damaged to a new file. Salvage never changes the
// damaged file.
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
	err = view(old, func(tx *bbolt.Tx) error {
		t, err := look(ctx, tx, file, true)
		if err != nil {
			return err
		}
		s.Problem = t.problem
		slices.Sort(t.low)
		return s.readAll(ctx, tx, t.low, func(p ordered.Pair) error {
			if found(p); p.Damaged {
				return nil
			}
			return w.put([]byte(p.Key), seal([]byte(p.Key), p.Value))
		})
	})
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

// readAll calls f with every pair that can be read. Where bbolt cannot go on, it goes to the
// next leaf.
func (s *Salvaged) readAll(ctx context.Context, tx *bbolt.Tx, low []string, f func(ordered.Pair) error) error {
	last, gap := "", false // the last whole key, and whether there was a gap since
	seek := func(c *bbolt.Cursor) ([]byte, []byte) { return c.First() }
	for next := 0; ; {
		var failed error
		err := guard(func() error {
			c := tx.Bucket(bucketRecords).Cursor()
			n := 0
			for k, v := seek(c); k != nil; k, v = c.Next() {
				if n++; n%1024 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				p := pairOf(k, v)
				if !p.Damaged {
					if gap {
						s.Gaps = append(s.Gaps, Gap{last, p.Key})
					}
					last, gap = p.Key, false
				}
				if failed = f(p); failed != nil {
					return failed
				}
			}
			return nil
		})
		if failed != nil || err != nil && !errors.Is(err, game.ErrDamaged) {
			return err
		}
		if err != nil {
			gap = true
		}
		for next < len(low) && low[next] <= last {
			next++
		}
		if err == nil || next == len(low) {
			break
		}
		key := []byte(low[next])
		seek = func(c *bbolt.Cursor) ([]byte, []byte) { return c.Seek(key) }
		next++
	}
	if gap {
		s.Gaps = append(s.Gaps, Gap{After: last})
	}
	return nil
}

// Replace closes the new file and puts it in the damaged one's place, which is kept; kept is
// its new path. On an error the new file is removed, and the damaged one is where it was.
func (s *Salvaged) Replace() (kept string, err error) {
	if err := s.Map.Close(); err != nil {
		return "", errors.Join(err, s.Abandon())
	}
	wanted := s.path + ".damaged-" + time.Now().UTC().Format("20060102T150405Z")
	kept = wanted
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, os.ErrNotExist) {
			break
		}
		kept = fmt.Sprintf("%s-%d", wanted, n)
	}
	err = replacement{path: s.path, by: s.Map.path, keep: kept, old: s.old, closeFirst: closeFirst}.run()
	if err = errors.Join(err, s.old.Close()); err != nil {
		return "", fmt.Errorf("%s: %w", s.path, err)
	}
	return kept, nil
}

// Abandon closes and removes the new file.
func (s *Salvaged) Abandon() error {
	return errors.Join(s.Map.Close(), remove(s.Map.path), s.old.Close())
}
