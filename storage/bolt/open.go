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

// Errors of [Open], besides game.ErrDamaged, game.ErrNewer and those of the operating system.
var (
	ErrLocked  = errors.New("in use by another process")
	ErrForeign = errors.New("not a Fivefold store")
)

// ErrSync means that a sync failed, so that the disk's content is unknown. Errors that wrap it wrap game.ErrNotSaved too.
var ErrSync = errors.New("a sync of the file failed")

// Options are the settings of [Open]. The zero value is ready to use.
type Options struct {
	// Observer receives events of the map, for metrics; nil means no observer.
	Observer ordered.Observer
	// Log gets events outside requests, such as a full disk, without keys and values. Nil discards it.
	Log *slog.Logger
	// LockWait is how long to wait for another process to release the file; 0 for two seconds. After a restart, the previous
	// process may still be closing it.
	LockWait time.Duration
	// Failed is called once if a sync of the file fails, with an error that wraps [ErrSync]. The map refuses everything from
	// then on, so the process should be restarted. Failed must not wait for the map; it may be nil.
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
		// Opened for writing, bbolt could change another program's file.
		if err := inspect(path, o.LockWait); err != nil && !errors.Is(err, errEmpty) {
			return nil, err
		}
	}
	db, file, err := openMapped(path, o.LockWait)
	if err != nil {
		return nil, err
	}
	// A process that was killed during a commit may have left a transaction that is readable and not on the disk yet.
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

// OpenReadOnly opens an existing file that no process has open for writing. Commits fail.
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

// Inspect returns the error that [Open] would return for an existing file: that it is locked, damaged, foreign or of a newer
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

// createFile makes a new file and its folder. The file gets its name only when it is on the disk: after a loss of power, a
// file that was cut short would be called damaged. If another process makes the same file first, that one stays, except on a
// file system without links.
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

// mapAhead is how much longer than the file its mapping is. A file that outgrows its mapping is mapped again, which waits
// until no read is open: a commit would wait for a backup. The rest of the mapping takes only addresses.
const mapAhead = 64 << 30

// growBy is the least number of bytes by which the file grows. bbolt's default is 16 MB.
const growBy = 1 << 20

// openMapped opens the file for writing, with a mapping that it can grow into. It also returns the file itself, which belongs
// to the database. While it waits for the lock, a repair in another process may replace the file. Then it opens the new one.
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

// openFile is bbolt.Open with our errors, and with a limited wait for the lock.
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
	_, isPath := errors.AsType[*os.PathError](err)
	_, isSystem := errors.AsType[syscall.Errno](err) // as where addresses are limited
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, nil, ErrLocked
	case isPath, isSystem, errors.Is(err, game.ErrDamaged):
		return nil, nil, plain(err)
	case !begun(path):
		return nil, nil, ErrForeign
	}
	return nil, nil, fmt.Errorf("%w (%w)", game.ErrDamaged, err) // every other error of opening is about the file
}

// begun reports whether a file that bbolt refuses begins like bbolt's files: with the mark of a page of any size, or with
// zeros that a disk has left there.
func begun(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 128<<10))
	return err != nil || bytes.Contains(head, binary.NativeEndian.AppendUint32(nil, 0xED0CDAED)) || len(bytes.Trim(head[:min(4096, len(head))], "\x00")) == 0
}

// name makes an error begin with the path of a file, instead of the system's text about it.
func name(path string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", path, plain(*err))
	}
}

// plain drops the path and the system call from an error: see name.
func plain(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}
