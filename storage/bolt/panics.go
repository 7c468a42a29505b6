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

// guarded turns panics and faults into game.ErrDamaged. It is deferred, with the earlier setting of [debug.SetPanicOnFault]. On
// a damaged file bbolt panics, or reads beyond the end of the mapped file, which is a fault.
//
// If neither of the first two pages is readable, bbolt panics before it has a transaction, and keeps its locks: all later calls
// wait for ever.
func guarded(before bool, err *error) {
	debug.SetPanicOnFault(before)
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w (%v)", game.ErrDamaged, p)
	}
	switch {
	case errors.Is(*err, bolterrors.ErrDatabaseNotOpen):
		*err = os.ErrClosed
	case errors.Is(*err, bolterrors.ErrIncompatibleValue): // a record that looks like a bucket
		*err = fmt.Errorf("%w (%w)", game.ErrDamaged, *err)
	}
}

func guard(f func() error) (err error) {
	defer guarded(debug.SetPanicOnFault(true), &err)
	return f()
}

func view(db *bbolt.DB, f func(*bbolt.Tx) error) (err error) {
	defer guarded(debug.SetPanicOnFault(true), &err)
	return db.View(f)
}

func update(db *bbolt.DB, f func(*bbolt.Tx) error) (err error) {
	defer guarded(debug.SetPanicOnFault(true), &err)
	return db.Update(f)
}
