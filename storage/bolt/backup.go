package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"fivefold/storage/durable"
)

// Backup writes a copy of the file as it was when Backup was called: whole, without
// what is committed meanwhile, and ready to be opened. Commits go on all the time, but
// until Backup returns the file reuses none of its pages and so grows with every commit.
// It ends early, with the cause of ctx, when ctx ends, and with [os.ErrClosed] when the
// map is closed.
func (m *Map) Backup(ctx context.Context, w io.Writer) error {
	return m.read(ctx, func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(writerUntil{m.closing, writerUntil{ctx, w}})
		switch {
		case err != nil && ctx.Err() != nil:
			err = context.Cause(ctx)
		case err != nil && m.closing.Err() != nil:
			err = os.ErrClosed
		}
		return err
	})
}

// errOwnFile: a backup was to replace the map's own file.
var errOwnFile = errors.New("that is the store itself")

// BackupFile is [Map.Backup] into a file that only its owner can read. The file appears
// under its name, or replaces another backup there, only when it is whole and on the
// disk; on any error what was there is left as it was. Its folder must exist. The error
// wraps errOwnFile if the path is that of the map's own file.
func (m *Map) BackupFile(ctx context.Context, path string) (err error) {
	defer name(path, &err)
	own, err := os.Stat(m.path)
	if err != nil {
		return err
	}
	if there, err := os.Stat(path); err == nil && os.SameFile(own, there) {
		return errOwnFile
	}
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*") // for its owner only
	if err != nil {
		return err
	}
	err = m.Backup(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = durable.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, remove(f.Name()))
	}
	return err
}

// writerUntil writes until its context ends.
type writerUntil struct {
	ctx context.Context
	w   io.Writer
}

func (w writerUntil) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

// CopyClosed writes a copy of a file that no process uses; the error wraps [ErrLocked] if one
// does.
func CopyClosed(ctx context.Context, path string, w io.Writer) error {
	m, err := OpenReadOnly(path)
	if err != nil {
		return err
	}
	if err := errors.Join(m.Backup(ctx, w), m.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
