package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/durable"
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

// Compact writes a file again without free pages, and returns its length before and
// after, in bytes. No process may have the file open. It refuses a damaged file with
// game.ErrDamaged. The new file takes the old one's place in one step when it is whole and on
// the disk; on any error the file is left as it was. Progress is called now and then with how
// many of the bytes are written; it may be nil.
func Compact(ctx context.Context, path string, progress func(done, of int)) (before, after int64, err error) {
	defer name(path, &err)
	if err := inspect(path, 0); err != nil {
		return 0, 0, err
	}
	db, file, err := openMapped(path, 0)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	w, err := rewrite(path)
	if err != nil {
		return 0, 0, err
	}
	err = view(db, func(tx *bbolt.Tx) error {
		if err := checkPages(ctx, tx, file, true); err != nil {
			return err
		}
		n, done := 0, 0
		return tx.Bucket(bucketRecords).ForEach(func(key, sealed []byte) error {
			if _, ok := unseal(key, sealed); !ok {
				return fmt.Errorf("%q has a wrong checksum: %w", key, game.ErrDamaged)
			}
			if n++; n%1024 == 0 {
				if progress != nil {
					progress(min(done, int(tx.Size())), int(tx.Size()))
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			done += len(key) + len(sealed)
			return w.put(key, sealed)
		})
	})
	if err == nil {
		err = w.finish()
	}
	var was, is os.FileInfo
	if err == nil {
		was, err = os.Stat(path)
	}
	if err == nil {
		is, err = os.Stat(w.path)
	}
	if err != nil {
		return 0, 0, errors.Join(err, w.abandon())
	}
	return was.Size(), is.Size(), replacement{path: path, by: w.path, old: db, closeFirst: closeFirst}.run()
}

// closeFirst: Windows cannot replace an open file. Elsewhere the old file stays locked until
// the new one has taken its place.
const closeFirst = runtime.GOOS == "windows"

// errChanged: on Windows, another process changed a file between our closing and replacing it.
var errChanged = errors.New("another process has changed it meanwhile; please try again")

// replacement puts a new file in the place of another one.
type replacement struct {
	path, by   string
	keep       string    // the old file's other name; none if it is empty
	old        io.Closer // what this process has open of the old file
	closeFirst bool
}

// run replaces the file. At every moment there is a whole file at its path. On an error the
// new file is removed, and nothing has changed.
func (r replacement) run() error {
	if !r.closeFirst {
		return r.replace(nil)
	}
	err := r.old.Close()
	var unchanged func() error
	if err == nil {
		unchanged, err = changeSince(r.path)
	}
	if err != nil {
		return errors.Join(plain(err), os.Remove(r.by))
	}
	return r.replace(unchanged)
}

// changeSince returns a function that returns an error if a file has changed since.
func changeSince(path string) (unchanged func() error, err error) {
	was, err := os.Stat(path)
	return func() error {
		is, err := os.Stat(path)
		if err == nil && (is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())) {
			err = errChanged
		}
		return plain(err)
	}, err
}

// replace is run, if unchanged returns nil right before; it may be nil.
func (r replacement) replace(unchanged func() error) (err error) {
	kept := false
	defer func() {
		// After a failed sync of the folder the new file may have its place already.
		if _, missing := os.Lstat(r.by); err == nil || missing != nil {
			return
		}
		err = errors.Join(err, os.Remove(r.by))
		if kept {
			err = errors.Join(err, os.Remove(r.keep))
		}
	}()
	if r.keep != "" {
		if err := os.Link(r.path, r.keep); err != nil {
			if err := copyFile(r.path, r.keep); err != nil { // not every file system has links
				return fmt.Errorf("keeping the old file: %w", plain(err))
			}
		}
		kept = true
		if err := durable.SyncFolder(filepath.Dir(r.path)); err != nil {
			return plain(err)
		}
	}
	if err := durable.RenameIf(r.by, r.path, unchanged); err != nil {
		return fmt.Errorf("replacing the old file: %w", err)
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		err = errors.Join(err, os.Remove(to))
	}
	return err
}
