package bolt

import (
	"errors"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Repairs and compacting write a new file next to the old one, which it then replaces in one
// step. Whatever goes wrong before that, the old file is as it was.

// A transaction of a new file is bounded: bbolt splits a page only when a transaction ends.
// Until then, every key that is not the last one moves all after it.
const (
	rewriteRows  = 2000
	rewriteBytes = 4 << 20
)

// rewriting is a new file that is being written.
type rewriting struct {
	path        string
	db          *bbolt.DB
	tx          *bbolt.Tx // nil if nothing was written since the last commit
	rows, bytes int       // in the transaction
}

// rewrite begins a new file in the folder of an old one, under an unused name.
func rewrite(old string) (*rewriting, error) {
	f, err := os.CreateTemp(filepath.Dir(old), filepath.Base(old)+".new-*")
	if err != nil {
		return nil, plain(err)
	}
	w := &rewriting{path: f.Name()}
	if err := f.Close(); err != nil {
		return nil, errors.Join(err, os.Remove(w.path))
	}
	// Nothing is synced before the end: see finish.
	w.db, _, err = openFile(w.path, bbolt.Options{NoSync: true, NoGrowSync: true})
	if err != nil {
		return nil, errors.Join(err, os.Remove(w.path))
	}
	if err := create(w.db); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	return w, nil
}

// put adds a record in its sealed form. Keys should mostly come in their order. On an error
// the file must be abandoned.
func (w *rewriting) put(key, sealed []byte) error {
	err := guard(func() (err error) {
		if w.tx == nil {
			if w.tx, err = w.db.Begin(true); err != nil {
				return err
			}
		}
		b := w.tx.Bucket(bucketRecords)
		b.FillPercent = 1
		return b.Put(key, sealed)
	})
	w.rows++
	w.bytes += len(key) + len(sealed)
	if err != nil || w.rows < rewriteRows && w.bytes < rewriteBytes {
		return err
	}
	return w.commit()
}

func (w *rewriting) commit() error {
	tx := w.tx
	w.tx, w.rows, w.bytes = nil, 0, 0
	if tx == nil {
		return nil
	}
	return guard(tx.Commit)
}

// finish puts the file on the disk and closes it. On an error the file must be abandoned.
func (w *rewriting) finish() error {
	err := w.commit()
	if err == nil {
		err = w.db.Sync()
	}
	return errors.Join(plain(err), w.db.Close())
}

// abandon removes the file.
func (w *rewriting) abandon() error {
	if w.tx != nil {
		w.tx.Rollback() // its only error is that it has ended
	}
	return errors.Join(w.db.Close(), remove(w.path))
}
