package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"

	"fivefold/storage/durable"
	"fivefold/storage/record"
)

// Migrations, repairs and compacting write a new file next to the old one, which it then
// replaces in one step. Whatever goes wrong before that, the old file is as it was.

// rewriteRows is how many rows a new file gets in one transaction. bbolt splits a page
// only when a transaction ends: until then, every key that is not the last one moves all
// after it, so longer transactions are slower.
const rewriteRows = 2000

// rewriteBytes bounds a transaction too, for the sake of memory.
const rewriteBytes = 4 << 20

// rewriteFill is how full pages get. Records are mostly written in the order of their keys.
const rewriteFill = 0.9

// rewriting is a new file that is being written.
type rewriting struct {
	path        string // of the new file
	db          *bbolt.DB
	tx          *bbolt.Tx
	codecs      record.Codecs
	rows, bytes int // in the transaction
}

// newFile is where a file is written that will replace the one at path. Only the process
// that has the file at path locked may use it.
func newFile(path string) string { return path + ".new" }

// rewrite begins a new file with all buckets.
func rewrite(path string, codecs record.Codecs) (w *rewriting, err error) {
	w = &rewriting{path: newFile(path), codecs: codecs}
	if err := os.Remove(w.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	// Nothing is synced before the end: see finish.
	w.db, err = openFile(w.path, bbolt.Options{FreelistType: bbolt.FreelistMapType, NoSync: true, NoGrowSync: true})
	if err != nil {
		return nil, err
	}
	if err := update(w.db, createBuckets); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	return w, nil
}

// step runs f in a transaction, which may be that of earlier steps. On an error the file
// must be abandoned.
func (w *rewriting) step(f func(buckets) error) error {
	return guard(func() (err error) {
		if w.tx == nil {
			if w.tx, err = w.db.Begin(true); err != nil {
				return err
			}
		}
		return f(buckets{w.tx, w.codecs})
	})
}

// put adds a row.
func (w *rewriting) put(r row) error {
	err := w.step(func(b buckets) error {
		b.Bucket(r.bucket).stored.FillPercent = rewriteFill
		return b.put(r)
	})
	if err != nil {
		return err
	}
	w.rows++
	w.bytes += len(r.key) + len(r.value)
	if w.rows < rewriteRows && w.bytes < rewriteBytes {
		return nil
	}
	return w.commit()
}

// commit ends the transaction of the steps so far.
func (w *rewriting) commit() error {
	w.rows, w.bytes = 0, 0
	if w.tx == nil {
		return nil
	}
	tx := w.tx
	w.tx = nil
	return guard(tx.Commit)
}

// eachRecord calls f with every record of a bucket of the new file, in transactions of
// bounded size. In that bucket, f may change only the row that it was called with.
func (w *rewriting) eachRecord(bucket []byte, f func(b buckets, key, value []byte) error) error {
	if err := w.commit(); err != nil {
		return err
	}
	var last []byte
	for done := false; !done; {
		err := w.step(func(b buckets) error {
			c := b.Bucket(bucket).Cursor()
			key, value := c.First()
			if last != nil {
				if key, value = c.Seek(last); bytes.Equal(key, last) {
					key, value = c.Next()
				}
			}
			type record struct{ key, value []byte }
			var some []record // since f may change the bucket
			for ; key != nil && len(some) < rewriteRows/10; key, value = c.Next() {
				some = append(some, record{bytes.Clone(key), bytes.Clone(value)})
			}
			done = len(some) == 0
			for _, r := range some {
				last = r.key
				if err := f(b, r.key, r.value); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = w.commit()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// derive makes derived data from the log and the matches in the file.
func (w *rewriting) derive(d derivation, progress func(results int)) error {
	const limit = rewriteRows / 10 // a result has about ten rows
	if err := w.commit(); err != nil {
		return err
	}
	job := newDeriving(d)
	if err := w.step(job.empty); err != nil {
		return err
	}
	for results := 0; ; results += limit {
		done := false
		err := w.step(func(b buckets) (err error) {
			done, err = job.step(b, limit)
			return err
		})
		if err == nil {
			err = w.commit()
		}
		if err != nil || done {
			return err
		}
		progress(results)
	}
}

// finish puts the file on the disk and closes it.
func (w *rewriting) finish() error {
	err := w.commit()
	if err == nil {
		err = plain(w.db.Sync())
	}
	return errors.Join(err, w.db.Close())
}

// abandon removes the file.
func (w *rewriting) abandon() error {
	if w.tx != nil {
		w.tx.Rollback() // its only error is that it has ended
	}
	return errors.Join(w.db.Close(), os.Remove(w.path))
}

// lockedUntilReplaced: an open file can be replaced, so the old one stays locked until
// the new one has taken its place. Windows can replace only a file that nobody has open.
var lockedUntilReplaced = runtime.GOOS != "windows"

// errChanged: on Windows, another process changed a file between our closing and replacing it.
var errChanged = errors.New("another process has changed it meanwhile; please try again")

// testOnlyClosed is called between closing a file and replacing it.
var testOnlyClosed = func() {}

// replace puts the new file in the place of the one at path, which gets the name
// keep unless that is empty. At every moment there is a whole file at path. old is what
// this process has open of the old file; replace may close it. On an error the new file
// is removed.
func replace(path, keep string, old ...io.Closer) (err error) {
	kept := false
	defer func() {
		// After a failed sync of the folder the new file may have its place already.
		if _, missing := os.Lstat(newFile(path)); err == nil || missing != nil {
			return
		}
		err = errors.Join(err, os.Remove(newFile(path)))
		if kept {
			err = errors.Join(err, os.Remove(keep))
		}
	}()
	unchanged := func() error { return nil }
	if !lockedUntilReplaced {
		for _, c := range old {
			if err := c.Close(); err != nil {
				return plain(err)
			}
		}
		was, err := os.Stat(path)
		if err != nil {
			return plain(err)
		}
		testOnlyClosed()
		unchanged = func() error {
			is, err := os.Stat(path)
			if err == nil && (is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())) {
				err = errChanged
			}
			return plain(err)
		}
	}
	if keep != "" {
		if err := os.Link(path, keep); err != nil {
			if err := copyFile(path, keep); err != nil { // not every file system has links
				return fmt.Errorf("keeping the old file: %w", plain(err))
			}
		}
		kept = true
		if err := durable.SyncFolder(filepath.Dir(path)); err != nil {
			return plain(err)
		}
	}
	if err := durable.RenameIf(newFile(path), path, unchanged); err != nil {
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
		os.Remove(to) // the error that matters is err
	}
	return err
}

// freeName returns the wanted name, with a number after it if there is such a file already.
func freeName(wanted string) string {
	name := wanted
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", wanted, n)
	}
}
