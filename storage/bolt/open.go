package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// Options are the settings of [Open].
type Options = ordered.Options

// Open opens a file, or creates it and its folder. It looks only at the beginning and the length of the file: see
// [Map.CheckPages]. On any error the file is left as it was. If bbolt panics, a damaged file may stay open until the process
// ends.
func Open(path string, o Options) (_ *Map, err error) {
	defer name(path, &err)
	return open(path, o.WithDefaults())
}

func open(path string, o Options) (*Map, error) {
	folder := filepath.Dir(path)
	switch _, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("making its folder: %w", plain(err))
		}
	case err != nil:
		return nil, plain(err)
	default:
		// bbolt could change another program's file when it opens it for writing, so it opens it for reading first. This also waits
		// until a repair, in another process, has replaced the file.
		m, err := openReadOnly(path, o.LockWait)
		if err == nil {
			err = m.Close()
		}
		if err != nil && !errors.Is(err, errEmpty) {
			return nil, err
		}
	}
	options := bbolt.Options{Timeout: o.LockWait}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" { // on Windows a file is as long as its mapping
		options.InitialMmapSize = mapAhead
		if info, err := os.Stat(path); err == nil {
			options.InitialMmapSize += int(info.Size())
		}
	}
	db, file, err := openFile(path, options)
	if err != nil {
		return nil, err
	}
	db.AllocSize = growBy
	// A process that was killed during a commit may have left a transaction that is readable and not on the disk yet.
	if err = db.Sync(); err == nil {
		err = view(db, checkFormat)
	}
	if errors.Is(err, errEmpty) {
		err = cmp.Or(create(db), durable.SyncFolder(folder))
	}
	if err != nil {
		return nil, errors.Join(plain(err), db.Close())
	}
	return newMap(db, file, path, o), nil
}

func newMap(db *bbolt.DB, file *os.File, path string, o Options) *Map {
	m := &Map{db: db, path: path}
	m.closing, m.stop = context.WithCancel(context.Background())
	m.group.db, m.group.update, m.group.turn = db, update, make(chan struct{}, 1)
	m.group.disk = disk{file: file, observer: o.Observer, log: ordered.NewFaults(o.Log), fail: o.Failed}
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
	return newMap(db, file, path, Options{}.WithDefaults()), nil
}

// Inspect returns the error that [Open] would return for an existing file: that it is locked, damaged, foreign or of a newer
// release. It writes nothing.
func Inspect(path string) error {
	m, err := OpenReadOnly(path)
	if err != nil {
		return err
	}
	return m.Close()
}

// mapAhead is how many bytes the mapping has beyond the file. A file that outgrows its mapping is mapped again, which waits
// until no read is open: a commit would wait for a backup. The unused part of the mapping takes only addresses.
const mapAhead = 64 << 30

// growBy is the least number of bytes by which the file grows. bbolt's default is 16 MB.
const growBy = 1 << 20

// openFile is bbolt.Open with our errors, and with a limited wait for the lock.
func openFile(path string, options bbolt.Options) (db *bbolt.DB, file *os.File, err error) {
	if options.Timeout == 0 {
		options.Timeout = 2 * time.Second
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, errors.New("not a regular file")
	} else if options.ReadOnly && err == nil && info.Size() == 0 {
		return nil, nil, errEmpty // bbolt would try to write to it
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
	_, isSystem := errors.AsType[syscall.Errno](err) // for example, if addresses are limited
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

// begun reports whether a file that bbolt refuses may be one of bbolt's: it has the mark of a page near its beginning, or
// begins with zeros that a disk has left there, or cannot be read.
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
