package bolt

import (
	"fmt"
	"runtime/debug"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// guard turns what bbolt does on a damaged file — it panics, or reads beyond the
// end of the mapped file, which is a fault — into game.ErrDamaged.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", game.ErrDamaged, p)
		}
	}()
	return f()
}

func view(db *bbolt.DB, f func(*bbolt.Tx) error) error {
	return guard(func() error { return db.View(f) })
}

func update(db *bbolt.DB, f func(*bbolt.Tx) error) error {
	return guard(func() error { return db.Update(f) })
}
