package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"

	"go.etcd.io/bbolt"
)

// Inspect returns nil if [Open] would find nothing wrong with a file at first sight, and
// otherwise Open's error: that another process uses it, that it is damaged or foreign, or
// of a newer release. It writes nothing.
func Inspect(path string) error {
	if _, err := inspect(path, lockWait); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// CopyClosed writes a copy of a file, in the format that the file has. The error wraps
// [ErrLocked] if a process uses the file.
func CopyClosed(ctx context.Context, path string, w io.Writer) error {
	if err := copyClosed(ctx, path, w); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func copyClosed(ctx context.Context, path string, w io.Writer) error {
	db, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	err = view(db, func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(writerUntil{ctx, w})
		return err
	})
	return errors.Join(err, db.Close())
}
