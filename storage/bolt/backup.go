package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// Backup writes a whole copy of the file as it is now. Commits go on meanwhile, but the file reuses no pages until Backup
// returns, and so grows with every commit. If ctx ends, Backup stops with its cause; if the map is closed, with [os.ErrClosed].
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

// BackupFile is [Map.Backup] into a new file that only its owner can read. It is on the disk when BackupFile returns;
// on an error it is removed.
func (m *Map) BackupFile(ctx context.Context, path string) (err error) {
	defer name(path, &err)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = m.Backup(ctx, f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
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

// CopyClosed writes a copy of a file. If a process uses the file, the error wraps [ErrLocked].
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
