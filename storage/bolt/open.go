package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
	"fivefold/storage/ordered"
)

// Errors of [Open]. It also returns game.ErrDamaged, game.ErrNewer and the operating
// system's own errors.
var (
	ErrLocked  = errors.New("in use by another process")
	ErrForeign = errors.New("not a Fivefold store")
)

// ErrSync means that a sync failed, so that it is unknown what is on the disk. Errors that
// wrap it wrap game.ErrNotSaved too.
var ErrSync = errors.New("a sync of the file failed")

// Options are the settings of [Open]. The zero value is ready to use.
type Options struct {
	// Observer learns what the map does, for metrics; nil for none.
	Observer ordered.Observer
	// Log gets what happens outside requests, such as that the disk takes no changes. No key
	// and no value is in it. Nil discards it.
	Log *slog.Logger
	// LockWait is how long to wait for another process to release the file; 0 for two
	// seconds. After a restart, the previous process may still be closing it.
	LockWait time.Duration
	// Failed is called once if a sync of the file fails, with an error that wraps
	// [ErrSync]. The map refuses everything from then on; the process should end and be
	// started again. It must not wait for the map. Nil does nothing.
	Failed func(error)
}

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = ordered.NoObserver{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	return o
}

// Open opens the file, or creates it and its folder. It looks only at the beginning and the length of a file: see
// [Map.CheckPages]. On any error the file is left as it was; a damaged one may stay open until the process ends, where
// bbolt panics.
func Open(path string, o Options) (_ *Map, err error) {
	defer name(path, &err)
	return open(path, o.withDefaults())
}

func open(path string, o Options) (*Map, error) {
	switch _, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		if err := createFile(path); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, plain(err)
	default:
		// Opened for writing, bbolt could change another program's file, or panic,
		// before we know what it is.
		if err := inspect(path, o.LockWait); err != nil && !errors.Is(err, errEmpty) {
			return nil, err
		}
	}
	db, file, err := openMapped(path, o.LockWait)
	if err != nil {
		return nil, err
	}
	// A process that was killed in the middle of a commit may have left a transaction
	// that can be read and is not on the disk yet.
	if err = db.Sync(); err == nil {
		err = view(db, checkFormat)
	}
	if errors.Is(err, errEmpty) {
		err = create(db)
	}
	if err != nil {
		return nil, errors.Join(plain(err), db.Close())
	}
	return newMap(db, file, path, o), nil
}

func newMap(db *bbolt.DB, file *os.File, path string, o Options) *Map {
	m := &Map{db: db, path: path}
	m.closing, m.stop = context.WithCancel(context.Background())
	m.group.db, m.group.update = db, update
	m.group.disk = disk{file: file, observer: o.Observer, log: o.Log, fail: o.Failed}
	return m
}

// OpenReadOnly opens a file that exists, and that no process may have open for writing. It
// writes nothing to it, and so no commit succeeds.
func OpenReadOnly(path string) (_ *Map, err error) {
	defer name(path, &err)
	return openReadOnly(path, 0)
}

func openReadOnly(path string, wait time.Duration) (*Map, error) {
	db, file, err := openFile(path, bbolt.Options{ReadOnly: true, Timeout: wait})
	if err != nil {
		return nil, err
	}
	if err := view(db, func(tx *bbolt.Tx) error { return cmp.Or(checkLength(tx, file), checkFormat(tx)) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return newMap(db, file, path, Options{}.withDefaults()), nil
}

// Inspect returns nil if [Open] would find nothing wrong with a file, and otherwise Open's
// error: that another process uses it, that it is damaged or foreign, or of a newer
// release. It writes nothing.
func Inspect(path string) (err error) {
	defer name(path, &err)
	return inspect(path, 0)
}

func inspect(path string, wait time.Duration) error {
	m, err := openReadOnly(path, wait)
	if err != nil {
		return err
	}
	return m.Close()
}

// createFile makes a new file and its folder. The file gets its name only when it is on the
// disk: one that a loss of power cut short would be called damaged. If another process makes
// the same file first, that one stays, except on a file system without links.
func createFile(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("making its folder: %w", plain(err))
	}
	db, _, err := newFile(path)
	if err != nil {
		return fmt.Errorf("making the file: %w", err)
	}
	written := db.Path()
	if err = create(db); err == nil {
		err = db.Sync()
	}
	if err = errors.Join(err, db.Close()); err == nil {
		if err = os.Link(written, path); err != nil && !errors.Is(err, os.ErrExist) {
			err = os.Rename(written, path) // not every file system has links
		} else {
			err = nil
		}
	}
	if err == nil {
		err = durable.SyncFolder(folder)
	}
	return errors.Join(plain(err), remove(written))
}

// remove removes a file if it is there.
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
// While it waits for the lock, a repair in another process may put another file in the place
// of the one whose lock it gets. Then it opens that other one.
func openMapped(path string, wait time.Duration) (*bbolt.DB, *os.File, error) {
	for {
		options := bbolt.Options{Timeout: wait}
		if strconv.IntSize == 64 && runtime.GOOS != "windows" { // on Windows a file is as long as its mapping
			options.InitialMmapSize = mapAhead
			if info, err := os.Stat(path); err == nil {
				options.InitialMmapSize += int(info.Size())
			}
		}
		db, file, err := openFile(path, options)
		if err != nil {
			return nil, nil, err
		}
		db.AllocSize = growBy
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

// openFile is bbolt.Open with our errors, and with a limit to the wait for the lock.
func openFile(path string, options bbolt.Options) (db *bbolt.DB, file *os.File, err error) {
	if options.Timeout == 0 {
		options.Timeout = 2 * time.Second
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, errors.New("not a regular file")
	} else if options.ReadOnly && err == nil && info.Size() == 0 {
		return nil, nil, errEmpty // bbolt would try to write
	}
	options.FreelistType = bbolt.FreelistMapType
	options.OpenFile = func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
		file, err = os.OpenFile(name, flag, mode)
		return file, err
	}
	err = guard(func() (err error) {
		db, err = bbolt.Open(path, 0o600, &options)
		return err
	})
	if err == nil {
		return db, file, nil
	}
	var pathError *os.PathError
	var refused syscall.Errno // by the system, as where addresses are limited
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, nil, ErrLocked
	case errors.As(err, &pathError), errors.As(err, &refused), errors.Is(err, game.ErrDamaged):
		return nil, nil, plain(err)
	}
	if !begun(path) {
		return nil, nil, ErrForeign
	}
	// Every other error of opening means that something is wrong with the file.
	return nil, nil, fmt.Errorf("%w (%w)", game.ErrDamaged, err)
}

// begun reports whether a file that bbolt refuses begins as its files do: with the mark of a page, of whatever
// size, or with zeros in the place of what a disk has lost.
func begun(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 128<<10))
	return err != nil || bytes.Contains(head, binary.NativeEndian.AppendUint32(nil, 0xED0CDAED)) || len(bytes.Trim(head[:min(4096, len(head))], "\x00")) == 0
}

// name has an error begin with the path of a file, instead of what the system says of that.
func name(path string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", path, plain(*err))
	}
}

// plain drops the path and the system call from an error: see name.
func plain(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
