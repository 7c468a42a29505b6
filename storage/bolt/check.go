package bolt

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// checkLength returns an error that wraps game.ErrDamaged if a file has lost its end.
func checkLength(tx *bbolt.Tx, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return plain(err)
	}
	if missing := tx.Size() - info.Size(); missing > 0 {
		return fmt.Errorf("%d bytes are missing: %w", missing, game.ErrDamaged)
	}
	return nil
}

// CheckPages has bbolt look at every page of the file, and returns an error that wraps game.ErrDamaged if one is wrong.
// No commit may run meanwhile.
func (m *Map) CheckPages(ctx context.Context) error {
	return m.read(ctx, func(tx *bbolt.Tx) error { return checkPages(ctx, tx, func(ordered.Pair) error { return nil }) })
}

// checkPages is CheckPages in a transaction, and calls f with every record. It reads the records before bbolt checks the pages:
// bbolt does so in a goroutine of its own, where a fault would end the process.
func checkPages(ctx context.Context, tx *bbolt.Tx, f func(ordered.Pair) error) error {
	cursor := tx.Bucket(bucketRecords).Cursor()
	err := walk(ctx, cursor.First, cursor.Next, 1, f)
	if err != nil {
		return err
	}
	if err := checkEnds(tx); err != nil {
		return err
	}
	for problem := range tx.Check() { // to the end: bbolt's goroutine uses the transaction until then
		if err == nil {
			err = fmt.Errorf("%w: %w", problem, game.ErrDamaged)
		}
	}
	return err
}

// checkEnds returns an error if a page says that it ends behind the file: bbolt's check would count as far as that. A page
// begins with its number. At byte 12 is the number of further pages that belong to it.
func checkEnds(tx *bbolt.Tx) error {
	file, err := os.Open(tx.DB().Path())
	if err != nil {
		return plain(err)
	}
	defer file.Close()
	size := int64(tx.DB().Info().PageSize)
	pages := uint64(tx.Size() / size)
	var header [16]byte
	for n := range pages {
		if _, err := file.ReadAt(header[:], int64(n)*size); err != nil {
			return fmt.Errorf("page %d: %w (%w)", n, game.ErrDamaged, plain(err))
		}
		if binary.NativeEndian.Uint64(header[:]) == n && n+uint64(binary.NativeEndian.Uint32(header[12:])) >= pages {
			return fmt.Errorf("page %d ends behind the file: %w", n, game.ErrDamaged)
		}
	}
	return nil
}

// walk calls f with each record from the first on. Keys must ascend if order is 1, and descend if it is -1; damaged records are
// not compared. walk ends with the first error. If bbolt can read no further, the error wraps game.ErrDamaged.
func walk(ctx context.Context, first, next func() (key, sealed []byte), order int, f func(ordered.Pair) error) error {
	return guard(func() error {
		last, n := "", 0
		for k, v := first(); k != nil; k, v = next() {
			p := pairOf(k, v)
			if !p.Damaged {
				if last != "" && cmp.Compare(p.Key, last) != order {
					return fmt.Errorf("keys are out of order: %w", game.ErrDamaged)
				}
				last = p.Key
			}
			if n++; n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := f(p); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}
