package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
	"fivefold/storage/durable"
	"fivefold/storage/record"
)

// Errors of [Open]. It also returns game.ErrDamaged, game.ErrNewer and the operating
// system's own errors.
var (
	ErrLocked  = errors.New("in use by another process")
	ErrForeign = errors.New("not a Fivefold database")
)

// ErrSync means that a sync failed, so that nobody knows what is on the disk. Errors that
// wrap it wrap game.ErrNotSaved too.
var ErrSync = errors.New("a sync of the file failed")

// lockWait is how long another process has to release the file, unless Options say
// otherwise. After a restart, the previous process may still be closing it.
var lockWait = 2 * time.Second // a variable for tests

// Open opens the file, or creates it and its folder. There must be a codec of every kind
// of game that may be stored in it. A file of an earlier release is migrated. Apart from
// that, the file is left as it was on any error; a damaged one may stay locked until the
// process ends, since bbolt can panic without releasing it.
func Open(path string, codecs record.Codecs, o Options) (*Store, error) {
	s, err := open(path, codecs, o.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func open(path string, codecs record.Codecs, o Options) (*Store, error) {
	before, err := os.Stat(path)
	created := errors.Is(err, os.ErrNotExist)
	switch {
	case created:
		if err := createFile(path); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, plain(err)
	case !before.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	}
	format := 0
	if !created && before.Size() > 0 {
		if format, err = inspect(path, o.LockWait); err != nil {
			return nil, err
		}
	}
	if format > 0 && format < newestFormat {
		if err := migrate(path, o.Log); err != nil {
			return nil, err
		}
	}
	db, file, err := openMapped(path)
	if err != nil {
		return nil, err
	}
	// A process that was killed in the middle of a commit may have left a transaction
	// that can be read and is not on the disk yet.
	err = db.Sync()
	if err == nil {
		format, err = formatOfFile(db)
	}
	if err == nil && format == 0 {
		err = create(db)
	}
	if err == nil {
		err = view(db, func(tx *bbolt.Tx) error { return buckets{Tx: tx}.whole() })
	}
	if err == nil {
		err = addLateBuckets(db, codecs)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s := &Store{db: db, path: path, codecs: codecs, clearBatch: clearBatch, clearSlice: clearSlice, forgetBatch: forgetBatch}
	s.group.db, s.group.update = db, update
	s.group.disk.file, s.group.disk.observer, s.group.disk.log, s.group.disk.fail = file, o.Observer, o.Log, o.Failed
	if keepsNote {
		if err := writeNote(path); err != nil { // it only makes another process's message better
			o.Log.Warn("who has the file open is not noted", "path", notePath(path), "error", err)
		}
	}
	s.closing, s.stop = context.WithCancel(context.Background())
	s.clearing.waiting = map[game.PlayerID][]chan error{}
	stale, err := s.stale()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.resumeClearings()
	if created {
		s.checked.Store(true)
	} else {
		s.background.Go(s.checkInBackground)
	}
	s.background.Go(func() {
		for _, d := range stale {
			s.rebuild(d)
		}
	})
	if o.Keep > 0 {
		s.background.Go(func() { s.keepFor(o.Keep) })
	}
	return s, nil
}

// createFile makes a new file and its folder. The file gets its name only when it is on the
// disk: one that a loss of power cut short would be called damaged. If another process makes
// the same file first, that one stays, except on a file system without links.
func createFile(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("making its folder: %w", plain(err))
	}
	scratch, err := os.MkdirTemp(folder, filepath.Base(path)+".new-")
	if err != nil {
		return fmt.Errorf("making the file: %w", plain(err))
	}
	whole := filepath.Join(scratch, filepath.Base(path))
	db, err := openFile(whole, bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err == nil {
		err = errors.Join(create(db), db.Close())
	}
	if err == nil {
		err = os.Link(whole, path)
		switch {
		case errors.Is(err, os.ErrExist):
			err = nil
		case err != nil: // not every file system has links
			err = os.Rename(whole, path)
		}
	}
	if err == nil {
		err = durable.SyncFolder(folder)
	}
	return errors.Join(plain(err), remove(whole), remove(scratch))
}

// remove removes a file, or an empty folder, if it is there.
func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// mapAhead is how much longer than the file its mapping is made. A file that outgrows
// its mapping is mapped again, which waits until no read is open: a commit would wait
// for a backup. Only addresses are taken for what the file does not have yet.
const mapAhead = 64 << 30

// growBy is how many bytes the file grows by, at least. bbolt's default is 16 MB.
const growBy = 1 << 20

// openMapped opens the file for writing, with a mapping that it can grow into. It also
// returns the file itself, which belongs to the database.
//
// While it waits for the lock, a migration or a repair in another process may put another
// file in the place of the one whose lock it gets. Then it opens that other one.
func openMapped(path string) (*bbolt.DB, *os.File, error) {
	for {
		db, file, err := openMappedOnce(path)
		if err != nil {
			return nil, nil, err
		}
		own, err := file.Stat()
		if err == nil {
			var there os.FileInfo
			if there, err = os.Stat(path); err == nil && os.SameFile(own, there) {
				return db, file, nil
			}
		}
		if err := errors.Join(plain(err), db.Close()); err != nil {
			return nil, nil, err
		}
	}
}

func openMappedOnce(path string) (db *bbolt.DB, file *os.File, err error) {
	options := bbolt.Options{FreelistType: bbolt.FreelistMapType}
	options.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		file, err = os.OpenFile(name, flag, mode)
		return file, err
	}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" { // on Windows a file is as long as its mapping
		options.InitialMmapSize = mapAhead
		if info, err := os.Stat(path); err == nil {
			options.InitialMmapSize += int(info.Size())
		}
	}
	db, err = openFile(path, options)
	if errors.Is(err, syscall.ENOMEM) { // addresses are limited: ulimit -v
		options.InitialMmapSize = 0
		db, err = openFile(path, options)
	}
	if err == nil {
		db.AllocSize = growBy
	}
	return db, file, err
}

// inspect checks a file without writing to it, as check does, and returns its format, 0
// for an empty one. If it opens a file for writing, bbolt may change another program's file
// before we know what it is.
func inspect(path string, wait time.Duration) (format int, err error) {
	db, err := openFile(path, bbolt.Options{ReadOnly: true, Timeout: wait})
	if err != nil {
		return 0, err
	}
	err = check(db)
	if err == nil {
		format, err = formatOfFile(db)
	}
	return format, errors.Join(err, db.Close())
}

// openFile is bbolt.Open with our errors, and with a limit to the wait for the lock.
func openFile(path string, options bbolt.Options) (*bbolt.DB, error) {
	if options.Timeout == 0 {
		options.Timeout = lockWait
	}
	var db *bbolt.DB
	err := guard(func() (err error) {
		db, err = bbolt.Open(path, 0o600, &options)
		return err
	})
	var pathError *os.PathError
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		if who := holder(path); who != "" {
			return nil, fmt.Errorf("%w: %s", ErrLocked, who)
		}
		return nil, ErrLocked
	case errors.As(err, &pathError), errors.Is(err, game.ErrDamaged):
		return nil, plain(err)
	}
	// Every other error of opening means that something is wrong with the file.
	return nil, fmt.Errorf("%w (%w)", game.ErrDamaged, err)
}

// checkedKeys is how many keys Open walks over. A small file has no more; everything else
// is checked in the background: see checkInBackground.
const checkedKeys = 50_000

// check looks at the ends of every bucket and walks over the first keys of the file, so
// that most damage is found at the start and not in the middle of a game.
func check(db *bbolt.DB) error {
	info, err := os.Stat(db.Path())
	if err != nil {
		return plain(err)
	}
	return view(db, func(tx *bbolt.Tx) error {
		if info.Size() < tx.Size() {
			return fmt.Errorf("%d bytes are missing: %w", tx.Size()-info.Size(), game.ErrDamaged)
		}
		left := checkedKeys
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			keys := 0
			err := guard(func() (err error) {
				b.Cursor().Last()
				keys, err = walkKeys(b, name, left)
				return err
			})
			if _, derived := derivationOf(name); derived && errors.Is(err, game.ErrDamaged) {
				return nil // games can be played without
			}
			left = max(1, left-keys)
			return err
		})
	})
}

// walkKeys goes over the first keys of a bucket, n at most, and returns how many it saw. An
// error, for keys that are out of order, wraps game.ErrDamaged.
func walkKeys(b *bbolt.Bucket, name []byte, n int) (keys int, err error) {
	var last []byte
	c := b.Cursor()
	for k, _ := c.First(); k != nil && keys < n; k, _ = c.Next() {
		if last != nil && bytes.Compare(last, k) >= 0 {
			return keys, fmt.Errorf("keys of %s are out of order: %w", name, game.ErrDamaged)
		}
		last = k
		keys++
	}
	return keys, nil
}

// plain drops the path and the system call from an error; Open names the path.
func plain(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
