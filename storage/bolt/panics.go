package bolt

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
)

// guard turns what bbolt does on a damaged file into game.ErrDamaged: it panics, or
// reads beyond the end of the mapped file, which is a fault.
//
// Where neither of the first two pages can be read, bbolt panics before it has
// a transaction, and keeps its locks: all later calls wait for ever.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", game.ErrDamaged, p)
		}
	}()
	err = f()
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return os.ErrClosed
	case errors.Is(err, bolterrors.ErrIncompatibleValue): // a record that looks like a bucket
		return fmt.Errorf("%w (%w)", game.ErrDamaged, err)
	}
	return err
}

func view(db *bbolt.DB, f func(*bbolt.Tx) error) error {
	return guard(func() error { return db.View(f) })
}

// update guards f on its own as well: bbolt forgets a transaction that has returned
// an error, but after a panic it reads the list of free pages again, and where that
// is damaged it keeps its lock.
func update(db *bbolt.DB, f func(*bbolt.Tx) error) error {
	return guard(func() error {
		return db.Update(func(tx *bbolt.Tx) error {
			return guard(func() error { return f(tx) })
		})
	})
}
