package bolt

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
)

// guard turns what bbolt does on a damaged file into game.ErrDamaged: it panics, or
// reads beyond the end of the mapped file, which is a fault. A panic caused by a bug of ours
// is passed on.
//
// Where neither of the first two pages can be read, bbolt panics before it has
// a transaction, and keeps its locks: all later calls wait for ever.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			if !isDamage(p) {
				panic(p)
			}
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

// isDamage reports whether the file is to blame for a panic: it is a fault at an
// address, or it began in bbolt and not in our code. It must be called by the
// deferred function that recovered the panic, while the stack still has the frames
// that panicked.
func isDamage(p any) bool {
	if _, fault := p.(interface {
		runtime.Error
		Addr() uintptr
	}); fault {
		return true
	}
	stack := make([]uintptr, 256)
	frames := runtime.CallersFrames(stack[:runtime.Callers(0, stack)])
	panicking := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicking = true
		case panicking && strings.HasPrefix(frame.Function, "go.etcd.io/bbolt"):
			return true
		case panicking && strings.HasPrefix(frame.Function, "fivefold/"):
			return false
		}
		if !more {
			return false
		}
	}
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
