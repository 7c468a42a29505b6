package bolt

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"syscall"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// disk decides what a failed transaction means.
//
// Most failures are clean: a full or read-only disk refuses before the meta page is written, bbolt rolls back, and the next
// transaction may succeed. After a failed sync the disk's content is unknown: the kernel may have dropped the pages, and
// reports that only once (see "fsyncgate", lwn.net/Articles/752063). The map then takes back the meta page, and refuses
// everything until the file is opened again.
type disk struct {
	file     *os.File // bbolt's own
	observer ordered.Observer
	log      ordered.Faults
	fail     func(error) // Options.Failed

	cause atomic.Pointer[error] // set once, after a failed sync
}

// broken returns the reason why the map refuses everything, or nil.
func (d *disk) broken() error {
	if cause := d.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// failed returns the error for a transaction that could not be committed. It wraps game.ErrNotSaved and, if the state of the
// file is unknown, ErrSync. The id is 0 if no transaction began.
func (d *disk) failed(db *bbolt.DB, id int, err error) error {
	if !isSync(err) && !visible(db, id) {
		return fmt.Errorf("%w: %w", game.ErrNotSaved, err)
	}
	err = fmt.Errorf("%w: %w: %w", game.ErrNotSaved, ErrSync, err)
	d.cause.Store(&err) // first, so that reads that end from now on fail and do not show the transaction
	if id > 0 && visible(db, id) {
		if undo := d.takeBack(db, id); undo != nil {
			err = fmt.Errorf("%w; the transaction could not be taken back: %w", err, undo)
		}
	}
	d.fail(err)
	return err
}

// isSync reports whether a commit failed in a sync. On Linux bbolt calls fdatasync itself and returns its bare number; elsewhere
// it calls [os.File.Sync]. Errors of writes have another operation.
func isSync(err error) bool {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Op == "sync"
	}
	_, ok := errors.AsType[syscall.Errno](err)
	return ok
}

// visible reports whether reads fail, or see a transaction.
func visible(db *bbolt.DB, id int) bool {
	seen := false
	err := view(db, func(tx *bbolt.Tx) error {
		seen = id > 0 && tx.ID() >= id
		return nil
	})
	return seen || err != nil
}

// takeBack makes the meta page of a transaction unreadable, so that the meta page before it counts. The next process must not
// see a refused change, even if the kernel still has it in memory. bbolt writes the two meta pages in turn.
func (d *disk) takeBack(db *bbolt.DB, id int) error {
	page := make([]byte, db.Info().PageSize)
	_, err := d.file.WriteAt(page, int64(id%2)*int64(len(page)))
	return errors.Join(err, d.file.Sync())
}

func (d *disk) refused(changes int, err error) {
	for range changes {
		d.observer.NotSaved(err)
	}
	d.log.Report(slog.LevelError, "could not write to the disk", err)
}
